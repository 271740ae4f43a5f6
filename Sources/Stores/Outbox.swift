public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// What users did and no server has confirmed, for one scope.
///
/// Nothing leaves it but by the server's answer, with all copies of it on the shelf, or by a
/// person. Clearing copies, signing out and damage to the projections do not touch it.
public struct Outbox: Sendable {
  /// The store in whose name it sends.
  public let shelf: Shelf

  init(_ shelf: Shelf) {
    self.shelf = shelf
  }

  /// What waits, in the order of authoring.
  ///
  /// - Complexity: O(*n* log *n*) in what waits.
  public var items: [OutboxItem] {
    let scope = shelf.scope
    return shelf.stores.live.view.read { states in
      states.outbox.queue.filter { $0.item.scope == scope }.map { OutboxItem($0.seq, $0.item) }
    }
  }

  /// What waits under a key; nothing if it is settled, or was never there.
  public func item(_ key: IdempotencyKey) -> OutboxItem? {
    shelf.stores.live.view.read { states in
      guard let seq = states.outbox.keys[key], let item = states.outbox.items[seq] else {
        return nil
      }
      return OutboxItem(seq, item)
    }
  }

  /// What waits, each time that it may have changed, from here on.
  public var changes: Changes<[OutboxItem]> {
    Changes(shelf.stores.live.view, OutboxRules.name, nil) { _ in items }
  }

  /// The next time at which something may go that may not go now; nothing if nothing waits for one.
  public var nextTime: DeviceTime? {
    let scope = shelf.scope
    let now = shelf.stores.options.clock.now()
    return shelf.stores.live.view.read { $0.outbox.nextTime(in: scope, after: now) }
  }

  /// The content of a request, or of a file.
  ///
  /// - Throws: ``StoreError/journal(_:)`` with code `damaged` or `storage`.
  public func content(of body: BodyReference) throws(StoreError) -> [UInt8]? {
    do throws(JournalError) { return try shelf.stores.bodies.content(of: body) } catch {
      throw .journal(error)
    }
  }

  /// Appends what `work` makes of an item that waits, at its turn.
  func end(
    _ key: IdempotencyKey,
    _ work: @escaping @Sendable (Turn, Seq) throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      try work(turn, try turn.waiting(key))
    }
  }
}

/// The rules of the outbox, which the live store and every replay share.
typealias OutboxRules = TidemarkProjections.Outbox

extension Shelf {
  /// What users did that this server and account are still to be told.
  public var outbox: Outbox { Outbox(self) }
}

extension Turn {
  /// What waits under a key.
  func waiting(_ key: IdempotencyKey) throws(StoreError) -> Seq {
    guard let seq = states.outbox.keys[key] else { throw .unknown("nothing waits under \(key)") }
    return seq
  }
}
