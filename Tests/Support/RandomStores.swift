package import TidemarkEntries
package import TidemarkProjections

/// Submits to all stores at random: few scopes, paths, lanes and ids, so that everything crosses.
///
/// `decide` of the outbox and of the pins come from outside, so that a test can take others.
package final class RandomStores {
  package typealias OutboxDecider = (
    Outbox.Submission, OutboxState, IdempotencyKey, DeviceTime
  ) throws -> [Draft]
  package typealias PinsDecider = (
    Pins.Submission, Seq, PinsState, IdempotencyKey, DeviceTime
  ) throws -> [Draft]

  package let live: LiveStates
  private let outbox: OutboxDecider
  private let pins: PinsDecider
  private var chance: SeededGenerator
  private var stores: [Seq] = []
  private var reads: [Seq] = []
  private var lists: [Seq] = []
  private var changes: [Seq] = []
  private var items: [Seq] = []
  private var passes: [Seq] = []
  private var shares = 0

  package init(
    seed: UInt64,
    outbox: @escaping OutboxDecider = Outbox.decide,
    pins: @escaping PinsDecider = Pins.decide
  ) throws {
    live = try LiveStates()
    chance = SeededGenerator(seed: seed)
    self.outbox = outbox
    self.pins = pins
  }

  /// Makes `steps` submissions; what is refused without an entry counts too.
  package func play(steps: Int) throws {
    for step in 0..<steps {
      guard let store = open() else {
        try openStore()
        continue
      }
      switch Int.random(in: 0..<100, using: &chance) {
      case 0..<30: try actOnShelf(in: store)
      case 30..<68: try actOnOutbox(in: store)
      case 68..<91: try actOnPins(in: store)
      case 91..<95: try actOnInbox()
      case 95: try append(.turn(from: store, to: scope(), software: nil), into: \.stores, 1)
      case 96: try append(.retire(store, .closed))
      case 97..<99: try live.checkpoint()
      default: try openStore()
      }
      if step % 10 == 9 { try live.commit() }
    }
  }

  // MARK: Shelf

  @discardableResult
  private func append(
    _ submission: Shelf.Submission,
    into list: ReferenceWritableKeyPath<RandomStores, [Seq]>? = nil,
    _ index: Int = 0
  ) throws -> [Entry] {
    let drafts = try Shelf.decide(
      submission,
      on: live.states.shelf,
      key: live.key(),
      at: live.now
    )
    let entries = try live.append(drafts)
    if let list { self[keyPath: list].append(entries[index].seq) }
    return entries
  }

  private func openStore() throws {
    try append(.open(scope(), software: nil), into: \.stores)
  }

  private func open() -> Seq? {
    stores.filter { store in
      live.states.shelf.present(store).map { $0.retired == nil } ?? false
    }.randomElement(using: &chance)
  }

  private func actOnShelf(in store: Seq) throws {
    switch Int.random(in: 0..<10, using: &chance) {
    case 0..<2: try append(.begin(path(), in: store, label: nil), into: \.reads)
    case 2..<4:
      guard let begin = take(\.reads) else { return }
      let reply = Shelf.Reply(body: .sample(), revision: revision())
      try append(.reply(to: begin, reply))
    case 4: try append(.begin(path(), in: store, label: nil), into: \.lists)
    case 5..<7: try readOn()
    case 7:
      let change = Shelf.Change(path: try path(), method: "PUT", touches: try touches())
      try append(.send(change, in: store), into: \.changes)
    case 8:
      guard let sent = take(\.changes) else { return }
      let copy = Shelf.Answer.Copy(path: try path(), body: .sample(), revision: revision())
      try append(.answer(to: sent, Shelf.Answer(copies: [copy])))
    default:
      try append(
        pick([.bump(store, .cleared), .keep(path(), in: store, .sample(), mediaType: nil)])
      )
    }
  }

  /// A page more of a list, or the end of it.
  private func readOn() throws {
    guard let begin = take(\.lists), live.states.shelf.reads[begin] != nil else { return }
    guard Int.random(in: 0..<3, using: &chance) > 0 else {
      let whole = Shelf.Reply(body: .sample(), revision: revision())
      try append(.assemble(of: begin, whole, pageSize: pick([nil, 2])))
      return
    }
    let names = (0..<2).map { _ in
      RowName(Digest(words: (UInt64.random(in: 0..<9, using: &chance), 0, 0, 0)))
    }
    try append(.page(of: begin, Shelf.Page(body: .sample(), rowKeys: names)))
    if live.states.shelf.reads[begin] != nil { lists.append(begin) }
  }

  // MARK: Outbox

  private func submit(_ submission: Outbox.Submission) throws -> [Draft] {
    try outbox(submission, live.states.outbox, live.key(), live.now)
  }

  private func actOnOutbox(in store: Seq) throws {
    let isNew = items.isEmpty || Int.random(in: 0..<6, using: &chance) == 0
    guard !isNew, let item = items.suffix(8).randomElement(using: &chance) else {
      return try enqueue(in: store)
    }
    do throws(Outbox.Refusal) { try act(on: item, in: store) } catch {
      // Refused without an entry.
    }
  }

  private func enqueue(in store: Seq) throws {
    let files = (0..<Int.random(in: 0...2, using: &chance)).map {
      AttachedFile(name: "\($0).png", body: .sample(UInt64($0)))
    }
    let enqueued = OutboxEnqueued(
      method: pick(["POST", "PUT", "DELETE"]),
      lane: pick(["a", "b"]),
      body: .sample(),
      files: files.isEmpty ? nil : files,
      touches: try touches()
    )
    items += try live.append(submit(.enqueue(enqueued, at: path(), in: store))).map(\.seq)
  }

  private func act(on item: Seq, in store: Seq) throws(Outbox.Refusal) {
    let submission: Outbox.Submission
    switch Int.random(in: 0..<20, using: &chance) {
    case 0..<6: submission = .send(item, in: store)
    case 6..<11: submission = .answer(item, answer())
    case 11..<13:
      let reason = pick(OutboxInDoubt.Reason.allCases)
      submission = .doubt(item, reason, retryAt: pick([nil, live.now]))
    case 13..<17: return try finish(item, in: store)
    case 17: submission = .park(item, parkReason(of: item))
    case 18: submission = .retry(item, pick(OutboxRetried.Reason.allCases))
    default: submission = .discard(item, reason: nil)
    }
    try decided { try live.append(submit(submission)) }
  }

  /// Lets a refusal through, and lets everything else end the test.
  private func decided(_ work: () throws -> [Entry]) throws(Outbox.Refusal) {
    do { _ = try work() } catch let refusal as Outbox.Refusal { throw refusal } catch {
      preconditionFailure("\(error)")
    }
  }

  private func answer() -> Outbox.Answer {
    let verdict = pick(OutboxAnswered.Verdict.allCases + [.accepted, .accepted])
    return Outbox.Answer(status: 200, verdict: verdict, body: pick([nil, .sample()]))
  }

  private func parkReason(of item: Seq) -> OutboxParked.Reason {
    live.states.outbox.items[item]?.doubtSince == nil ? .spent : .expiredDoubt
  }

  /// The copies of an answer and the retirement behind them are one append.
  private func finish(_ seq: Seq, in store: Seq) throws(Outbox.Refusal) {
    guard let item = live.states.outbox.items[seq], let sent = item.firstSent,
      live.states.shelf.present(store)?.scope == item.scope
    else { return }
    try decided {
      var copies = [Shelf.Answer.Copy(path: item.path, body: .sample(), revision: revision())]
      for index in item.files.indices {
        copies.append(.init(path: try Path("/files/\(index)"), body: .sample()))
      }
      let delivery = Shelf.Delivery(
        enqueued: seq,
        sent: sent,
        path: item.path,
        touches: item.touches
      )
      var drafts = try Shelf.decide(
        .copy(in: store, delivery, Shelf.Answer(copies: copies)),
        on: live.states.shelf,
        key: live.key(),
        at: live.now
      )
      drafts += try submit(.retire(seq, behind: drafts.count))
      return try live.append(drafts)
    }
  }

  // MARK: Pins

  private func actOnPins(in store: Seq) throws {
    do throws(Pins.Refusal) {
      switch Int.random(in: 0..<12, using: &chance) {
      case 0..<4: try submit(.remove([id(), id()]), in: store)
      case 4..<7: passes += try submit(.start, in: store)
      case 7..<10:
        guard let pass = passes.suffix(3).randomElement(using: &chance) else { return }
        try submit(.receive(pass, list(), .sample(), status: 200), in: store)
      case 10:
        guard let pass = passes.last else { return }
        try submit(.end(pass, pick([.lost, .failed]), status: nil, nil), in: store)
      default: try submit(pick([.freeze(detail: "cut"), .restore]), in: store)
      }
    } catch {
      // Refused without an entry.
    }
  }

  @discardableResult
  private func submit(_ submission: Pins.Submission, in store: Seq) throws(Pins.Refusal) -> [Seq] {
    do {
      let drafts = try pins(submission, store, live.states.pins, live.key(), live.now)
      return try live.append(drafts).map(\.seq)
    } catch let refusal as Pins.Refusal { throw refusal } catch {
      preconditionFailure("\(error)")
    }
  }

  private func id() -> ItemID { ItemID(pick(["a", "b", "c", "d", "e"])) }

  /// Some ids have versions, some have none; now and then one stands twice.
  private func list() -> [PinVersion] {
    (0..<Int.random(in: 0...4, using: &chance)).map { _ in
      let id = id()
      let hasVersion = id < ItemID("d")
      let version = hasVersion ? UInt64.random(in: 1...2, using: &chance) : nil
      return PinVersion(id: id, version: version)
    }
  }

  // MARK: Inbox

  private func actOnInbox() throws {
    let share = "share-\(shares)"
    let kind: any EntryKind
    switch Int.random(in: 0..<4, using: &chance) {
    case 0:
      shares += 1
      kind = ShareReceived(share: "share-\(shares)", count: 2)
    case 1: kind = ShareImported(share: share)
    case 2:
      kind = ShareUnreadable(share: share, detail: "cut", content: Digest(words: (1, 2, 3, 4)))
    default: kind = ShareDiscarded(share: share)
    }
    try live.append([Draft(kind, key: live.key(), store: .journal, time: live.now)])
  }

  // MARK: Chance

  /// One of them, most often one of the last; some are never taken.
  private func take(_ list: ReferenceWritableKeyPath<RandomStores, [Seq]>) -> Seq? {
    guard !self[keyPath: list].isEmpty else { return nil }
    let last = self[keyPath: list].count - 1
    let index = max(0, last - Int.random(in: 0..<4, using: &chance))
    return self[keyPath: list].remove(at: index)
  }

  private func pick<Item>(_ items: [Item]) -> Item {
    items[Int.random(in: 0..<items.count, using: &chance)]
  }

  private func scope() throws -> Scope { try Scope("https://\(pick(["a", "b"])).example") }

  private func path() throws -> Path {
    try Path(pick(["/notes", "/notes/41", "/new/1", "/tides"]))
  }

  private func revision() -> UInt64? {
    Bool.random(using: &chance) ? nil : UInt64.random(in: 1...9, using: &chance)
  }

  private func touches() throws -> [Touch]? { try Touch.some(using: &chance) }
}

extension Touch {
  /// What a change declares, if it declares anything.
  package static func some(using chance: inout SeededGenerator) throws -> [Touch]? {
    guard Bool.random(using: &chance) else { return nil }
    var touches: [Touch] = []
    for _ in 0..<Int.random(in: 0...2, using: &chance) {
      let form = [Form.exact, .resource, .under][Int.random(in: 0..<3, using: &chance)]
      let path = ["/notes", "/notes/41", "/"][Int.random(in: 0..<3, using: &chance)]
      touches.append(Touch(form, try Path(path)))
    }
    return touches
  }
}
