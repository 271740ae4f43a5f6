public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

extension Outbox {
  /// The server has it, and this is what it says: the answer is written down, its copies stand on
  /// the shelf, and only then the item retires.
  ///
  /// If a copy cannot be written the item stays, `answered`, to be finished later; so it does if
  /// the store is over, for an answer counts in whatever store it comes.
  ///
  /// - Parameters:
  ///   - key: the item.
  ///   - status: the status of the answer.
  ///   - content: the answer as it came, if it is to be kept.
  ///   - isDuplicate: whether the server says that it had it already.
  ///   - copies: what is to stand on the shelf: under the item's own path, and under the names that
  ///     the server gave.
  /// - Returns: what of the copies was written.
  /// - Throws: ``StoreError/unknown(_:)`` if no attempt is under way; ``StoreError/journal(_:)``.
  @discardableResult
  public func accept(
    _ key: IdempotencyKey,
    status: UInt64 = 200,
    content: [UInt8]? = nil,
    isDuplicate: Bool = false,
    copies: [(path: Path, reply: Shelf.Reply)]
  ) async throws(StoreError) -> Shelf.Answered {
    if isDuplicate, !StoreRule.outboxDuplicateIsAck.isOn {
      try await refuse(key, status: 422, content: content)
      return Shelf.Answered(written: [], suspect: [])
    }
    #if DEBUG
      if !StoreRule.outboxCopyBeforeRetire.isOn { try await retireAtOnce(key, status) }
    #endif
    let store = shelf.store
    return try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      let seq = try turn.waiting(key)
      let body = try content.map { (content) throws(StoreError) in try turn.keep(content) }
      let answer = OutboxRules.Answer(
        status: status,
        verdict: isDuplicate ? .duplicate : .accepted,
        body: body
      )
      try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))
      guard turn.states.shelf.present(store).map({ $0.retired == nil }) ?? false else {
        return Shelf.Answered(written: [], suspect: [])
      }
      return try turn.finish(seq, copies, in: store)
    }
  }

  /// The server has it, but what it says cannot be copied now: it is to be finished later.
  ///
  /// - Throws: as ``accept(_:status:content:isDuplicate:copies:)``.
  public func acceptUnfinished(
    _ key: IdempotencyKey,
    status: UInt64 = 200,
    content: [UInt8]? = nil
  ) async throws(StoreError) {
    guard StoreRule.outboxLocalFailure.isOn else { return try await refuse(key, status: 422) }
    try await end(key) { (turn, seq) throws(StoreError) in
      let body = try content.map { (content) throws(StoreError) in try turn.keep(content) }
      let answer = OutboxRules.Answer(status: status, verdict: .accepted, body: body)
      try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))
    }
  }

  /// Copies what was answered before, and retires the item.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if it was not answered; ``StoreError/journal(_:)``.
  @discardableResult
  public func finish(
    _ key: IdempotencyKey,
    copies: [(path: Path, reply: Shelf.Reply)]
  ) async throws(StoreError) -> Shelf.Answered {
    try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      try turn.finish(try turn.waiting(key), copies, in: store)
    }
  }

  /// The server read it and says no.
  ///
  /// - Parameters:
  ///   - key: the item.
  ///   - status: decides: 401 and 403 hold it until somebody signs in; 408, 425, 429 and 5xx let it
  ///     wait, and 409 does if an attempt that was lost may still be at work on the server; any
  ///     other hands it to a person.
  ///   - content: the answer as it came, if it is to be kept.
  ///   - retryAfter: how long the server asks to wait, in milliseconds.
  /// - Throws: ``StoreError/unknown(_:)`` if no attempt is under way; ``StoreError/journal(_:)``.
  public func refuse(
    _ key: IdempotencyKey,
    status: UInt64,
    content: [UInt8]? = nil,
    retryAfter: Int64? = nil
  ) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      let body = try content.map { (content) throws(StoreError) in try turn.keep(content) }
      let verdict = turn.verdict(on: seq, refusedWith: status)
      let retryAt = verdict == .busy ? turn.retryTime(of: seq, atLeast: retryAfter ?? 0) : nil
      let answer = OutboxRules.Answer(
        status: status,
        verdict: verdict,
        body: body,
        retryAt: retryAt
      )
      try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))
      try turn.parkIfSpent(seq)
    }
  }

  /// The attempt ended without an answer that was read: the server may have it, or not.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if no attempt is under way; ``StoreError/journal(_:)``.
  public func lose(
    _ key: IdempotencyKey,
    _ reason: OutboxInDoubt.Reason
  ) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      let retryAt = turn.retryTime(of: seq, atLeast: 0)
      try turn.decide(.doubt(seq, reason, retryAt: retryAt), key: turn.freshKey("doubt"))
      if reason != .unreachable { try turn.parkIfSpent(seq) }
    }
  }
}

extension Turn {
  /// What an answer with a status that is no success says of what was sent.
  func verdict(on seq: Seq, refusedWith status: UInt64) -> OutboxAnswered.Verdict {
    switch status {
    case 401, 403: .held
    case 408, 425, 429, 500...: .busy
    case OutboxAnswered.conflict where mayBeInProgress(seq): .busy
    default: StoreRule.outboxPark.isOn ? .rejected : .busy
    }
  }

  /// Whether the server may still be at work on an attempt whose answer was lost.
  private func mayBeInProgress(_ seq: Seq) -> Bool {
    guard let since = states.outbox.items[seq]?.doubtSince else { return false }
    return now.milliseconds(since: since) < options.retries.inProgress
  }

  /// Writes the copies of an answer and retires the item, in one append.
  func finish(
    _ seq: Seq,
    _ copies: [(path: Path, reply: Shelf.Reply)],
    in store: Seq
  ) throws(StoreError) -> Shelf.Answered {
    guard let item = states.outbox.items[seq], let answer = item.answer,
      let sent = item.firstSent
    else { throw .unknown("the server has not said that it has it") }
    guard states.shelf.present(store)?.scope == item.scope || !StoreRule.outboxScope.isOn else {
      throw .otherScope(item.scope)
    }
    var told = ShelfRules.Answer(status: answer.status)
    for (path, reply) in copies {
      told.copies.append(
        ShelfRules.Answer.Copy(path: path, body: try keep(reply.content), revision: reply.revision)
      )
    }
    let delivery = ShelfRules.Delivery(
      enqueued: seq,
      sent: sent,
      path: item.path,
      touches: item.touches
    )
    let key = freshKey("copies")
    var drafts = try shelfDrafts(for: .copy(in: store, delivery, told), key: key)
    drafts += try self.drafts(for: .retire(seq, behind: drafts.count), key: key)
    return try answered(at: try add(drafts))
  }

  /// When the next attempt may be made.
  func retryTime(of seq: Seq, atLeast least: Int64) -> DeviceTime {
    guard StoreRule.outboxRetryTimer.isOn else { return DeviceTime(milliseconds: .max) }
    let attempts = states.outbox.items[seq]?.attempts ?? 0
    let wait = max(options.retries.wait(after: attempts) { fraction() }, least)
    return now.adding(milliseconds: wait)
  }

  func parkIfSpent(_ seq: Seq) throws(StoreError) {
    guard let most = options.retries.attemptsMax, let item = states.outbox.items[seq],
      item.attempts >= most, item.standing == .pending || item.standing == .inDoubt
    else { return }
    try decide(.park(seq, .spent), key: freshKey("park"))
  }
}
