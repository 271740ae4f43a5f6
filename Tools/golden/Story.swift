import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections

/// A few minutes of an app, as a journal.
struct Story {
  let journal: Journal
  private var state = Shelf.empty
  private var chance: Chance
  private var now: Int64 = 1_778_594_580_000
  private var count = 0

  init(_ path: String, seed: UInt64) throws {
    chance = Chance(state: seed)
    journal = try Journal(path, create: true, chance: &chance)
  }

  /// One submission, decided, appended as one commit and folded; the seq of its first entry.
  @discardableResult
  private mutating func submit(
    _ submission: Shelf.Submission,
    after milliseconds: Int64 = 120
  ) throws -> Seq {
    now += milliseconds
    count += 1
    let drafts = try Shelf.decide(
      submission,
      on: state,
      key: IdempotencyKey("golden-\(count)"),
      at: DeviceTime(milliseconds: now)
    )
    var first: Seq?
    for outcome in try journal.append(drafts) {
      guard let seq = outcome.seq, let entry = try journal.entry(at: seq) else { continue }
      try Shelf.evolve(&state, by: entry)
      first = first ?? seq
    }
    guard let first else { throw Untold() }
    return first
  }

  private struct Untold: Error {}

  private mutating func reply(_ text: String, revision: UInt64? = nil) throws -> Shelf.Reply {
    Shelf.Reply(body: try body(text), revision: revision)
  }

  private mutating func body(_ text: String) throws -> BodyReference {
    try journal.body(Array(text.utf8), chance: &chance)
  }

  mutating func tellTwoReads() throws {
    let store = try submit(.open(Scope("https://api.example.org"), software: "golden 1"))
    let list = try submit(.begin(Path("/notes"), in: store, label: nil))
    try submit(.reply(to: list, reply(#"[{"id":41,"title":"Tide table"}]"#)))
    let note = try submit(.begin(Path("/notes/41"), in: store, label: nil))
    try submit(.reply(to: note, reply(#"{"id":41,"title":"Tide table"}"#, revision: 51)))
  }

  static var lastWord: Draft {
    get throws {
      Draft(
        ReadBegan(generation: 0),
        key: try IdempotencyKey("last-word"),
        store: .opened(Seq(1)),
        time: DeviceTime(milliseconds: 1_778_594_590_000),
        paths: [(try Path("/notes"), .begin)]
      )
    }
  }

  mutating func tellEveryKind() throws {
    let store = try submit(
      .open(Scope("https://api.example.org", account: "ada"), software: "golden 1")
    )
    let first = try submit(.begin(Path("/notes"), in: store, label: nil))
    try submit(.reply(to: first, reply(#"[{"id":41,"revision":51}]"#)))
    try submit(
      .keep(Path("/photos/9"), in: store, body("not really a photo"), mediaType: "image/jpeg")
    )
    try tellLateRead(in: store)
    try tellCrossingChanges(in: store)
    try tellFailures(in: store)
    try submit(.remove(Path("/photos/9"), in: store, .requested))
    try tellImport()
    try tellConflict(in: store)
    let other = try tellSwitch(from: store)
    try submit(.retire(other, .signedOut))
  }

  /// The reply to a list comes after a note of it was changed.
  private mutating func tellLateRead(in store: Seq) throws {
    let list = try submit(.begin(Path("/notes"), in: store, label: "the list"))
    let change = Shelf.Change(
      path: try Path("/notes/41"),
      method: "PUT",
      touches: [try Touch(.resource, Path("/notes/41")), try Touch(.exact, Path("/notes"))],
      body: try body(#"{"title":"Tide table"}"#)
    )
    let sent = try submit(.send(change, in: store))
    let copy = Shelf.Answer.Copy(
      path: try Path("/notes/41"),
      body: try body(#"{"id":41,"title":"Tide table","revision":52}"#),
      revision: 52
    )
    try submit(.answer(to: sent, Shelf.Answer(copies: [copy])))
    try submit(.reply(to: list, reply(#"[{"id":41,"revision":51}]"#)), after: 1432)
  }

  /// Two changes of one note are answered in reverse; then it is removed.
  private mutating func tellCrossingChanges(in store: Seq) throws {
    let path = try Path("/notes/7")
    let one = try submit(.send(Shelf.Change(path: path, method: "PATCH"), in: store))
    let two = try submit(.send(Shelf.Change(path: path, method: "PATCH"), in: store))
    for (sent, title) in [(two, "two"), (one, "one")] {
      let copy = Shelf.Answer.Copy(path: path, body: try body(#"{"id":7,"title":"\#(title)"}"#))
      try submit(.answer(to: sent, Shelf.Answer(copies: [copy], body: copy.body)))
    }
    let removal = try submit(.send(Shelf.Change(path: path, method: "DELETE"), in: store))
    try submit(.answer(to: removal, Shelf.Answer(status: 204, removals: [path])))
  }

  private mutating func tellFailures(in store: Seq) throws {
    let read = try submit(.begin(Path("/notes/404"), in: store, label: nil))
    try submit(.endRead(read, .failed, Shelf.Reply(body: body("no such note"), status: 404)))
    let change = try submit(
      .send(Shelf.Change(path: Path("/notes"), method: "POST", label: "CreateNote"), in: store)
    )
    try submit(.endChange(change, .rejected, status: 422, answer: body(#"{"error":"no title"}"#)))
    try submit(.bump(store, .pushed))
  }

  private mutating func tellImport() throws {
    let imported = Imported(
      format: "har",
      digest: Tree.emptyRoot,
      taken: 12,
      left: 3,
      policy: "paths",
      creator: "golden 1"
    )
    try journal.append([
      Draft(
        imported,
        key: IdempotencyKey("golden-import"),
        store: .journal,
        time: DeviceTime(milliseconds: now)
      )
    ])
  }

  /// A key comes again, with other content.
  private func tellConflict(in store: Seq) throws {
    try journal.append([
      Draft(
        ReadBegan(generation: 9),
        key: IdempotencyKey("golden-2"),
        store: .opened(store),
        time: DeviceTime(milliseconds: now),
        paths: [(Path("/elsewhere"), .begin)]
      )
    ])
  }

  /// The app turns to another server while a read is in flight.
  private mutating func tellSwitch(from store: Seq) throws -> Seq {
    let read = try submit(.begin(Path("/notes"), in: store, label: nil))
    try submit(.turn(from: store, to: Scope("https://other.example.org"), software: "golden 1"))
    try submit(.reply(to: read, reply("[]")), after: 4000)
    guard let other = state.store(of: try Scope("https://other.example.org")) else {
      throw Untold()
    }
    return other.opening
  }
}
