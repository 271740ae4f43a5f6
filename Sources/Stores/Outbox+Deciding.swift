public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

extension Outbox {
  /// A person lets an item go again, at once.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` or ``StoreError/journal(_:)``.
  public func retry(_ key: IdempotencyKey) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      try turn.decide(.retry(seq, .requested), key: turn.freshKey("retry"))
    }
  }

  /// Somebody signed in: what was held for that may go again.
  ///
  /// - Throws: ``StoreError/journal(_:)``.
  public func signedIn() async throws(StoreError) {
    let scope = shelf.scope
    try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      for (seq, item) in turn.states.outbox.queue
      where item.scope == scope && item.standing == .held {
        try turn.decide(.retry(seq, .signedIn), key: turn.freshKey("retry"))
      }
    }
  }

  /// A person gives an item up; what it held stays in the journal.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` or ``StoreError/journal(_:)``.
  public func discard(_ key: IdempotencyKey, reason: String? = nil) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      try turn.decide(.discard(seq, reason: reason), key: turn.freshKey("discard"))
    }
  }
}
