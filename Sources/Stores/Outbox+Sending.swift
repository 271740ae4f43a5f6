public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

extension Outbox {
  /// What may go now, in the order of authoring: of each lane the first, if its time has come.
  ///
  /// What is `answered` is to be finished with ``finish(_:copies:)``, not sent. What has been in
  /// doubt for longer than the server keeps keys is handed to a person first.
  ///
  /// - Throws: ``StoreError/journal(_:)``.
  public func ready(
    keyRetention: Int64? = nil
  ) async throws(StoreError) -> [OutboxItem] {
    try await looking(keyRetention) { (turn, scope) in
      turn.states.outbox.ready(in: scope, at: turn.now).compactMap { seq in
        turn.states.outbox.items[seq].map { OutboxItem(seq, $0) }
      }
    }
  }

  /// The first of ``ready(keyRetention:)`` that is none of `tried`.
  ///
  /// - Complexity: O(*n*) in what waits.
  func next(besides tried: Set<IdempotencyKey>) async throws(StoreError) -> OutboxItem? {
    try await looking(nil) { (turn, scope) in
      let first = turn.states.outbox.firstReady(in: scope, at: turn.now) { item in
        !tried.contains(item.key)
      }
      return first.flatMap { seq in turn.states.outbox.items[seq].map { OutboxItem(seq, $0) } }
    }
  }

  /// Looks at the outbox when what a process that has ended left, and what has been in doubt for
  /// too long, is where it belongs.
  private func looking<Found: Sendable>(
    _ keyRetention: Int64?,
    _ look: @escaping @Sendable (Turn, Scope) -> Found
  ) async throws(StoreError) -> Found {
    let (scope, retention) = (
      shelf.scope, keyRetention ?? shelf.stores.options.retries.keyRetention
    )
    let opened = shelf.stores.opened
    return try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      try turn.endAttempts(through: opened)
      if let retention { try turn.parkOldDoubts(of: scope, after: retention) }
      return look(turn, scope)
    }
  }

  /// Writes down that an attempt is about to be made; only then may its bytes leave.
  ///
  /// - Throws: ``StoreError`` if it is not its turn, or not its server; ``StoreError/journal(_:)``.
  @discardableResult
  public func send(_ key: IdempotencyKey) async throws(StoreError) -> OutboxItem {
    try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      let seq = try turn.waiting(key)
      let sent = try turn.decide(.send(seq, in: store), key: turn.freshKey("send"))[0]
      guard let item = turn.states.outbox.items[seq] else { throw .unknown("\(key) is settled") }
      return OutboxItem(seq, item, requestKey: try turn.requestKey(of: sent))
    }
  }
}

extension Turn {
  /// The key that an attempt carries, as its entry says.
  func requestKey(of sent: Seq) throws(StoreError) -> IdempotencyKey? {
    do throws(JournalError) {
      return try journal.entry(at: sent)?.decoded(OutboxSent.self)?.requestKey
    } catch { throw .journal(error) }
  }

  /// Hands to a person what has been in doubt for longer than the server keeps keys.
  func parkOldDoubts(of scope: Scope, after retention: Int64) throws(StoreError) {
    guard StoreRule.outboxExpiry.isOn else { return }
    let now = now
    let old = states.outbox.items.filter { _, item in
      item.scope == scope && item.standing == .inDoubt
        && item.doubtSince.map { now.milliseconds(since: $0) > retention } ?? false
    }
    for seq in old.keys.sorted() {
      try decide(.park(seq, .expiredDoubt), key: freshKey("park"))
    }
  }
}
