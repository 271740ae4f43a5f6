import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// What is staged is there for whoever comes next, and a call that is refused takes nothing with
/// it.
@Suite struct StagingTests {
  private let place: TemporaryJournal
  private let journal: Journal

  init() throws {
    place = try TemporaryJournal()
    journal = try place.open()
    try journal.append([.opening()])
  }

  private func draft(
    _ key: String,
    store: Draft.Store = .opened(Seq(1)),
    cause: Draft.Cause? = nil,
    paths: [String] = ["/notes"]
  ) throws -> Draft {
    Draft(
      ReadBegan(generation: 0),
      key: try IdempotencyKey(key),
      store: store,
      time: DeviceTime(milliseconds: 1),
      cause: cause,
      paths: try paths.map { (try Path($0), .begin) }
    )
  }

  /// Drafts that cannot be placed, each for another reason.
  private func misfits() throws -> [[Draft]] {
    [
      [try draft("no store", store: .opened(Seq(77)))],
      [try draft("store zero", store: .opened(Seq(0)))],
      [try draft("a store that is none", store: .opened(Seq(2)))],
      [try draft("a later store", store: .opened(Seq(1000)))],
      [try draft("paths of the journal", store: .journal)],
      [try draft("an opening of another kind", store: .opening)],
      [
        Draft(
          StoreOpened(scope: try Scope("https://a.example")),
          key: try IdempotencyKey("an opening in a store"),
          store: .opened(Seq(1)),
          time: DeviceTime(milliseconds: 1)
        )
      ],
      [try draft("no opening in the batch", store: .openedInBatch(1))],
      [try draft("b"), try draft("an opening that is none", store: .openedInBatch(1))],
      [try draft("a cause that is to come", cause: .entry(Seq(1000)))],
      [try draft("cause zero", cause: .entry(Seq(0)))],
      [try draft("no cause in the batch", cause: .earlierInBatch(1))],
      [try draft("b"), try draft("a cause before the batch", cause: .earlierInBatch(2))],
      [try draft("too many paths", paths: (0...Entry.pathsMax).map { "/\($0)" })],
    ]
  }

  @Test func `a call that is refused takes nothing of other calls with it`() throws {
    #expect(try journal.stage([try draft("a")]) == [.appended(at: Seq(2))])
    for drafts in try misfits() {
      let error = #expect(throws: JournalError.self) { try journal.stage(drafts) }
      #expect(error?.code == .invalid)
      #expect(journal.last == Seq(2) && journal.reopenings == 0)
    }
    try journal.commit(.authored)
    try journal.close()
    #expect(try place.read().allEntries().map { "\($0.key)" } == ["open-1", "a"])
  }

  @Test func `whatever calls are refused, what others have staged stays`() throws {
    var chance = SeededGenerator(seed: testSeed())
    let misfits = try misfits()
    var staged = ["open-1"]
    for number in 0..<300 {
      let good = try draft("good-\(number)", paths: ["/\(number % 7)"])
      switch Int.random(in: 0..<5, using: &chance) {
      case 0:
        let misfit = try #require(misfits.randomElement(using: &chance))
        let error = #expect(throws: JournalError.self) { try journal.stage(misfit + [good]) }
        #expect(error?.code == .invalid)
      case 1:
        let guards = [AppendGuard.head(Seq(1)), .fence(store: Seq(1), last: Seq(9))]
        let error = #expect(throws: JournalError.self) {
          try journal.stage([good], resting: guards)
        }
        #expect(error?.code == .stale)
      case 2: try journal.commit(Bool.random(using: &chance) ? .lazy : .authored)
      default:
        let seq = Seq(UInt64(staged.count) + 1)
        #expect(try journal.stage([good]) == [.appended(at: seq)])
        staged.append("good-\(number)")
      }
      #expect(journal.last == Seq(UInt64(staged.count)) && journal.reopenings == 0)
    }
    try journal.close()
    #expect(try place.read().allEntries().map { "\($0.key)" } == staged)
  }

  @Test func `a store that opens in its batch is compared by its scope`() throws {
    func batch(_ address: String) throws -> [Draft] {
      [
        try .opening(address, key: "open \(address)"),
        try draft("first", store: .openedInBatch(1)),
        try draft("second", store: .openedInBatch(2)),
      ]
    }
    let first = try journal.append(try batch("https://b.example"))
    #expect(first == [2, 3, 4].map { .appended(at: Seq($0)) })
    let again = try journal.append(try batch("https://b.example"))
    #expect(again == [2, 3, 4].map { .alreadyAppended(at: Seq($0)) })
    // The same words about another server are something else.
    let other = try journal.append(try batch("https://c.example"))
    let conflicts = try ["first", "second"].enumerated().map { index, key in
      let prior = Seq(UInt64(index) + 3)
      return AppendOutcome.conflict(
        .init(key: try IdempotencyKey(key), prior: prior, fields: ["scope"])
      )
    }
    #expect(other == [.withheld] + conflicts)
  }

  @Test func `the keys of a batch that was refused are free`() throws {
    for drafts in try misfits() { _ = try? journal.append(drafts) }
    #expect(try journal.append([try draft("b")]) == [.appended(at: Seq(2))])
  }

  @Test func `as many paths as an entry may name are read again`() throws {
    try journal.append([try draft("a", paths: (0..<Entry.pathsMax).map { "/\($0)" })])
    try journal.close()
    #expect(try place.read().allEntries()[1].paths.count == Entry.pathsMax)
    #expect(try place.open().isReadOnly == false)
  }

  @Test func `a path that is named twice in one entry was written by it`() throws {
    try journal.append([
      Draft(
        MutationSent(method: "PUT"),
        key: IdempotencyKey("m"),
        store: .opened(Seq(1)),
        time: DeviceTime(milliseconds: 1),
        paths: [(Path("/notes"), .write), (Path("/notes"), .mention)]
      )
    ])
    for (number, isReopened) in [false, true].enumerated() {
      var reopened: Journal?
      if isReopened {
        try journal.close()
        reopened = try place.open()
      }
      let key = "b\(number)"
      let seq = try #require(try (reopened ?? journal).append([try draft(key)])[0].seq)
      let link = try #require(try (reopened ?? journal).entry(at: seq)?.paths.first)
      #expect(link.previous == Seq(seq.value - 1))
    }
  }
}
