import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// Batches, keys, guards and limits.
@Suite struct AppendTests {
  private let place: TemporaryJournal
  private let journal: Journal

  init() throws {
    place = try TemporaryJournal()
    journal = try place.open()
    try journal.append([.opening(), .begin("/notes", key: "b1")])
  }

  // MARK: Keys

  @Test func `a batch holds a key once`() throws {
    let error = #expect(throws: JournalError.self) {
      try journal.append([.begin(key: "x"), .begin("/other", key: "y"), .begin(key: "x")])
    }
    #expect(error?.code == .invalid)
    #expect(journal.last == Seq(2))
  }

  @Test func `of a batch that was appended in part before, the rest is appended`() throws {
    let outcomes = try journal.append([.begin("/notes", key: "b1"), .begin("/notes", key: "b2")])
    #expect(outcomes == [.alreadyAppended(at: Seq(2)), .appended(at: Seq(3))])
  }

  @Test func `time and cause are not compared, content is`() throws {
    let same = Draft(
      ReadBegan(generation: 0),
      key: try IdempotencyKey("b1"),
      store: .opened(Seq(1)),
      time: DeviceTime(milliseconds: -5),
      cause: .entry(Seq(1)),
      paths: [(try Path("/notes"), .begin)]
    )
    #expect(try journal.append([same]) == [.alreadyAppended(at: Seq(2))])
    var others: [(Draft, [String])] = []
    var draft = same
    draft.paths = [(try Path("/notes"), .mention)]
    others.append((draft, ["paths"]))
    draft = same
    draft.paths = []
    others.append((draft, ["paths"]))
    draft = same
    draft.store = .journal
    draft.paths = []
    others.append((draft, ["scope", "paths"]))
    others.append(
      (
        Draft(
          ReadBegan(generation: 0, label: "l"),
          key: same.key,
          store: same.store,
          time: same.time,
          paths: same.paths
        ), ["label"]
      )
    )
    others.append(
      (
        Draft(StoreRetired(reason: .closed), key: same.key, store: same.store, time: same.time),
        ["kind", "paths", "reason"]
      )
    )
    for (other, fields) in others {
      guard case .conflict(let conflict) = try journal.append([other])[0] else {
        Issue.record("\(fields): no conflict")
        continue
      }
      #expect(Set(conflict.fields).isSuperset(of: fields))
      #expect(conflict.prior == Seq(2) && conflict.key == same.key)
    }
    // One incident each, whatever is tried again.
    let count = journal.last
    for (other, _) in others { try journal.append([other]) }
    #expect(journal.last == count && count == Seq(2 + UInt64(others.count)))
  }

  @Test func `a retry after a restart is the same entry, in another scope it is not`() throws {
    try journal.append([.opening(key: "open-2")])
    #expect(
      try journal.append([.begin("/notes", key: "b1", store: 3)]) == [.alreadyAppended(at: Seq(2))]
    )
    try journal.append([.opening("https://b.example", key: "open-3")])
    let outcome = try journal.append([.begin("/notes", key: "b1", store: 4)])[0]
    guard case .conflict(let conflict) = outcome else {
      Issue.record("no conflict")
      return
    }
    #expect(conflict.fields == ["scope"])
  }

  @Test func `a key is bytes, of 1 to 256`() throws {
    let composed = try IdempotencyKey("caf\u{e9}")
    let decomposed = try IdempotencyKey("cafe\u{301}")
    #expect(composed != decomposed)
    var seqs: [Seq?] = []
    for key in [
      composed, decomposed, try IdempotencyKey([0]),
      try IdempotencyKey([UInt8](repeating: 255, count: 256)),
    ] {
      var draft = try Draft.begin(key: "x")
      draft.key = key
      seqs.append(try journal.append([draft])[0].seq)
      #expect(try journal.entry(for: key)?.seq == seqs.last ?? nil)
    }
    #expect(seqs.compactMap(\.self?.value) == [3, 4, 5, 6])
    #expect(throws: EntryError.self) { try IdempotencyKey([]) }
    #expect(throws: EntryError.self) { try IdempotencyKey([UInt8](repeating: 1, count: 257)) }
  }

  // MARK: Batches

  @Test func `a batch with a conflict appends nothing but the incident`() throws {
    let outcomes = try journal.append([
      .begin("/a", key: "a"), .begin("/other", key: "b1"), .begin("/c", key: "c"),
    ])
    #expect(outcomes.map(\.seq) == [nil, nil, nil])
    #expect(outcomes[0] == .withheld && outcomes[2] == .withheld)
    #expect(journal.last == Seq(3))
    #expect(try journal.entry(for: IdempotencyKey("a")) == nil)
  }

  @Test func `a large batch is one commit over several blocks`() throws {
    let label = String(repeating: "x", count: 1000)
    let drafts = try (0..<300).map { number in
      Draft(
        ReadBegan(generation: 0, label: label + "\(number)"),
        key: try IdempotencyKey("big-\(number)"),
        store: .opened(Seq(1)),
        time: DeviceTime(milliseconds: 1),
        paths: [(try Path("/\(number)"), .begin)]
      )
    }
    try journal.append(drafts)
    let left = try place.copy().open()
    #expect(left.committed == Seq(302) && left.root == journal.root)
    #expect(try place.blockCount() > 4)
  }

  // MARK: Guards

  @Test func `an append rests on its guards, in the transaction`() throws {
    let path = try Path("/notes")
    let holding: [AppendGuard] = [
      .head(Seq(2)), .fence(store: Seq(1), last: Seq(1)),
      .path(store: Seq(1), path: path, last: Seq(2)),
      .path(store: Seq(1), path: try Path("/never"), last: nil),
    ]
    try journal.stage([.begin("/notes", key: "s")], resting: holding)
    // What is staged counts: head and path have moved on, the fence has not.
    var holds: [Bool] = []
    for (number, condition) in holding.enumerated() {
      let draft = try Draft.begin("/x", key: "x\(number)")
      do throws(JournalError) {
        try journal.stage([draft], resting: [condition])
        holds.append(true)
      } catch {
        #expect(error.code == .stale)
        holds.append(false)
      }
    }
    #expect(holds == [false, true, false, true])
  }

  @Test func `a guard that does not hold appends nothing`() throws {
    let wrong: [AppendGuard] = [
      .head(Seq(1)), .fence(store: Seq(1), last: Seq(2)), .fence(store: Seq(9), last: Seq(1)),
      .path(store: Seq(1), path: try Path("/notes"), last: nil),
      .path(store: Seq(1), path: try Path("/notes"), last: Seq(1)),
    ]
    for condition in wrong {
      let error = #expect(throws: JournalError.self) {
        try journal.append([.begin(key: "k")], resting: [condition])
      }
      #expect(error?.code == .stale)
    }
    #expect(journal.last == Seq(2))
  }

  @Test func `a retry is answered before any guard is looked at`() throws {
    let outcome = try journal.append([.begin("/notes", key: "b1")], resting: [.head(Seq(77))])
    #expect(outcome == [.alreadyAppended(at: Seq(2))])
  }

  @Test func `a call whose guard fails takes nothing of other calls with it`() throws {
    try journal.stage([.begin(key: "good")])
    #expect(throws: JournalError.self) {
      try journal.stage([.begin(key: "bad")], resting: [.head(Seq(1))])
    }
    try journal.commit(.authored)
    #expect(try place.read().allEntries().map { "\($0.key)" } == ["open-1", "b1", "good"])
  }

  // MARK: Limits

  @Test func `an entry of nearly 65,535 bytes is appended, and one beyond is refused`() throws {
    func draft(_ count: Int, _ key: String) throws -> Draft {
      Draft(
        ReadBegan(generation: 0, label: String(repeating: "x", count: count)),
        key: try IdempotencyKey(key),
        store: .opened(Seq(1)),
        time: DeviceTime(milliseconds: 1)
      )
    }
    var least = 65_000
    var most = 66_000
    while most - least > 1 {
      let middle = (least + most) / 2
      let long = try draft(middle, "k\(middle)")
      do throws(JournalError) {
        try journal.stage([long])
        least = middle
      } catch {
        #expect(error.code == .invalid)
        most = middle
      }
    }
    try journal.commit(.authored)
    // The bound that is compared leaves less than a hundred bytes unused.
    #expect(least > Entry.bytesMax - 150)
    try journal.close()
    let longest = try place.read().allEntries().map(\.bytes.count).max() ?? 0
    #expect(longest <= Entry.bytesMax && longest > Entry.bytesMax - 150)
    #expect(try place.open().isReadOnly == false)
  }

  @Test func `times before 1970 and beyond every calendar are kept`() throws {
    for (number, time) in [Int64.min, -1, 0, .max].enumerated() {
      try journal.append([.begin(key: "t\(number)", time: time)])
    }
    try journal.close()
    #expect(
      try place.read().allEntries().dropFirst(2).map(\.time.milliseconds) == [.min, -1, 0, .max]
    )
  }

  @Test func `content of no bytes is a content`() throws {
    var chance = SeededGenerator(seed: 1)
    let body = try journal.body([], chance: &chance)
    try journal.append([.landing("/notes", key: "l", begin: 2, body: body)])
    guard case .kept(let content) = try place.read().body(body, of: Seq(3)) else {
      Issue.record("not kept")
      return
    }
    #expect(content == [])
  }
}
