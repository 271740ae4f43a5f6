package import TidemarkEntries
internal import TidemarkHashing

extension Outbox {
  /// Makes of a submission the entries that say what comes of it.
  ///
  /// Pure: the same gives the same. All of the drafts are one append.
  ///
  /// - Parameters:
  ///   - submission: what is asked of the outbox.
  ///   - state: the outbox that the decision rests on.
  ///   - key: names the submission; of something new, it is the key of all its attempts.
  ///   - now: what the device's clock says.
  /// - Returns: the drafts of one append.
  /// - Throws: ``Refusal`` if it may not be.
  package static func decide(
    _ submission: Submission,
    on state: OutboxState,
    key: IdempotencyKey,
    at now: DeviceTime
  ) throws(Refusal) -> [Draft] {
    let decision = OutboxDecision(state: state, key: key, now: now)
    return switch submission {
    case .enqueue(let enqueued, let path, let store):
      [try decision.enqueue(enqueued, at: path, in: store)]
    case .send(let seq, let store): [try decision.send(seq, in: store)]
    case .answer(let seq, let answer): try decision.answer(seq, answer)
    case .doubt(let seq, let reason, let retryAt): try decision.doubt(seq, reason, retryAt)
    case .retire(let seq, let behind): [try decision.retire(seq, behind: behind)]
    case .park(let seq, let reason): [try decision.park(seq, reason)]
    case .retry(let seq, let reason): [try decision.retry(seq, reason)]
    case .discard(let seq, let reason): [try decision.discard(seq, reason)]
    }
  }

  /// SHA-256 of the commitments of an item's content: what every attempt carries.
  package static func content(of item: OutboxState.Item) -> Digest {
    content(item.body, item.files)
  }

  package static func content(_ body: BodyReference?, _ files: [AttachedFile]) -> Digest {
    var hash = SHA256Hash()
    for body in [body].compactMap({ $0 }) + files.map(\.body) { hash.update(body.commitment.bytes) }
    return Digest(words: hash.finish())
  }
}

/// One decision: the state it rests on, and what its entries share.
private struct OutboxDecision {
  let state: OutboxState
  let key: IdempotencyKey
  let now: DeviceTime

  /// An entry about an item belongs to the store that the item was authored in, over or not.
  private func draft(
    _ kind: some EntryKind,
    about seq: Seq,
    _ item: OutboxState.Item,
    in store: Seq? = nil,
    cause: Draft.Cause? = nil,
    suffix: String = ""
  ) -> Draft {
    Draft(
      kind,
      key: key.with(suffix),
      store: .opened(store ?? item.store),
      time: now,
      cause: cause ?? .entry(seq),
      paths: [(item.path, .mention)]
    )
  }

  private func item(_ seq: Seq) throws(Outbox.Refusal) -> OutboxState.Item {
    guard let item = state.items[seq] else { throw .unknown(seq) }
    return item
  }

  func enqueue(
    _ enqueued: OutboxEnqueued,
    at path: Path,
    in store: Seq
  ) throws(Outbox.Refusal) -> Draft {
    guard state.scopes[store] != nil else { throw .noStore(store) }
    return Draft(
      enqueued,
      key: key,
      store: .opened(store),
      time: now,
      paths: [(path, .mention)]
    )
  }

  /// One attempt at a time, in the order of the lane, to the server and account of the item.
  func send(_ seq: Seq, in store: Seq) throws(Outbox.Refusal) -> Draft {
    let item = try item(seq)
    guard let scope = state.scopes[store] else { throw .noStore(store) }
    guard scope == item.scope || !StoreRule.outboxScope.isOn else { throw .otherScope(item.scope) }
    switch item.standing {
    case .pending, .inDoubt: break
    case .inFlight: if StoreRule.outboxInFlightLock.isOn { throw .underWay }
    case .answered: throw .answered
    case .held, .parked: throw .waits
    }
    let first = state.lanes[OutboxState.Lane(item.scope, item.lane)]?.first
    if StoreRule.outboxFifo.isOn, let first, first != seq { throw .notItsTurn(behind: first) }
    let sent = OutboxSent(
      enqueued: seq,
      attempt: item.attempts + 1,
      requestKey: StoreRule.outboxKey.isOn ? item.key : key,
      content: Outbox.content(of: item)
    )
    return draft(sent, about: seq, item, in: store)
  }

  /// An answer counts for the attempt that is under way, in whatever store that is.
  func answer(_ seq: Seq, _ answer: Outbox.Answer) throws(Outbox.Refusal) -> [Draft] {
    let item = try item(seq)
    guard item.standing == .inFlight, let sent = item.lastSent else { throw .notSent }
    let answered = OutboxAnswered(
      enqueued: seq,
      sent: sent,
      status: answer.status,
      verdict: answer.verdict,
      answer: answer.body,
      retryAt: answer.retryAt
    )
    let answer = draft(answered, about: seq, item, cause: .entry(sent))
    switch answered.verdict {
    case .held where !StoreRule.outboxAuthKeeps.isOn,
      .busy where !StoreRule.outboxTransientKeeps.isOn:
      return [answer, discarded(seq, item)]
    case .accepted, .duplicate, .held, .busy: return [answer]
    case .rejected:
      let parked = OutboxParked(enqueued: seq, reason: .rejected)
      return [
        answer, draft(parked, about: seq, item, cause: .earlierInBatch(1), suffix: "/parked"),
      ]
    }
  }

  /// What a client that drops what it has sent would do behind the entry before.
  private func discarded(_ seq: Seq, _ item: OutboxState.Item) -> Draft {
    let discarded = OutboxDiscarded(enqueued: seq, reason: nil)
    return draft(discarded, about: seq, item, cause: .earlierInBatch(1), suffix: "/dropped")
  }

  func doubt(
    _ seq: Seq,
    _ reason: OutboxInDoubt.Reason,
    _ retryAt: DeviceTime?
  ) throws(Outbox.Refusal) -> [Draft] {
    let item = try item(seq)
    guard item.standing == .inFlight, let sent = item.lastSent else { throw .notSent }
    let doubt = OutboxInDoubt(enqueued: seq, sent: sent, reason: reason, retryAt: retryAt)
    let draft = draft(doubt, about: seq, item, cause: .entry(sent))
    return StoreRule.outboxInDoubt.isOn ? [draft] : [draft, discarded(seq, item)]
  }

  func retire(_ seq: Seq, behind count: Int) throws(Outbox.Refusal) -> Draft {
    let item = try item(seq)
    guard item.standing == .answered else { throw .notAnswered }
    let retired = OutboxRetired(enqueued: seq)
    return draft(retired, about: seq, item, cause: .earlierInBatch(count), suffix: "/retired")
  }

  func park(_ seq: Seq, _ reason: OutboxParked.Reason) throws(Outbox.Refusal) -> Draft {
    let item = try item(seq)
    switch item.standing {
    case .pending, .inDoubt, .held: break
    case .inFlight: throw .underWay
    case .answered: throw .answered
    case .parked: throw .waits
    }
    return draft(OutboxParked(enqueued: seq, reason: reason), about: seq, item)
  }

  func retry(_ seq: Seq, _ reason: OutboxRetried.Reason) throws(Outbox.Refusal) -> Draft {
    let item = try item(seq)
    switch (item.standing, reason) {
    case (.held, _), (.parked, .requested), (.pending, .requested), (.inDoubt, .requested): break
    case (.inFlight, _): throw .underWay
    case (.answered, _): throw .answered
    case (.parked, .signedIn), (.pending, .signedIn), (.inDoubt, .signedIn): throw .waits
    }
    return draft(OutboxRetried(enqueued: seq, reason: reason), about: seq, item)
  }

  func discard(_ seq: Seq, _ reason: String?) throws(Outbox.Refusal) -> Draft {
    let item = try item(seq)
    if item.standing == .inFlight { throw .underWay }
    return draft(OutboxDiscarded(enqueued: seq, reason: reason), about: seq, item)
  }
}
