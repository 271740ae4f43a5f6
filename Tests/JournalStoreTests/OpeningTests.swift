import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkSQLite

@testable import TidemarkJournalStore

/// What is opened, what is refused, and that what is refused stays as it was.
@Suite struct OpeningTests {
  private let place: TemporaryJournal

  /// A journal of three blocks with two entries each.
  init() throws {
    place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin("/0", key: "b0")])
    for number in 1...2 {
      try journal.append([
        .begin("/\(number)", key: "b\(number)"), .begin("/\(number)", key: "c\(number)"),
      ])
    }
    try journal.close()
  }

  /// The bytes of every file of the journal.
  private func files() throws -> [TemporaryJournal.Part: [UInt8]] {
    var files: [TemporaryJournal.Part: [UInt8]] = [:]
    for part in TemporaryJournal.Part.allCases { files[part] = try place.bytes(of: part) }
    return files
  }

  /// The error of whoever opens the journal, to write and to read.
  private func refusals() -> [JournalError?] {
    [
      #expect(throws: JournalError.self) { try place.open() },
      #expect(throws: JournalError.self) { try place.read() },
    ]
  }

  /// Opens the journal, and checks that it refuses to be appended to and leaves its files alone.
  private func checkReadOnly(_ code: FindingCode, _ standing: Anchor.Standing) throws {
    let before = try files()
    do {
      let journal = try place.open()
      #expect(journal.isReadOnly)
      #expect(journal.anchorStanding == standing)
      #expect(journal.findings.map(\.code) == [code])
      let error = #expect(throws: JournalError.self) { try journal.append([.begin(key: "new")]) }
      #expect(error?.code == .damaged && error?.finding == code)
      #expect(throws: JournalError.self) { try journal.commit(.authored) }
      try journal.close()
    }
    #expect(try files() == before)
  }

  // MARK: What is no journal

  @Test func `nothing, a directory and a socket are refused by name`() throws {
    let folder = try TemporaryFolder()
    var chance = SeededGenerator(seed: 1)
    let missing = #expect(throws: JournalError.self) {
      try Journal(folder.file("none"), chance: &chance)
    }
    #expect(missing?.code == .missing && missing?.finding == .noSuchJournal)
    #expect(throws: JournalError.self) { try JournalReader(folder.file("none")) }
    let directory = #expect(throws: JournalError.self) {
      try Journal(folder.path, create: true, chance: &chance)
    }
    #expect(directory?.code == .foreign && directory?.finding == .notAJournal)
    let device = #expect(throws: JournalError.self) { try JournalReader("/dev/null") }
    #expect(device?.code == .foreign)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(arguments: ["", "not a database", "SQLite format 3\u{0}"])
  func `a file of another kind is refused and left alone`(content: String) throws {
    try place.remove(.anchor)
    try place.write(Array(content.utf8))
    for error in refusals() { #expect(error?.finding == .notAJournal) }
    #expect(try place.bytes() == Array(content.utf8))
    #expect(try place.bytes(of: .anchor) == [])
  }

  @Test func `a database of another application is refused`() throws {
    try place.tamper("PRAGMA application_id = 1")
    try place.remove(.anchor)
    for error in refusals() { #expect(error?.code == .foreign && error?.finding == .notAJournal) }
  }

  @Test func `a newer format is refused by name, and nothing is written`() throws {
    try place.tamper("PRAGMA user_version = 2")
    let before = try files()
    for error in refusals() {
      #expect(error?.code == .newer && error?.finding == .newerFormat)
      #expect(error?.message.contains("format 2") == true)
    }
    #expect(try files() == before)
  }

  @Test(arguments: [0, -1])
  func `a format that never was is damage`(version: Int) throws {
    try place.tamper("PRAGMA user_version = \(version)")
    for error in refusals() { #expect(error?.finding == .containerDamaged) }
  }

  @Test(arguments: [
    "DROP TABLE set_aside", "ALTER TABLE bodies ADD COLUMN extra INTEGER",
    "ALTER TABLE runs RENAME COLUMN level TO height",
  ])
  func `other tables in the place of the format's are damage`(sql: String) throws {
    try place.tamper(sql)
    for error in refusals() {
      #expect(error?.code == .damaged && error?.finding == .containerDamaged)
    }
  }

  @Test(arguments: [
    "CREATE TABLE extra(a)", "CREATE VIEW extra AS SELECT 1", "CREATE INDEX extra ON bodies(codec)",
    "CREATE TRIGGER extra AFTER INSERT ON blocks BEGIN DELETE FROM bodies; END",
    "DROP TRIGGER blocks_stay", "ANALYZE",
  ])
  func `beside other tables and triggers reading goes on, and appending is refused`(
    sql: String
  ) throws {
    try place.tamper(sql)
    try place.remove(.anchor)
    let error = #expect(throws: JournalError.self) { try place.open() }
    #expect(error?.code == .damaged && error?.finding == .containerDamaged)
    #expect(try place.bytes(of: .anchor) == [])
    let reader = try place.read()
    #expect(try reader.findings().map(\.code) == [.containerDamaged])
    #expect(try reader.allEntries().count == 6)
  }

  @Test(arguments: [
    "DELETE FROM identity", "DELETE FROM identity WHERE name = 'term'",
    "UPDATE identity SET value = x'00'",
    "UPDATE identity SET value = zeroblob(8) WHERE name = 'term'",
  ])
  func `an identity that is not whole is damage`(sql: String) throws {
    try place.tamper(sql)
    for error in refusals() { #expect(error?.finding == .containerDamaged) }
  }

  // MARK: Making one

  @Test func `a journal is not made where one was`() throws {
    try place.remove(.main)
    let error = #expect(throws: JournalError.self) { try place.open() }
    #expect(error?.code == .damaged && error?.finding == .tailLost)
    #expect(try place.bytes() == [])
  }

  @Test func `a journal is not made under a write-ahead log that is left`() throws {
    let other = try TemporaryJournal()
    try other.write([1, 2, 3], to: .log)
    let error = #expect(throws: JournalError.self) { try other.open() }
    #expect(error?.code == .damaged && error?.finding == .tailLost)
    #expect(try other.bytes(of: .log) == [1, 2, 3])
  }

  @Test func `what a crash left of a journal that was being made is no hindrance`() throws {
    let other = try TemporaryJournal()
    for suffix in ["-new", "-new-wal"] {
      try Data("half".utf8).write(to: URL(fileURLWithPath: other.path + suffix))
    }
    let journal = try other.open()
    #expect(try journal.append([.opening()]) == [.appended(at: Seq(1))])
    try journal.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: other.folder.path)
    #expect(
      Set(names).isSubset(of: [
        "test.tidemark", "test.tidemark-anchor", "test.tidemark-wal", "test.tidemark-shm",
      ])
    )
  }

  @Test func `a rollback log beside a journal is somebody else's, and is refused`() throws {
    // What SQLite would make of it: the first page as it says, and the file cut to one page.
    let log = place.path + "-journal"
    var header: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0, 0, 0]
    header += [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 16, 0]
    header += [UInt8](repeating: 0, count: 512 - header.count)
    let before = try files()
    for content in [header, [], Array("anything".utf8)] {
      try Data(content).write(to: URL(fileURLWithPath: log))
      let error = #expect(throws: JournalError.self) { try place.open() }
      #expect(error?.code == .damaged && error?.finding == .containerDamaged)
      #expect(try files() == before)
      #expect(FileManager.default.contents(atPath: log) == Data(content))
    }
    try FileManager.default.removeItem(atPath: log)
    #expect(try place.open().committed == Seq(6))
  }

  @Test func `a name that another file has is not taken from it`() throws {
    let other = place.folder.file("other")
    try Data("another".utf8).write(to: URL(fileURLWithPath: other))
    #expect(throws: JournalError.self) { try Files.move(place.path, toNew: other) }
    #expect(FileManager.default.contents(atPath: other) == Data("another".utf8))
    #expect(try place.open().committed == Seq(6))
  }

  // MARK: One writer

  @Test func `a second writer is busy at once, whatever name it uses`() throws {
    let journal = try place.open()
    let link = place.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)
    var chance = SeededGenerator(seed: 1)
    for path in [place.path, link] {
      let error = #expect(throws: JournalError.self) { try Journal(path, chance: &chance) }
      #expect(error?.code == .busy && error?.finding == .busy)
    }
    #expect(try JournalReader(link).last == Seq(6))
    try journal.close()
    try Journal(link, chance: &chance).close()
    #expect(!FileManager.default.fileExists(atPath: link + "-anchor"))
  }

  @Test func `a closed journal lets the next writer in and refuses to be appended to`() throws {
    let journal = try place.open()
    try journal.close()
    let next = try place.open()
    let error = #expect(throws: JournalError.self) { try journal.append([.begin(key: "late")]) }
    #expect(error?.code == .invalid)
    try journal.close()
    #expect(try next.append([.begin(key: "next")]) == [.appended(at: Seq(7))])
  }

  // MARK: The anchor

  @Test func `anchor and journal at one entry are equal`() throws {
    #expect(try place.open().anchorStanding == .equal)
  }

  @Test func `an anchor that is behind loses nothing`() throws {
    let anchor = try place.bytes(of: .anchor)
    let journal = try place.open()
    try journal.append([.begin(key: "later")])
    try journal.close()
    try place.write(anchor, to: .anchor)
    let again = try place.open()
    #expect(again.anchorStanding == .behind && !again.isReadOnly && again.committed == Seq(7))
    #expect(try place.read().anchor?.size == 7)
  }

  @Test func `a journal without its anchor gets another one`() throws {
    try place.remove(.anchor)
    let journal = try place.open()
    #expect(journal.anchorStanding == .missing && !journal.isReadOnly)
    #expect(try place.read().anchor?.size == 6)
  }

  @Test func `an anchor that is damaged in one slot is read from the other`() throws {
    let journal = try place.open()
    try journal.append([.begin(key: "later")])
    try journal.close()
    let newest = try #require(try place.read().anchor)
    for slot in 0..<2 {
      let other = try place.copy()
      try other.edit(.anchor) { $0[slot * 512 + 40] ^= 1 }
      let anchor = try #require(try other.read().anchor)
      #expect(anchor.size == (Int(newest.turn % 2) == slot ? 6 : 7))
      #expect(try other.open().isReadOnly == false)
    }
  }

  @Test func `an anchor is not read or written through a link`() throws {
    let target = place.folder.file("target")
    try FileManager.default.moveItem(atPath: place.path + "-anchor", toPath: target)
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "-anchor",
      withDestinationPath: target
    )
    let before = FileManager.default.contents(atPath: target)
    for error in refusals() { #expect(error?.finding == .otherAnchor) }
    #expect(FileManager.default.contents(atPath: target) == before)
  }

  @Test func `a folder in the place of the anchor is no anchor`() throws {
    try place.remove(.anchor)
    try FileManager.default.createDirectory(
      atPath: place.path + "-anchor",
      withIntermediateDirectories: false
    )
    for error in refusals() { #expect(error?.finding == .otherAnchor) }
  }

  @Test func `an anchor that is a pipe is refused, and nobody waits for it`() throws {
    try place.remove(.anchor)
    try #require(mkfifo(place.path + "-anchor", 0o600) == 0)
    for error in refusals() { #expect(error?.finding == .otherAnchor) }
  }

  @Test(arguments: [1 << 62, Int.max - 1, .max])
  func `an anchor has no number that SQLite does not store`(number: Int) throws {
    // The greatest that there is leaves room for one more.
    let isNumber = number < Int.max
    try place.anchor(size: number, root: [UInt8](repeating: 0, count: 32), turn: 1)
    #expect(try place.read().anchor?.size == (isNumber ? UInt64(number) : nil))
    let root = try #require(try head(try place.read(), through: 6)).bytes
    try place.anchor(size: 6, root: root, turn: number)
    #expect(try place.read().anchor?.turn == (isNumber ? UInt64(number) : nil))
    let journal = try place.open()
    #expect(try journal.append([.begin(key: "new")]) == [.appended(at: Seq(7))])
    try journal.close()
    #expect(try place.open().findings == [])
  }

  @Test func `an anchor ahead of its journal tells of a lost tail`() throws {
    try place.dropBlock(ofEntry: 5)
    try checkReadOnly(.tailLost, .ahead)
  }

  @Test func `the anchor of another journal is told`() throws {
    try place.anchor(
      journal: [UInt8](repeating: 9, count: 16),
      size: 6,
      root: try place.read().root()?.bytes ?? []
    )
    try checkReadOnly(.otherAnchor, .foreign)
  }

  @Test(arguments: [6, 4, 3])
  func `an anchor that names another root is told`(size: Int) throws {
    try place.anchor(size: size, root: [UInt8](repeating: 9, count: 32))
    try checkReadOnly(.rootDiffers, .diverged)
  }

  // MARK: Damage

  @Test(arguments: [1, 3, 5] as [UInt64])
  func `a damaged block that was acknowledged is kept, and nothing is appended`(seq: UInt64) throws
  {
    try place.flipBit(inEntry: seq)
    let standing = Anchor.Standing.ahead
    try checkReadOnly(.blockDamaged, standing)
    let reader = try place.read()
    var read: [UInt64] = []
    let findings = try reader.forEach { (entry) throws(JournalError) in
      read.append(entry.seq.value)
      return true
    } mapping: {
      $0
    }
    #expect(read == (1...6).filter { ($0 - 1) / 2 != (seq - 1) / 2 })
    #expect(findings.map(\.code) == [.blockDamaged])
  }

  @Test func `a gap is kept as it is`() throws {
    try place.dropBlock(ofEntry: 3)
    try checkReadOnly(.seqGap, .ahead)
  }

  @Test func `a block whose nodes are not its entries' is damage`() throws {
    let entries = try place.read().allEntries().map { Array($0.bytes) }
    try place.replaceEntries(
      with: entries,
      nodes: [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)]
    )
    try checkReadOnly(.rootDiffers, .ahead)
  }

  @Test func `a torn tail is set aside by the next writer`() throws {
    try place.acknowledge(through: 4)
    try place.flipBit(inEntry: 5)
    #expect(try place.read().setAside().isEmpty)
    let journal = try place.open()
    #expect(!journal.isReadOnly && journal.committed == Seq(4))
    #expect(journal.findings.map(\.code) == [.tornTail])
    let kept = try place.read().setAside()
    #expect(kept.count == 1 && kept.first?.block.first == Seq(5))
    #expect(kept.first?.reason == "torn-tail" && kept.first?.block.entryCount == 2)
    #expect(try journal.append([.begin("/2", key: "b2")]) == [.appended(at: Seq(5))])
    try journal.close()
    #expect(try place.read().allEntries().count == 5)
    #expect(try place.open().findings == [])
  }

  @Test func `all that a block says is set aside with it`() throws {
    let root = try place.read().root()
    try place.acknowledge(through: 4)
    try place.flipBit(inEntry: 5)
    try place.open().close()
    let columns =
      "first_seq, entry_count, codec, dictionary, raw_bytes, subtrees, checksum, frames"
    try place.tamper("INSERT INTO blocks(\(columns)) SELECT \(columns) FROM set_aside")
    try place.flipBit(inEntry: 5)
    #expect(try place.read().allEntries().count == 6)
    #expect(try place.read().root() == root)
  }

  @Test func `a torn tail is no part of what a reader sees`() throws {
    try place.acknowledge(through: 4)
    try place.flipBit(inEntry: 5)
    let reader = try place.read()
    #expect(reader.last == Seq(4) && reader.torn?.code == .tornTail)
    #expect(try reader.head()?.size == 4)
    #expect(try reader.anchorStanding() == .equal)
    #expect(try reader.findings().map(\.code) == [.tornTail])
    #expect(try reader.allEntries().map(\.seq.value) == [1, 2, 3, 4])
    #expect(try reader.entry(at: Seq(5)) == nil)
  }

  @Test func `without its anchor nobody knows whether a last block was acknowledged`() throws {
    try place.remove(.anchor)
    try place.flipBit(inEntry: 5)
    try checkUnknown(.missing)
  }

  @Test func `the anchor of another journal says nothing of a last block`() throws {
    try place.anchor(
      journal: [UInt8](repeating: 9, count: 16),
      size: 4,
      root: [UInt8](repeating: 9, count: 32)
    )
    try place.flipBit(inEntry: 5)
    try checkUnknown(.foreign, and: [.otherAnchor])
  }

  /// A last block that is damaged is kept, and counts for writers and readers.
  private func checkUnknown(_ standing: Anchor.Standing, and more: [FindingCode] = []) throws {
    let before = try files()
    let journal = try place.open()
    #expect(journal.isReadOnly && journal.anchorStanding == standing)
    #expect(journal.findings.map(\.code) == [.blockDamaged] + more)
    #expect(throws: JournalError.self) { try journal.append([.begin(key: "new")]) }
    try journal.close()
    #expect(try files()[.main] == before[.main])
    let reader = try place.read()
    #expect(reader.last == Seq(6) && reader.torn == nil)
    #expect(try reader.findings().map(\.code) == [.blockDamaged] + more)
    let doubt = "whether the last block was acknowledged"
    #expect(try reader.findings().first?.message.contains(doubt) == true)
  }

  @Test func `a block behind a gap is no torn tail`() throws {
    try place.acknowledge(through: 2)
    try place.tamper("UPDATE blocks SET first_seq = 9223372036854775807 WHERE first_seq = 5")
    let reader = try place.read()
    #expect(reader.torn == nil && reader.last == Seq(9_223_372_036_854_775_807))
    #expect(try reader.findings().map(\.code) == [.seqGap])
    try checkReadOnly(.seqGap, .behind)
  }

  @Test func `a torn block with a whole one behind it is damage`() throws {
    let root = try #require(try head(try place.read(), through: 2))
    try place.anchor(size: 2, root: root.bytes)
    try place.flipBit(inEntry: 3)
    try checkReadOnly(.blockDamaged, .behind)
  }

  /// The root over the first entries.
  private func head(_ reader: JournalReader, through size: Int) throws -> Digest? {
    var range = CompactRange()
    for entry in try reader.allEntries().prefix(size) { range.append(Tree.leaf(of: entry)) }
    return range.root
  }

  // MARK: Names

  @Test(arguments: ["nowhere", "link"])
  func `a link that leads nowhere is no journal, and nothing is made beside it`(
    target: String
  ) throws {
    let folder = try TemporaryFolder()
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    var chance = SeededGenerator(seed: 1)
    let errors = [
      #expect(throws: JournalError.self) { try Journal(link, create: true, chance: &chance) },
      #expect(throws: JournalError.self) { try JournalReader(link) },
      #expect(throws: JournalError.self) { try Journal.checkForWriting(link) },
    ]
    for error in errors { #expect(error?.code == .missing && error?.finding == .noSuchJournal) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["link"])
  }

  @Test func `a file with two names has no writer, under neither of them`() throws {
    let place = try TemporaryJournal()
    try place.open().close()
    let other = place.path + "-other"
    try FileManager.default.linkItem(atPath: place.path, toPath: other)
    for path in [place.path, other] {
      var chance = SystemRandomNumberGenerator()
      let error = #expect(throws: JournalError.self) { try Journal(path, chance: &chance) }
      #expect(error?.code == .busy)
      #expect(FileManager.default.fileExists(atPath: other + "-anchor") == false)
      #expect(error?.message.contains("2 names") == true)
      #expect(throws: JournalError.self) { try Journal.checkForWriting(path) }
    }
    try FileManager.default.removeItem(atPath: other)
    try place.open().close()
  }

  @Test func `the name under which a file was made is taken away, if a crash has left it`() throws {
    let place = try TemporaryJournal()
    try place.open().close()
    try FileManager.default.linkItem(atPath: place.path, toPath: place.path + "-new")
    try place.open().close()
    #expect(!FileManager.default.fileExists(atPath: place.path + "-new"))
    #expect(FileManager.default.fileExists(atPath: place.path))
  }

  @Test(arguments: [false, true])
  func `a writer whose anchor was taken away or replaced appends no more, and loses nothing`(
    isReplaced: Bool
  ) throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "a")])
    let anchor = try place.bytes(of: .anchor)
    try FileManager.default.removeItem(atPath: place.path + "-anchor")
    if isReplaced { try place.write(anchor, to: .anchor) }
    let error = #expect(throws: JournalError.self) { try journal.append([.begin(key: "b")]) }
    #expect(error?.code == .busy)
    #expect(journal.committed == Seq(2))
    try? journal.close()
    let again = try place.open()
    #expect(again.last == Seq(2))
    try again.append([.begin(key: "b")])
    try again.close()
  }
}
