import TestSupport
import Testing
import TidemarkEntries
import TidemarkSQLite

@testable import TidemarkJournalStore

/// An index that was lost is written while it is made: memory holds no more of it than a tail.
@Suite struct IndexRebuildTests {
  private let place: TemporaryJournal
  private static let count = 20_000

  /// What one commit appends.
  private static let batch = 1000

  init() throws {
    place = try TemporaryJournal()
    for (part, bytes) in try IndexRebuildTests.original.get().files where !bytes.isEmpty {
      try place.write(bytes, to: part)
    }
  }

  private static let original = Result {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    let heads = (first: journal.opened.heads, seed: journal.identity.seed)
    for start in stride(from: 0, to: count, by: batch) {
      let drafts = try (start..<start + batch).map {
        try Draft.begin("/items/\($0 % 100)", key: "key-\($0)")
      }
      try journal.append(drafts, durability: .lazy)
    }
    try journal.close()
    let files = try TemporaryJournal.Part.allCases.map { ($0, try place.bytes(of: $0)) }
    return (files: files, heads: heads)
  }

  private func loseIndex() throws {
    try place.tamper("DELETE FROM heads; DELETE FROM runs; DELETE FROM run_buckets")
  }

  private func checkIsWritten(_ journal: Journal) throws {
    let most = Limits.indexTailEntriesMax + Limits.blockEntriesMax
    #expect(journal.committed.value - journal.opened.index.through.value <= UInt64(most))
    let database = try Database(path: place.path, access: .read)
    let through = try database.integer("SELECT through FROM heads")
    #expect(through == Int64(journal.opened.index.through.value))
    for number in stride(from: 0, to: IndexRebuildTests.count, by: 777) {
      let known = try journal.entry(for: IdempotencyKey("key-\(number)"))?.seq
      #expect(known == Seq(UInt64(number) + 2))
    }
  }

  @Test func `opening writes what it makes of a long journal`() throws {
    try loseIndex()
    try checkIsWritten(try place.open())
  }

  @Test func `so does an append that finds the index damaged`() throws {
    let journal = try place.open()
    try place.tamper("UPDATE run_buckets SET items = zeroblob(length(items))")
    let again = try journal.append([.begin("/items/4", key: "key-4")])
    #expect(again == [.alreadyAppended(at: Seq(6))])
    try checkIsWritten(journal)
  }

  @Test func `runs that are damaged when they are merged are made anew with the rest`() throws {
    try loseIndex()
    let database = try Database(path: place.path, access: .write(creating: false))
    let original = try IndexRebuildTests.original.get()
    let index = try JournalIndex(database, seed: original.heads.seed)
    // Seven runs that end with the first block: an eighth is merged with them.
    for _ in 1..<RunIndex.runsPerMerge {
      index.noteKey(1, at: Seq(1))
      try index.writeTail(original.heads.first)
      index.forgetTail(through: Seq(1))
    }
    try place.tamper("UPDATE run_buckets SET items = zeroblob(length(items))")
    #expect(try index.load()?.range.end == 1)
    try checkIsWritten(try place.open())
  }

  @Test func `contents are taken in part by part as well`() throws {
    let journal = try place.open()
    var chance = SeededGenerator(seed: 3)
    var bodies: [BodyReference] = []
    for number in 0..<(2 * Limits.indexTailEntriesMax + 1) {
      bodies.append(try journal.body(Array("content \(number)".utf8), chance: &chance))
      if number % 4096 == 0 {
        try journal.append([.opening("https://\(number)", key: "\(number)")])
      }
    }
    try journal.append([.opening("https://end", key: "end")])
    try journal.close()
    try loseIndex()
    let again = try place.open()
    #expect(again.opened.heads.bodiesThrough == UInt64(2 * Limits.indexTailEntriesMax))
    for number in stride(from: 0, to: bodies.count, by: 555) {
      #expect(try again.body(Array("content \(number)".utf8), chance: &chance) == bodies[number])
    }
    try checkIsWritten(again)
  }

  @Test func `of a journal that turns out to be damaged nothing is written`() throws {
    try loseIndex()
    try place.flipBit(inEntry: UInt64(IndexRebuildTests.count))
    let before = try place.bytes()
    let journal = try place.open()
    #expect(journal.isReadOnly)
    #expect(journal.findings.map(\.code) == [.blockDamaged])
    let database = try Database(path: place.path, access: .read)
    #expect(try database.integer("SELECT count(*) FROM runs") == 0)
    let error = #expect(throws: JournalError.self) {
      try journal.entry(for: IdempotencyKey("key-1"))
    }
    #expect(error?.finding == .blockDamaged)
    try journal.close()
    #expect(try place.bytes() == before)
  }
}
