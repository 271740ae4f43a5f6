package import TidemarkEntries
internal import TidemarkHashing

/// How it stands with what waits in the outbox, by the positions of the entries before.
///
/// Memory goes with what is not settled. What has its beginning before damage is not judged: the
/// damage may have held what became of it.
package struct OutboxFacts {
  /// What a user did.
  package struct Item {
    package var enqueued: Seq

    /// The number of the scope that it is for, and of its path there.
    package var scope: Int
    package var path: Int
    package var key: IdempotencyKey
    package var method: String
    package var lane: [UInt8]

    /// SHA-256 of the commitments of its content and its files.
    package var content: Digest
    package var fileCount: Int
    package var touches: [Touch]?
    package var firstSent: Seq?

    /// The attempt that has not ended.
    package var attempt: Seq?

    /// The last answer, with what it says.
    package var answered: (seq: Seq, verdict: OutboxAnswered.Verdict)?

    /// The answer by which the server has it, and whether that says anything.
    package var acknowledged: (seq: Seq, saysSomething: Bool)?

    /// Since when nobody knows whether the server has it.
    package var doubt: Seq?

    /// The entry by which it waits for a person.
    package var waits: Seq?

    /// The last copies of its answer.
    package var copied: Copied?
  }

  /// The copies of an answer.
  package struct Copied {
    package var seq: Seq
    package var store: Int

    /// The paths that were written, or that something newer stands on.
    package var paths: Set<Int>
  }

  private struct Lane: Hashable {
    var scope: Int
    var name: [UInt8]
  }

  package private(set) var items: [Seq: Item] = [:]
  private var lanes: [Lane: [Seq]] = [:]
  private var ended = SeqSet()

  /// Whether the item that came by `seq` was retired or discarded.
  package func hasEnded(_ seq: Seq) -> Bool { ended.contains(seq) }

  /// The first of what waits in the lane of `item`.
  package func first(inLaneOf item: Item, after damage: Seq) -> Seq? {
    lanes[Lane(scope: item.scope, name: item.lane)]?.first { $0 > damage }
  }
}

extension OutboxFacts {
  /// Takes in an entry of the store with number `store`, in the scope with number `scope`.
  mutating func settle(
    _ judged: JudgedEntry,
    in store: Int,
    of scope: Int,
    _ answer: JournalFacts.Answer?
  ) {
    switch judged.content {
    case .outbox(let event): settle(event, judged, of: scope)
    case .copied(let copied):
      let paths = judged.links.filter { $0.role == .write }.map(\.path)
      items[copied.enqueued]?.copied = Copied(seq: judged.seq, store: store, paths: Set(paths))
    case .suppressed where judged.answer != nil:
      guard let item = answer?.delivery else { return }
      for link in judged.links { items[item]?.copied?.paths.insert(link.path) }
    default: break
    }
  }

  private mutating func settle(
    _ event: JudgedEntry.OutboxEvent,
    _ judged: JudgedEntry,
    of scope: Int
  ) {
    switch event {
    case .enqueued(let enqueued): enqueue(enqueued, judged, of: scope)
    case .sent(let sent):
      items[sent.enqueued]?.attempt = judged.seq
      if items[sent.enqueued]?.firstSent == nil { items[sent.enqueued]?.firstSent = judged.seq }
    case .answered(let answered): settle(answered, at: judged.seq)
    case .inDoubt(let doubt):
      items[doubt.enqueued]?.attempt = nil
      if doubt.reason != .unreachable { items[doubt.enqueued]?.doubt = judged.seq }
    case .parked(let parked): items[parked.enqueued]?.waits = judged.seq
    case .retried(let retried):
      items[retried.enqueued]?.waits = nil
      items[retried.enqueued]?.doubt = nil
    case .retired(let retired): end(retired.enqueued)
    case .discarded(let discarded): end(discarded.enqueued)
    }
  }

  private mutating func enqueue(_ enqueued: OutboxEnqueued, _ judged: JudgedEntry, of scope: Int) {
    guard let link = judged.links.first else { return }
    let files = enqueued.files ?? []
    var hash = SHA256Hash()
    for body in [enqueued.body].compactMap(\.self) + files.map(\.body) {
      hash.update(body.commitment.bytes)
    }
    let item = Item(
      enqueued: judged.seq,
      scope: scope,
      path: link.path,
      key: judged.entry.key,
      method: enqueued.method,
      lane: Array(enqueued.lane.utf8),
      content: Digest(words: hash.finish()),
      fileCount: files.count,
      touches: enqueued.touches
    )
    items[judged.seq] = item
    lanes[Lane(scope: scope, name: item.lane), default: []].append(judged.seq)
  }

  private mutating func settle(_ answered: OutboxAnswered, at seq: Seq) {
    guard var item = items[answered.enqueued] else { return }
    item.attempt = nil
    if !answered.isInProgress { item.doubt = nil }
    item.answered = (seq, answered.verdict)
    switch answered.verdict {
    case .accepted, .duplicate:
      item.acknowledged = (seq, answered.answer.map { $0.byteCount > 0 } ?? false)
    case .held: item.waits = seq
    case .busy, .rejected: break
    }
    items[answered.enqueued] = item
  }

  private mutating func end(_ seq: Seq) {
    guard let item = items.removeValue(forKey: seq) else { return }
    ended.insert(seq)
    let lane = Lane(scope: item.scope, name: item.lane)
    lanes[lane]?.removeAll { $0 == seq }
    if lanes[lane]?.isEmpty == true { lanes[lane] = nil }
  }
}
