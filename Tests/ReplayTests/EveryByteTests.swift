import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Every byte of a small journal is changed, and every length of its files is tried.
///
/// Whatever comes of it: no entry is shown that is not the one that was written, and where anything
/// is missing something is found. `SEED` chooses the bits, and which eighth of the places is tried
/// where neither `CI` nor `THOROUGH` is set.
@Suite struct EveryByteTests {
  private let place: TemporaryJournal
  private let original: Contents
  private let seed: UInt64

  /// The same entries while a writer has the journal open: most of it is in the log.
  private let logged: TemporaryJournal

  init() throws {
    place = try TemporaryJournal()
    seed = testSeed("EveryByteTests")
    let journal = try place.open()
    var chance = SeededGenerator(seed: 3)
    try journal.append([.opening(), .begin("/0", key: "b0")])
    for number in 1..<4 {
      let words = (0..<40).map { _ in "\(UInt32.random(in: 0...9, using: &chance))" }
      let body = try journal.body(Array(words.joined().utf8), chance: &chance)
      try journal.append([
        .begin("/\(number)", key: "b\(number)"),
        .landing("/\(number)", key: "l\(number)", begin: UInt64(number * 2 + 1), body: body),
      ])
    }
    logged = try place.copy()
    try journal.close()
    original = try Contents(of: try place.read())
    #expect(original.entries.count == 8 && original.bodies.count == 3)
  }

  /// All numbers below `count`, or an eighth of them.
  private func places(_ count: Int) -> [Int] {
    isThorough ? Array(0..<count) : Array(stride(from: Int(seed % 8), to: count, by: 8))
  }

  /// Tries each damage on a copy; two at a time.
  private func tryAll(
    _ part: TemporaryJournal.Part,
    of place: TemporaryJournal,
    _ offsets: [Int],
    _ damage: @escaping @Sendable (DamagedFile, Int) throws -> Void
  ) async throws {
    let original = original
    let files = try TemporaryJournal.Part.allCases.map { ($0, try place.bytes(of: $0)) }
    await withTaskGroup(of: [String].self) { group in
      for lane in 0..<2 {
        group.addTask {
          var lies: [String] = []
          do {
            let copy = try TemporaryJournal()
            for (part, content) in files where !content.isEmpty {
              try copy.write(content, to: part)
            }
            let file = try DamagedFile(copy, part)
            for offset in offsets[(lane * offsets.count / 2)..<((lane + 1) * offsets.count / 2)] {
              try damage(file, offset)
              if let lie = try original.lie(of: copy) { lies.append("\(part) \(offset): \(lie)") }
              try file.restore()
            }
          } catch { lies.append("\(error)") }
          return lies
        }
      }
      for await lies in group { #expect(lies == []) }
    }
  }

  @Test func `a bit of each byte of the file is flipped`() async throws {
    let seed = seed
    try await tryAll(.main, of: place, places(try place.bytes().count)) { file, offset in
      var chance = SeededGenerator(seed: seed &+ UInt64(offset))
      try file.flipBit(Int.random(in: 0..<8, using: &chance), ofByte: offset)
    }
  }

  @Test func `every bit of the anchor is flipped`() async throws {
    try await tryAll(.anchor, of: place, places(try place.bytes(of: .anchor).count * 8)) {
      file,
      bit in
      try file.flipBit(bit % 8, ofByte: bit / 8)
    }
  }

  @Test func `the file is cut to every length`() async throws {
    try await tryAll(.main, of: place, places(try place.bytes().count)) { file, count in
      try file.cut(toBytes: count)
    }
  }

  @Test func `the anchor is cut to every length`() async throws {
    try await tryAll(.anchor, of: place, places(try place.bytes(of: .anchor).count)) {
      file,
      count in
      try file.cut(toBytes: count)
    }
  }

  @Test func `a bit of each byte of the write-ahead log is flipped`() async throws {
    let seed = seed
    let count = try logged.bytes(of: .log).count
    #expect(count > 10_000)
    try await tryAll(.log, of: logged, places(count)) { file, offset in
      var chance = SeededGenerator(seed: seed &+ UInt64(offset))
      try file.flipBit(Int.random(in: 0..<8, using: &chance), ofByte: offset)
    }
  }

  @Test func `the write-ahead log is cut to every length`() async throws {
    try await tryAll(.log, of: logged, places(try logged.bytes(of: .log).count)) { file, count in
      try file.cut(toBytes: count)
    }
  }
}

/// What a journal holds, as a reader shows it.
private struct Contents: Sendable {
  var entries: [[UInt8]] = []
  var bodies: [[UInt8]] = []

  init(of reader: JournalReader) throws {
    for entry in try reader.allEntries() {
      entries.append(Array(entry.bytes))
      for reference in try entry.bodies {
        guard case .kept(let content) = try reader.body(reference, of: entry.seq) else { continue }
        bodies.append(content)
      }
    }
  }

  /// What is wrong with how a damaged journal shows itself; nothing if it is safe to rely on.
  func lie(of place: TemporaryJournal) throws -> String? {
    let reader: JournalReader
    let report: VerificationReport
    do {
      reader = try place.read()
      report = try Verification.verify(reader, .init(bodies: true))
    } catch let error as JournalError {
      // A named error is no lie.
      return error.message.isEmpty ? "an error without a word" : nil
    }
    var shown = 0
    var lie: String?
    let walked = try reader.forEach { (entry) throws(JournalError) in
      shown += 1
      let index = Int(entry.seq.value) - 1
      if index >= entries.count || !entry.bytes.elementsEqual(entries[index]) {
        lie = "entry \(entry.seq) is shown and is not what was written"
      }
      for reference in (try? entry.bodies) ?? [] {
        guard case .kept(let content)? = try? reader.body(reference, of: entry.seq) else {
          continue
        }
        if !bodies.contains(content) { lie = "a content that was never written is shown" }
      }
      return true
    } mapping: {
      $0
    }
    if lie == nil, shown < entries.count, report.isClean {
      lie = "only \(shown) entries are shown, and nothing is found"
    }
    // What is missing is found on opening as well, or on the way: no verb is silent about it.
    let found = try reader.findings()
    if lie == nil, shown < entries.count, (walked + found).allSatisfy(\.code.isNote) {
      lie = "only \(shown) entries are shown, and who only reads finds nothing"
    }
    if lie == nil, report.isClean, report.bodies < UInt64(bodies.count) {
      lie = "only \(report.bodies) contents are there, and nothing is found"
    }
    return lie
  }
}
