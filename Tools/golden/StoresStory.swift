import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections

/// An hour of an app with all its stores, as a journal: each kind that came with them.
struct StoresStory {
  let journal: Journal
  private var states = States()
  private var chance: Chance
  private var now: Int64 = 1_778_598_000_000
  private var count = 0

  init(_ path: String, seed: UInt64) throws {
    chance = Chance(state: seed)
    journal = try Journal(path, create: true, chance: &chance)
  }

  mutating func tell() throws {
    let scope = try Scope("https://api.example.org", account: "ada")
    let store = try shelf(.open(scope, software: "golden 1"))
    let pass = try say(SyncBegan(reason: .foreground), in: store)
    try tellList(in: store, because: pass)
    try say(
      SyncEnded(began: pass, outcome: .whole, landed: 1, failed: 0),
      in: store,
      cause: .entry(pass)
    )
    try tellDelivery(in: store)
    try tellTrouble(in: store)
    try tellPins(in: store)
    try tellShares(in: store)
    try tellCheckpoint()
    try tellRenewal()
  }

  // MARK: Appending

  @discardableResult
  private mutating func append(_ drafts: [Draft]) throws -> Seq {
    var first: Seq?
    for outcome in try journal.append(drafts) {
      guard let seq = outcome.seq, let entry = try journal.entry(at: seq) else { continue }
      for (_, error) in states.evolve(by: entry) { throw error }
      first = first ?? seq
    }
    guard let first else { throw Untold() }
    return first
  }

  private struct Untold: Error {}

  private mutating func nextKey() throws -> IdempotencyKey {
    now += 250
    count += 1
    return try IdempotencyKey("stores-\(count)")
  }

  private var time: DeviceTime { DeviceTime(milliseconds: now) }

  private mutating func body(_ text: String) throws -> BodyReference {
    try journal.body(Array(text.utf8), chance: &chance)
  }

  @discardableResult
  private mutating func shelf(_ submission: Shelf.Submission) throws -> Seq {
    let key = try nextKey()
    return try append(Shelf.decide(submission, on: states.shelf, key: key, at: time))
  }

  @discardableResult
  private mutating func outbox(_ submission: Outbox.Submission) throws -> Seq {
    let key = try nextKey()
    return try append(Outbox.decide(submission, on: states.outbox, key: key, at: time))
  }

  @discardableResult
  private mutating func pins(_ submission: Pins.Submission, in store: Seq) throws -> Seq {
    let key = try nextKey()
    return try append(Pins.decide(submission, in: store, on: states.pins, key: key, at: time))
  }

  @discardableResult
  private mutating func say(
    _ kind: some EntryKind,
    in store: Seq? = nil,
    cause: Draft.Cause? = nil,
    paths: [(path: Path, role: PathLink.Role)] = []
  ) throws -> Seq {
    let place = store.map { Draft.Store.opened($0) } ?? .journal
    let key = try nextKey()
    return try append([
      Draft(kind, key: key, store: place, time: time, cause: cause, paths: paths)
    ])
  }

  // MARK: The stories

  /// Two pages become a list, in a pass.
  private mutating func tellList(in store: Seq, because pass: Seq) throws {
    let list = try say(
      ReadBegan(generation: 0, label: "the list"),
      in: store,
      cause: .entry(pass),
      paths: [(Path("/notes"), .begin)]
    )
    let pages: [(String, [UInt64])] = [
      (#"[{"id":1},{"id":2}]"#, [1, 2]), (#"[{"id":3}]"#, [3]),
    ]
    for (content, rows) in pages {
      let names = rows.map { RowName(Digest(words: ($0, $0, $0, $0))) }
      try shelf(.page(of: list, Shelf.Page(body: body(content), rowKeys: names)))
    }
    let whole = Shelf.Reply(body: try body(#"[{"id":1},{"id":2},{"id":3}]"#))
    try shelf(.assemble(of: list, whole, pageSize: 2))
  }

  private mutating func enqueue(
    _ path: String,
    lane: String,
    files: Int = 0,
    link: String? = nil,
    in store: Seq
  ) throws -> Seq {
    let attached = try (0..<files).map { index in
      AttachedFile(
        name: "tide-\(index).png",
        mediaType: "image/png",
        body: try body("not really a picture \(index)")
      )
    }
    let enqueued = OutboxEnqueued(
      method: "POST",
      lane: lane,
      body: try body(#"{"title":"Spring tide"}"#),
      files: attached.isEmpty ? nil : attached,
      touches: [Touch(.exact, try Path("/notes"))],
      label: "CreateNote",
      link: link,
      ttl: link == nil ? nil : 86_400_000
    )
    return try outbox(.enqueue(enqueued, at: Path(path), in: store))
  }

  /// A note with a picture: lost once, answered then; one of its copies has something newer.
  private mutating func tellDelivery(in store: Seq) throws {
    let item = try enqueue("/new/1", lane: "note 1", files: 1, in: store)
    let first = try outbox(.send(item, in: store))
    try outbox(.doubt(item, .timeout, retryAt: DeviceTime(milliseconds: now + 1000)))
    let read = try shelf(.begin(Path("/notes/4"), in: store, label: nil))
    try shelf(.reply(to: read, Shelf.Reply(body: body(#"{"id":4,"title":"Neap tide"}"#))))
    try outbox(.send(item, in: store))
    let made = try body(#"{"id":4,"title":"Spring tide"}"#)
    try outbox(.answer(item, Outbox.Answer(status: 201, verdict: .accepted, body: made)))
    let answer = Shelf.Answer(
      status: 201,
      copies: [
        .init(path: try Path("/new/1"), body: made), .init(path: try Path("/notes/4"), body: made),
        .init(path: try Path("/notes/4/photo"), body: try body("not really a picture 0")),
      ]
    )
    let delivery = Shelf.Delivery(
      enqueued: item,
      sent: first,
      path: try Path("/new/1"),
      touches: [Touch(.exact, try Path("/notes"))]
    )
    let key = try nextKey()
    var drafts = try Shelf.decide(
      .copy(in: store, delivery, answer),
      on: states.shelf,
      key: key,
      at: time
    )
    drafts += try Outbox.decide(
      .retire(item, behind: drafts.count),
      on: states.outbox,
      key: key,
      at: time
    )
    try append(drafts)
  }

  /// One that the server refuses, one that is held, and one that still waits.
  private mutating func tellTrouble(in store: Seq) throws {
    let refused = try enqueue("/new/2", lane: "note 2", in: store)
    try outbox(.send(refused, in: store))
    try outbox(.answer(refused, Outbox.Answer(status: 422, verdict: .rejected)))
    try outbox(.retry(refused, .requested))
    try outbox(.discard(refused, reason: "a mistake"))
    let held = try enqueue("/new/3", lane: "note 3", in: store)
    try outbox(.send(held, in: store))
    try outbox(.answer(held, Outbox.Answer(status: 401, verdict: .held)))
    _ = try enqueue("/new/4", lane: "note 4", in: store)
  }

  /// Pins of so long a list that it takes two entries; one is taken off, and the list is lost.
  private mutating func tellPins(in store: Seq) throws {
    let all = (0..<170).map { number in
      PinVersion(
        id: ItemID("pin-\(number)-" + String(repeating: "x", count: 180)),
        version: UInt64(number % 3)
      )
    }
    let first = try pins(.start, in: store)
    try pins(.receive(first, all, body("a long list of pins"), status: 200), in: store)
    try pins(.remove([all[0].id]), in: store)
    let second = try pins(.start, in: store)
    try pins(.end(second, .lost, status: nil, nil), in: store)
    try pins(.freeze(detail: "a row of it is cut"), in: store)
    try pins(.restore, in: store)
  }

  private mutating func tellShares(in store: Seq) throws {
    try say(ShareReceived(share: "5e1f", count: 1))
    _ = try enqueue(
      "/new/5",
      lane: "share 5e1f",
      link: "https://tides.example/spring",
      in: store
    )
    try say(ShareImported(share: "5e1f"))
    try say(ShareUnreadable(share: "broken.share", detail: "cut", content: Tree.emptyRoot))
    try say(ShareDiscarded(share: "broken.share"))
    try say(ShareReceived(share: "77aa", count: 24))
    try say(ShareUnreadable(share: "odd.share", detail: "no such version", content: Tree.emptyRoot))
  }

  private mutating func tellCheckpoint() throws {
    let states = ProjectionCatalogue.parts.map { part in
      ProjectionState(
        name: part.name,
        version: UInt64(part.version),
        digest: part.digest(self.states)
      )
    }
    try say(Checkpointed(states: states))
  }

  /// What a journal says that was restored from a backup, and goes on.
  private mutating func tellRenewal() throws {
    let writer = journal.identity.writer
    try say(IdentityRenewed(term: 2, writer: writer.reversed(), previous: writer))
  }
}
