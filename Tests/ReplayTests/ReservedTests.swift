import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay
import TidemarkSQLite

/// What format 1 keeps for later is not taken for what it knows.
@Suite struct ReservedTests {
  private let place: TemporaryJournal
  private let body: BodyReference

  init() throws {
    (place, body) = try TemporaryJournal.landed("what a server said")
  }

  @Test(arguments: [
    "dictionary = 0", "dictionary = 5", "dictionary = -1", "codec = 2", "codec = -1", "codec = 256",
    "codec = 257", "codec = 300",
  ])
  func `a block of a codec or a dictionary that is not known is read by nobody`(
    columns: String
  ) throws {
    try place.forgeBlocks("UPDATE blocks SET \(columns) WHERE first_seq = 3")
    let reader = try place.read()
    var seqs: [UInt64] = []
    let walked = try reader.forEach { (entry) throws(JournalError) in
      seqs.append(entry.seq.value)
      return true
    } mapping: {
      $0
    }
    #expect(seqs == [1, 2])
    #expect(walked.map(\.code) == [.newerFormat] && walked.map(\.seq) == [Seq(3)])
    #expect(try Verification.verify(reader).findings.map(\.code) == [.newerFormat])
    #expect(try Judge.judge(reader).counts == [.newerFormat: 1])
    let error = #expect(throws: JournalError.self) { try reader.entry(at: Seq(3)) }
    #expect(error?.finding == .newerFormat)
    let writer = try place.open()
    #expect(writer.isReadOnly && writer.findings.map(\.code) == [.newerFormat])
  }

  @Test(arguments: ["base = 0", "base = 1", "codec = 2", "codec = -1", "codec = 256"])
  func `a content of a codec or a base that is not known is not given`(columns: String) throws {
    try place.tamper("UPDATE bodies SET \(columns)")
    let reader = try place.read()
    guard case .differs(let finding) = try reader.body(body, of: Seq(3)) else {
      Issue.record("it is given")
      return
    }
    #expect(finding.code == .newerFormat && finding.seq == Seq(3))
    let report = try Verification.verify(reader, .init(bodies: true))
    #expect(report.findings.map(\.code) == [.newerFormat])
  }

  @Test(arguments: [
    ("INSERT INTO dictionaries VALUES (7, x'00')", FindingCode.newerFormat),
    ("INSERT INTO maintenance VALUES ('erase')", .containerDamaged),
  ])
  func `a row where this format has none is told, and nothing is appended`(
    sql: String,
    code: FindingCode
  ) throws {
    try Database(path: place.path, access: .write(creating: false)).execute(sql)
    let reader = try place.read()
    #expect(try reader.findings().map(\.code) == [code])
    #expect(try Verification.verify(reader).findings.map(\.code) == [code])
    #expect(try reader.allEntries().count == 3)
    let error = #expect(throws: JournalError.self) { try place.open() }
    #expect(error?.code == .damaged && error?.finding == code)
  }
}
