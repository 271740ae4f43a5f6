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
      [try draft("a later store", store: .opened(Seq(3)))],
      [try draft("paths of the journal", store: .journal)],
      [try draft("no opening in the batch", store: .openedInBatch(1))],
      [try draft("b"), try draft("an opening that is none", store: .openedInBatch(1))],
      [try draft("a cause that is to come", cause: .entry(Seq(3)))],
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
      #expect(journal.last == Seq(2))
    }
    try journal.commit(.authored)
    try journal.close()
    #expect(try place.read().allEntries().map { "\($0.key)" } == ["open-1", "a"])
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
