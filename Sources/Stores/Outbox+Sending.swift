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
    let (scope, retention) = (
      shelf.scope, keyRetention ?? shelf.stores.options.retries.keyRetention
    )
    let opened = shelf.stores.opened
    return try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      try turn.endAttempts(through: opened)
      if let retention { try turn.parkOldDoubts(of: scope, after: retention) }
      return turn.states.outbox.ready(in: scope, at: turn.now).compactMap { seq in
        turn.states.outbox.items[seq].map { OutboxItem(seq, $0) }
      }
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
    for (seq, item) in states.outbox.queue
    where item.scope == scope && item.standing == .inDoubt {
      guard let since = item.doubtSince, now.milliseconds(since: since) > retention else {
        continue
      }
      try decide(.park(seq, .expiredDoubt), key: freshKey("park"))
    }
  }
}
