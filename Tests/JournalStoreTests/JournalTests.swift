import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@Suite struct JournalTests {
  @Test func `what was appended is there after opening again`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    let outcomes = try journal.append([
      .opening(), .begin("/notes", key: "r1"), .begin("/notes/41", key: "r2"),
    ])
    #expect(outcomes == [.appended(at: Seq(1)), .appended(at: Seq(2)), .appended(at: Seq(3))])
    let root = journal.root
    try journal.close()

    let reader = try place.read()
    let entries = try reader.allEntries()
    #expect(entries.map(\.seq.value) == [1, 2, 3])
    #expect(entries.map(\.kindName) == ["store-opened", "read-began", "read-began"])
    #expect(entries[1].store == Seq(1))
    #expect(entries[1].previousFence == Seq(1))
    #expect(try place.open().root == root)
  }

  @Test func `the same key with the same content appends nothing`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "r1")])
    #expect(try journal.append([.begin(key: "r1", time: 9999)]) == [.alreadyAppended(at: Seq(2))])
    #expect(journal.last == Seq(2))
  }

  @Test func `the same key with other content is an incident and nothing else`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "r1")])
    for _ in 0..<2 {
      let outcomes = try journal.append([
        .begin("/other", key: "r1", generation: 3), .begin(key: "r9"),
      ])
      let key = try IdempotencyKey("r1")
      #expect(
        outcomes == [
          .conflict(.init(key: key, prior: Seq(2), fields: ["paths", "generation"])), .withheld,
        ]
      )
    }
    #expect(journal.last == Seq(3))
    let incident = try #require(try journal.entry(at: Seq(3)))
    #expect(try incident.decode(KeyConflicted.self)?.fields == ["paths", "generation"])
  }

  @Test func `a second writer is refused at once`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    #expect(throws: JournalError.self) { try place.open() }
    withExtendedLifetime(journal) {}
  }

  @Test func `pointers name the last fence, the last write and the last naming`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: 1)
    let body = try journal.body(Array("hello".utf8), chance: &chance)
    try journal.append([.opening(), .begin(key: "b1"), .begin(key: "b2")])
    try journal.append([
      Draft(
        ReadRefused(begin: Seq(2), reason: .superseded, witness: Seq(3)),
        key: IdempotencyKey("e1"),
        store: .opened(Seq(1)),
        time: DeviceTime(milliseconds: 5),
        paths: [(Path("/notes"), .mention)]
      ), .landing(key: "e2", begin: 3, body: body),
    ])
    let landing = try #require(try journal.entry(at: Seq(5)))
    let link = try #require(try landing.paths.first)
    #expect(link.previous == Seq(3))
    #expect(link.previousMention == Seq(4))
    #expect(landing.previousFence == Seq(1))
    #expect(try place.read().allEntries().count == 5)
  }

  @Test(arguments: [1, 7, 100, 5000])
  func `a long journal finds every key, path and body again`(batch: Int) throws {
    let place = try TemporaryJournal()
    var journal = try place.open()
    let total = 30_000
    try journal.append([.opening()])
    var made = 0
    while made < total {
      let drafts = try (made..<min(made + batch, total)).map { number in
        try Draft.begin("/items/\(number % 5000)", key: "key-\(number)")
      }
      try journal.append(drafts, durability: .lazy)
      made += drafts.count
      if batch > 1, made == total / 2 { try journal.close(); journal = try reopen(&journal, place) }
    }
    let root = journal.root
    journal = try reopen(&journal, place)
    #expect(journal.root == root)
    for number in stride(from: 0, to: total, by: 97) {
      let outcome = try journal.append([.begin("/items/\(number % 5000)", key: "key-\(number)")])
      #expect(outcome == [.alreadyAppended(at: Seq(UInt64(number) + 2))])
    }
    let next = try journal.append([.begin("/items/17", key: "new")])
    let seq = try #require(next[0].seq)
    let entry = try #require(try journal.entry(at: seq))
    let last = (0..<total).last { $0 % 5000 == 17 }
    #expect(try entry.paths[0].previous == Seq(UInt64(try #require(last)) + 2))
  }

  private func reopen(_ journal: inout Journal, _ place: TemporaryJournal) throws -> Journal {
    try journal.close()
    let other = try TemporaryJournal()
    journal = try other.open()
    return try place.open()
  }

  @Test func `a body is kept once and comes back whole`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: 1)
    let content = Array(String(repeating: "tide ", count: 500).utf8)
    let first = try journal.body(content, chance: &chance)
    let second = try journal.body(content, chance: &chance)
    #expect(first == second)
    try journal.append([.opening(), .begin(key: "b"), .landing(key: "e", begin: 2, body: first)])
    #expect(try journal.body(content, chance: &chance) == first)
    guard case .kept(let read) = try place.read().body(first, of: nil) else {
      Issue.record("the body is not there")
      return
    }
    #expect(read == content)
  }
}
