import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// Losing the index, or a part of it, changes how long an answer takes and never the answer.
@Suite struct IndexDamageTests {
  private let place: TemporaryJournal
  private let body: BodyReference
  private static let content = Array("a content that is known".utf8)
  private static let count = 17_000

  init() throws {
    // Made once: it is large, so that there is an index with several runs.
    let original = try IndexDamageTests.original.get()
    body = original.body
    place = try TemporaryJournal()
    for (part, bytes) in original.files where !bytes.isEmpty { try place.write(bytes, to: part) }
  }

  /// The files of the journal that each test damages, and the body that one of its entries names.
  private static let original = Result {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: 2)
    let body = try journal.body(IndexDamageTests.content, chance: &chance)
    try journal.append([.opening()])
    for start in stride(from: 0, to: IndexDamageTests.count, by: 1000) {
      let drafts = try (start..<(start + 1000)).map { try IndexDamageTests.draft($0) }
      try journal.append(drafts, durability: .lazy)
    }
    try journal.close()
    return (
      files: try TemporaryJournal.Part.allCases.map { ($0, try place.bytes(of: $0)) }, body: body
    )
  }

  private static func draft(_ number: Int) throws -> Draft {
    try .begin("/items/\(number % 3000)", key: "key-\(number)")
  }

  /// Asks a writer for what the index knows.
  private func checkAnswers(of journal: Journal, knowsContents: Bool = true) throws {
    #expect(!journal.isReadOnly)
    for number in stride(from: 0, to: IndexDamageTests.count, by: 1111) {
      let outcome = try journal.append([try IndexDamageTests.draft(number)])
      #expect(outcome == [.alreadyAppended(at: Seq(UInt64(number) + 2))])
    }
    let path = "/items/17"
    let before = try #require((0..<IndexDamageTests.count).last { $0 % 3000 == 17 })
    let next = try #require(try journal.append([.begin(path, key: "next")])[0].seq)
    #expect(next == Seq(UInt64(IndexDamageTests.count) + 2))
    #expect(try journal.entry(at: next)?.paths[0].previous == Seq(UInt64(before) + 2))
    #expect(try journal.entry(at: next)?.previousFence == Seq(1))
    var chance = SeededGenerator(seed: 9)
    let again = try journal.body(IndexDamageTests.content, chance: &chance)
    #expect((again == body) == knowsContents)
  }

  private static let damages = [
    "",
    "DELETE FROM heads", "DELETE FROM runs", "DELETE FROM run_buckets",
    "DELETE FROM heads; DELETE FROM runs; DELETE FROM run_buckets",
    "DELETE FROM runs WHERE id = 1", "DELETE FROM runs WHERE family = 2",
    "DELETE FROM run_buckets WHERE place = (SELECT min(place) FROM run_buckets)",
    "UPDATE heads SET content = zeroblob(length(content))", "UPDATE heads SET content = x''",
    "UPDATE heads SET through = through + 1", "UPDATE heads SET through = through - 1",
    "UPDATE heads SET through = 1 << 40", "UPDATE heads SET through = -1",
    "UPDATE runs SET filter = zeroblob(length(filter))", "UPDATE runs SET filter = x'00'",
    "UPDATE runs SET bucket_bits = 1", "UPDATE runs SET bucket_bits = 60",
    "UPDATE runs SET item_count = -1", "UPDATE runs SET family = 3 WHERE id = 1",
    "UPDATE runs SET level = 3 WHERE id = 1",
    "UPDATE run_buckets SET items = zeroblob(length(items))",
    "UPDATE run_buckets SET items = x'0000'",
    "UPDATE identity SET value = zeroblob(8) WHERE name = 'seed'",
  ]

  @Test(arguments: damages)
  func `a writer answers as before, whatever became of the index`(sql: String) throws {
    if !sql.isEmpty { try place.tamper(sql) }
    // Contents are found by what the seed made of them, and stored again under another one.
    try checkAnswers(of: try place.open(), knowsContents: !sql.contains("'seed'"))
  }

  @Test(arguments: damages)
  func `a reader answers as before, whatever became of the index`(sql: String) throws {
    if !sql.isEmpty { try place.tamper(sql) }
    let reader = try place.read()
    for number in stride(from: 0, to: IndexDamageTests.count, by: 3333) {
      let key = try IdempotencyKey("key-\(number)")
      #expect(try reader.entry(for: key)?.seq == Seq(UInt64(number) + 2))
    }
    #expect(try reader.entry(for: IdempotencyKey("never")) == nil)
    let before = try #require((0..<IndexDamageTests.count).last { $0 % 3000 == 17 })
    #expect(
      try reader.lastNaming(of: Path("/items/17"), in: Seq(1))?.seq == Seq(UInt64(before) + 2)
    )
  }

  @Test func `an index that is damaged under a writer's hands is made anew`() throws {
    let journal = try place.open()
    try place.tamper("UPDATE run_buckets SET items = zeroblob(length(items))")
    try checkAnswers(of: journal)
  }

  @Test func `an index that is damaged when it is merged costs no append`() throws {
    let journal = try place.open()
    try place.tamper("UPDATE run_buckets SET items = zeroblob(length(items))")
    var number = IndexDamageTests.count
    // Eight runs of one size are merged into one.
    while number < 70_000 {
      let drafts = try (number..<(number + 4096)).map {
        try Draft.begin("/items/\($0 % 3000)", key: "more-\($0)")
      }
      #expect(try journal.append(drafts, durability: .lazy).allSatisfy { $0.seq != nil })
      number += drafts.count
    }
    let again = try journal.append([try IndexDamageTests.draft(4)])
    #expect(again == [.alreadyAppended(at: Seq(6))])
    try journal.close()
    let root = journal.root
    #expect(try place.open().root == root)
  }
}
