internal import Synchronization
public import TidemarkEntries
internal import TidemarkJSON
internal import TidemarkJournalStore
internal import TidemarkProjections

/// A list of one scope that the server and this device both write.
///
/// What is shown is the last whole list of the server without what the user took off. Ids travel,
/// never the list: what another party added meanwhile is not taken away.
public struct Pins: Sendable {
  /// The store in whose name it asks.
  public let shelf: Shelf

  /// How the server's list is read.
  public let format: Format

  init(_ shelf: Shelf, _ format: Format) {
    self.shelf = shelf
    self.format = format
  }

  /// What a list of the server looks like: a JSON array of objects.
  public struct Format: Sendable {
    /// What the id is called.
    public var id = "id"

    /// What the version is called, if the server sends one.
    public var version: String?

    /// What else every pin must have, such as `name` and `coordinate`.
    public var required: [String] = []

    /// An array of objects with an `id`, and nothing else asked for.
    public init() {}
  }

  /// A pin that is shown.
  public struct Pin: Sendable, Hashable {
    /// What the server calls it.
    public let id: ItemID

    /// Its version, if the server sends one.
    public let version: UInt64?

    /// The JSON of it, as it came.
    public let json: [UInt8]
  }

  /// A request that is under way: its ticket, and what it is to carry.
  public struct Pass: Sendable, Hashable {
    /// The `pins-sent` entry.
    public let sent: Seq

    /// The pins to be taken off, with the versions that were seen.
    public let removals: [PinVersion]

    /// What would replace the server's list; nothing, because ids travel and never a list.
    package let replacement: [ItemID]?
  }

  /// What became of a reply.
  public enum Received: Sendable, Hashable {
    /// It is the list now.
    case taken(count: Int)

    /// It is no list: the last one and the removals stay.
    case refused(PinsRefused.Reason)
  }

  // MARK: Looking

  /// The pins that are shown, in the server's order.
  ///
  /// - Throws: ``StoreError/unreadable(_:)`` if the replica cannot be read: it is kept, and nothing
  ///   is synchronised until a person lets it be made anew.
  public func visible() async throws(StoreError) -> [Pin] {
    guard let list = state else { return [] }
    guard list.unreadable == nil else { throw .unreadable(.pins) }
    guard let snapshot = list.snapshot else { return [] }
    let pins: [Pin]
    do throws(JournalError) {
      guard let content = try shelf.stores.bodies.content(of: snapshot.body),
        let decoded = decode(content)
      else { throw JournalError(.damaged, "the list is gone") }
      pins = decoded
    } catch {
      try await freeze(error.message)
      guard StoreRule.replicaUnreadable.isOn else { return [] }
      throw .unreadable(.pins)
    }
    return pins.filter { list.removals[$0.id] == nil }
  }

  /// What the user took off and the server has not acknowledged, in the order of ids.
  public var removals: [PinVersion] { state?.queued ?? [] }

  /// Whether the replica can be read, as far as is known.
  public var isReadable: Bool { state?.unreadable == nil }

  /// When the list was received, if one was.
  public var received: DeviceTime? { state?.snapshot?.received }

  /// Each time that something may have changed, from here on.
  public var changes: Changes<Void> {
    Changes(shelf.stores.live.view, PinsRules.name, nil) { _ in () }
  }

  private var state: PinsState.List? {
    let scope = shelf.scope
    return shelf.stores.live.view.read { $0.pins.list(of: scope) }
  }

  // MARK: Writing

  /// The user takes pins off; ids that the list does not show are passed over.
  ///
  /// When this returns it is on the medium, and what is shown has changed.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func remove(_ ids: [ItemID]) async throws(StoreError) {
    try await decide(.remove(ids))
  }

  /// Begins a pass: writes down what the request is to carry; only then may it leave.
  ///
  /// - Throws: ``StoreError/underWay``, ``StoreError/unreadable(_:)``, ``StoreError/over(_:)`` or
  ///   ``StoreError/journal(_:)``.
  public func start() async throws(StoreError) -> Pass {
    let (scope, stores) = (shelf.scope, shelf.stores)
    return try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      if let open = turn.states.pins.list(of: scope)?.pass?.sent,
        stores.endedPasses.withLock({ $0.contains(open) })
      {
        try turn.decide(.end(open, .lost, status: nil, nil), in: store)
      }
      let sent = try turn.decide(.start, in: store)[0]
      let list = turn.states.pins.list(of: scope)
      return Pass(
        sent: sent,
        removals: list?.pass?.pins ?? [],
        replacement: StoreRule.replicaPerID.isOn ? nil : list?.visible
      )
    }
  }

  /// Takes the server's list, whole and valid, or not at all; what the pass sent is acknowledged.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if the pass is over, ``StoreError/unreadable(_:)``, or
  ///   ``StoreError/journal(_:)``.
  @discardableResult
  public func receive(_ pass: Pass, _ reply: Shelf.Reply) async throws(StoreError) -> Received {
    let pins = decode(reply.content)
    return try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      let body = try turn.keep(reply.content)
      guard let pins else {
        try turn.decide(.end(pass.sent, .malformed, status: reply.status, body), in: store)
        return .refused(.malformed)
      }
      let named = pins.map { PinVersion(id: $0.id, version: $0.version) }
      let seqs = try turn.decide(
        .receive(pass.sent, named, body, status: reply.status),
        in: store
      )
      guard let reason = try turn.refusal(at: seqs[0]) else { return .taken(count: pins.count) }
      return .refused(reason)
    }
  }

  /// Ends a pass that brought no list; the removals stay.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if the pass is over, or ``StoreError/journal(_:)``.
  public func end(
    _ pass: Pass,
    _ reason: PinsRefused.Reason,
    status: UInt64? = nil
  ) async throws(StoreError) {
    try await decide(.end(pass.sent, reason, status: status, nil))
  }

  /// One pass: sends the removals, takes the list.
  ///
  /// A pass whose end cannot be written down is over all the same: it keeps out no other.
  ///
  /// - Parameter exchange: sends the removals and gets the list.
  /// - Returns: what became of the list.
  /// - Throws: what `exchange` throws, and the pass is ended then; ``StoreError``.
  public nonisolated(nonsending) func sync(
    _ exchange: (_ removals: [PinVersion]) async throws -> Shelf.Reply
  ) async throws -> Received {
    let pass = try await start()
    do {
      let reply: Shelf.Reply
      do { reply = try await exchange(pass.removals) } catch {
        try await end(pass, error is CancellationError ? .cancelled : .lost)
        throw error
      }
      return try await receive(pass, reply)
    } catch let error as StoreError {
      shelf.stores.endedPasses.withLock { _ = $0.insert(pass.sent) }
      throw error
    }
  }

  /// A person lets the replica be made anew from the journal; the queued removals stay.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if it can be read; ``StoreError/journal(_:)``.
  public func restore() async throws(StoreError) { try await decide(.restore) }

  private func freeze(_ detail: String) async throws(StoreError) {
    try await decide(.freeze(detail: detail))
  }

  private func decide(_ submission: PinsRules.Submission) async throws(StoreError) {
    try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      try turn.decide(submission, in: store)
    }
  }

  /// The pins of a list; nothing if it is none, or a pin has not what it must have.
  private func decode(_ content: [UInt8]) -> [Pin]? {
    guard let rows = JSONRows(content, idName: format.id) else {
      return StoreRule.replicaValidate.isOn ? nil : []
    }
    var pins: [Pin] = []
    for row in rows.rows {
      let json = Array(row.bytes)
      guard let id = row.id, !id.bytes.isEmpty,
        let members = JSONMembers(json), format.required.allSatisfy({ members.has($0) })
      else { return nil }
      pins.append(Pin(id: id, version: format.version.flatMap { members.number($0) }, json: json))
    }
    let named = pins.map { PinVersion(id: $0.id, version: $0.version) }
    return PinsRules.isList(named) ? pins : nil
  }
}

/// The rules of the pins, which the live store and every replay share.
typealias PinsRules = TidemarkProjections.Pins

extension Shelf {
  /// The pins of this server and account.
  public func pins(_ format: Pins.Format = Pins.Format()) -> Pins { Pins(self, format) }
}

extension Turn {
  @discardableResult
  func decide(_ submission: PinsRules.Submission, in store: Seq) throws(StoreError) -> [Seq] {
    let drafts: [Draft]
    do throws(PinsRules.Refusal) {
      drafts = try PinsRules.decide(
        submission,
        in: store,
        on: states.pins,
        key: freshKey("pins"),
        at: now
      )
    } catch { throw StoreError(error, states.pins) }
    return try add(drafts)
  }

  /// Why the pass that the entry ends brought no list; nothing if it did.
  func refusal(at seq: Seq) throws(StoreError) -> PinsRefused.Reason? {
    do throws(JournalError) {
      return try journal.entry(at: seq)?.decoded(PinsRefused.self)?.reason
    } catch { throw .journal(error) }
  }
}

extension StoreError {
  init(_ refusal: PinsRules.Refusal, _ state: PinsState) {
    self =
      switch refusal {
      case .noStore(let store):
        state.stores[store].map { .over(state.lists[$0].scope) }
          ?? .unknown("no store was opened at \(store)")
      case .underWay: .underWay
      case .unreadable: .unreadable(.pins)
      case .unknown(let sent): .unknown("the pass that began at \(sent) is over")
      case .readable: .unknown("the list can be read")
      }
  }
}
