import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// A reader writes nothing, whoever else has the journal open.
@Suite struct ReadingTests {
  private let place: TemporaryJournal

  init() throws {
    place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "b")])
    try journal.close()
  }

  /// Reads all that a reader can.
  private func readAll(_ place: TemporaryJournal) throws {
    let reader = try place.read()
    _ = try reader.allEntries()
    _ = try reader.entry(for: IdempotencyKey("b"))
    _ = try reader.root()
    _ = try reader.inventory()
    _ = try reader.containerFindings(atMost: 10)
    _ = try reader.refresh()
  }

  private func names(_ place: TemporaryJournal) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: place.folder.path))
  }

  @Test func `a closed journal is two files, and reading leaves them as they are`() throws {
    #expect(try names(place) == ["test.tidemark", "test.tidemark-anchor"])
    let before = (try place.bytes(), try place.bytes(of: .anchor))
    for _ in 0..<3 { try readAll(place) }
    #expect(try place.bytes() == before.0)
    #expect(try place.bytes(of: .anchor) == before.1)
    // SQLite needs a log and its index to read beside a writer; both are empty of entries.
    #expect(try place.bytes(of: .log) == [])
    let journal = try place.open()
    try journal.close()
  }

  @Test func `reading beside a writer leaves log and file as they are`() throws {
    let journal = try place.open()
    try journal.append([.begin(key: "c")])
    let before = try TemporaryJournal.Part.allCases.map { try place.bytes(of: $0) }
    #expect(!before[1].isEmpty)
    for _ in 0..<3 { try readAll(place) }
    #expect(try TemporaryJournal.Part.allCases.map { try place.bytes(of: $0) } == before)
    #expect(try place.read().last == Seq(3))
    try journal.close()
  }

  @Test func `reading what a crash left does not bring the log into the file`() throws {
    let journal = try place.open()
    try journal.append([.begin(key: "c")])
    let left = try place.copy()
    let before = try TemporaryJournal.Part.allCases.map { try left.bytes(of: $0) }
    for _ in 0..<3 { try readAll(left) }
    #expect(try TemporaryJournal.Part.allCases.map { try left.bytes(of: $0) } == before)
    #expect(try left.read().last == Seq(3))
  }

  @Test func `a reader sees its snapshot until it turns to what is new`() throws {
    let journal = try place.open()
    let reader = try place.read()
    try journal.append([.begin(key: "c")])
    #expect(try reader.allEntries().count == 2)
    #expect(try reader.refresh())
    #expect(try reader.allEntries().count == 3)
    #expect(try !reader.refresh())
    try journal.close()
  }

  @Test func `a writer goes on and closes while a reader holds a snapshot`() throws {
    let journal = try place.open()
    let reader = try place.read()
    for number in 0..<50 { try journal.append([.begin(key: "k\(number)")]) }
    try journal.close()
    #expect(try reader.allEntries().count == 2)
    #expect(try place.read().allEntries().count == 52)
    #expect(try place.open().committed == Seq(52))
  }

  @Test func `a cursor finds its place again, and no other journal's`() throws {
    let reader = try place.read()
    let cursor = try reader.cursor(at: Seq(2))
    #expect(try reader.seq(of: cursor) == Seq(2))
    #expect(Cursor("\(cursor)") == cursor)
    #expect(try reader.seq(of: try reader.cursor(at: Seq(0))) == Seq(0))
    let other = try TemporaryJournal()
    var chance = SeededGenerator(seed: 8)
    let journal = try Journal(other.path, create: true, chance: &chance)
    try journal.append([.opening(), .begin(key: "b")])
    try journal.close()
    var changed = cursor
    changed.leaf = "00000000"
    var beyond = cursor
    beyond.seq = 3
    for wrong in [try other.read().cursor(at: Seq(2)), changed, beyond] {
      let error = #expect(throws: JournalError.self) { try reader.seq(of: wrong) }
      #expect(error?.code == .invalid)
    }
  }
}
