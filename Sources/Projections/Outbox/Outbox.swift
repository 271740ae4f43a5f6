package import TidemarkEntries

/// Authored work on its way to servers, which nothing drops but the server's answer or a person.
package enum Outbox: Projection {
  package static let name = "outbox"
  package static let version = 2
  package static var empty: OutboxState { OutboxState() }

  package static func evolve(_ state: inout OutboxState, by entry: Entry) throws(EntryError) {
    switch entry.kind {
    case StoreOpened.number: try state.open(entry)
    case OutboxEnqueued.number: try state.enqueue(entry)
    case OutboxSent.number: try state.send(entry)
    case OutboxAnswered.number: try state.answer(entry)
    case OutboxInDoubt.number: try state.doubt(entry)
    case OutboxRetired.number: try state.retire(entry)
    case OutboxParked.number: try state.park(entry)
    case OutboxRetried.number: try state.retry(entry)
    case OutboxDiscarded.number: try state.discard(entry)
    #if DEBUG
      case GenerationBumped.number where !StoreRule.clearKeepsOutbox.isOn: try state.clear(entry)
    #endif
    default: break
    }
  }
}

extension OutboxState {
  fileprivate mutating func open(_ entry: Entry) throws(EntryError) {
    guard let opened = try entry.decode(StoreOpened.self) else { return }
    scopes[entry.seq] = opened.scope
  }

  fileprivate mutating func enqueue(_ entry: Entry) throws(EntryError) {
    guard let enqueued = try entry.decode(OutboxEnqueued.self),
      let store = entry.store, let scope = scopes[store], let path = try entry.paths.first?.path
    else { return }
    items[entry.seq] = Item(
      key: entry.key,
      scope: scope,
      store: store,
      method: enqueued.method,
      lane: enqueued.lane,
      path: path,
      body: enqueued.body,
      files: enqueued.files ?? [],
      touches: enqueued.touches,
      label: enqueued.label,
      link: enqueued.link,
      share: enqueued.share,
      authored: entry.time,
      ttl: enqueued.ttl
    )
    keys[entry.key] = entry.seq
    lanes[Lane(scope, enqueued.lane), default: []].append(entry.seq)
  }

  fileprivate mutating func send(_ entry: Entry) throws(EntryError) {
    guard let sent = try entry.decode(OutboxSent.self) else { return }
    change(sent.enqueued) { item in
      item.standing = .inFlight
      item.attempts += 1
      item.firstSent = item.firstSent ?? entry.seq
      item.lastSent = entry.seq
      item.retryAt = nil
    }
  }

  fileprivate mutating func answer(_ entry: Entry) throws(EntryError) {
    guard let answered = try entry.decode(OutboxAnswered.self) else { return }
    change(answered.enqueued) { item in
      if !answered.isInProgress { item.doubtSince = nil }
      item.retryAt = answered.retryAt
      switch answered.verdict {
      case .accepted, .duplicate:
        item.standing = .answered
        item.answer = Answer(
          seq: entry.seq,
          status: answered.status,
          body: answered.answer
        )
      // What may be at work is as much in doubt as before.
      case .busy: item.standing = item.doubtSince == nil ? .pending : .inDoubt
      case .held: item.standing = .held
      case .rejected: item.standing = .parked(.rejected)
      }
    }
  }

  fileprivate mutating func doubt(_ entry: Entry) throws(EntryError) {
    guard let doubt = try entry.decode(OutboxInDoubt.self) else { return }
    change(doubt.enqueued) { item in
      item.retryAt = doubt.retryAt
      if doubt.reason == .unreachable {
        // Nothing left the device: what was in doubt before still is, and nothing is spent.
        item.attempts -= item.attempts > 0 ? 1 : 0
        item.standing = item.doubtSince == nil ? .pending : .inDoubt
      } else {
        item.standing = .inDoubt
        item.doubtSince = item.doubtSince ?? entry.time
      }
    }
  }

  fileprivate mutating func retire(_ entry: Entry) throws(EntryError) {
    guard let retired = try entry.decode(OutboxRetired.self), settle(retired.enqueued) else {
      return
    }
    self.retired += 1
  }

  fileprivate mutating func park(_ entry: Entry) throws(EntryError) {
    guard let parked = try entry.decode(OutboxParked.self) else { return }
    change(parked.enqueued) { $0.standing = .parked(parked.reason) }
  }

  fileprivate mutating func retry(_ entry: Entry) throws(EntryError) {
    guard let retried = try entry.decode(OutboxRetried.self) else { return }
    change(retried.enqueued) { item in
      item.retryAt = nil
      // A person who lets an old doubt go again has seen that the server may have it.
      item.doubtSince = nil
      item.standing = .pending
    }
  }

  fileprivate mutating func discard(_ entry: Entry) throws(EntryError) {
    guard let discarded = try entry.decode(OutboxDiscarded.self), settle(discarded.enqueued) else {
      return
    }
    self.discarded += 1
  }

  private mutating func change(_ seq: Seq, _ change: (inout Item) -> Void) {
    guard var item = items[seq] else { return }
    change(&item)
    items[seq] = item
  }

  @discardableResult
  mutating func settle(_ seq: Seq) -> Bool {
    guard let item = items.removeValue(forKey: seq) else { return false }
    keys[item.key] = nil
    let lane = Lane(item.scope, item.lane)
    lanes[lane]?.removeAll { $0 == seq }
    if lanes[lane]?.isEmpty == true { lanes[lane] = nil }
    return true
  }
}

// What stories without a rule do; see ``StoreRule``.
#if DEBUG
  extension OutboxState {
    /// Drops the work of a scope with its copies.
    fileprivate mutating func clear(_ entry: Entry) throws(EntryError) {
      guard let scope = entry.store.flatMap({ scopes[$0] }),
        try entry.decode(GenerationBumped.self)?.reason == .cleared
      else { return }
      for (seq, item) in queue where item.scope == scope { settle(seq) }
    }

    /// Drops what is past its time by a clock of today, as no fold may.
    package mutating func expire(at now: DeviceTime) {
      for (seq, item) in queue {
        guard let end = item.expires, end.milliseconds < now.milliseconds else { continue }
        settle(seq)
      }
    }
  }
#endif
