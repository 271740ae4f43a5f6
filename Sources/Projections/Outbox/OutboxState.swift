package import TidemarkEntries

/// What the outbox keeps: what users did that no server has confirmed.
package struct OutboxState: Sendable {
  /// One thing that a user did.
  package struct Item: Sendable {
    package var key: IdempotencyKey
    package var scope: Scope

    /// The incarnation of the scope that it was authored in.
    package var store: Seq
    package var method: String
    package var lane: String

    /// Where its copy will stand.
    package var path: Path
    package var body: BodyReference?
    package var files: [AttachedFile]
    package var touches: [Touch]?
    package var label: String?
    package var link: String?
    package var share: String?

    /// When the user did it, as the device's clock said.
    package var authored: DeviceTime

    /// For how long it is worth sending, in milliseconds, as its author said.
    package var ttl: UInt64?

    package var standing = Standing.pending

    /// How many attempts were made; those that never left do not count.
    package var attempts: UInt64 = 0

    /// The first attempt, and the last.
    package var firstSent: Seq?
    package var lastSent: Seq?

    /// Before this time no attempt is made, unless somebody asks for it.
    package var retryAt: DeviceTime?

    /// Since when nobody knows whether the server has it.
    package var doubtSince: DeviceTime?

    /// The entry that says that the server has it, with its status and what it said.
    package var answer: Answer?
  }

  /// That the server has an item.
  package struct Answer: Sendable {
    package var seq: Seq
    package var status: UInt64
    package var body: BodyReference?
  }

  /// How it stands with an item.
  package enum Standing: Sendable, Hashable {
    case pending

    /// An attempt is under way.
    case inFlight

    /// An attempt ended without an answer.
    case inDoubt

    /// The server has it; what it answered is still to be copied.
    case answered

    /// The server wants somebody to sign in.
    case held
    case parked(OutboxParked.Reason)
  }

  /// What is not settled, by the `outbox-enqueued` entry.
  package var items: [Seq: Item] = [:]

  /// Their keys.
  package var keys: [IdempotencyKey: Seq] = [:]

  /// What is not settled of each lane, in the order of authoring.
  package var lanes: [Lane: [Seq]] = [:]

  /// A lane of a scope.
  package struct Lane: Sendable, Hashable {
    package var scope: Scope

    /// Bytes: two spellings are two lanes.
    package var name: [UInt8]

    package init(_ scope: Scope, _ name: String) {
      self.scope = scope
      self.name = Array(name.utf8)
    }
  }

  /// The scope of every incarnation.
  package var scopes: [Seq: Scope] = [:]

  /// How many were retired, and how many discarded.
  package var retired: UInt64 = 0
  package var discarded: UInt64 = 0
}

extension OutboxState.Item {
  /// Until when it is worth sending.
  package var expires: DeviceTime? {
    ttl.map { authored.adding(milliseconds: Int64(clamping: $0)) }
  }
}

extension OutboxState {
  /// All that is not settled, in the order of authoring.
  package var queue: [(seq: Seq, item: Item)] {
    items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// What may be done now in `scope`, in the order of authoring: of each lane its first item, if
  /// that is not under way, held or parked, and its time has come.
  ///
  /// What is answered is among them: it is to be finished, not sent.
  package func ready(in scope: Scope, at now: DeviceTime) -> [Seq] {
    let lanes = lanes.filter { $0.key.scope == scope || !StoreRule.outboxScope.isOn }
    let first = lanes.flatMap { StoreRule.outboxFifo.isOn ? Array($0.value.prefix(1)) : $0.value }
      .sorted()
    guard StoreRule.outboxLaneIsolation.isOn else {
      return Array(first.prefix { isReady($0, at: now) })
    }
    return first.filter { isReady($0, at: now) }
  }

  /// The first of ``ready(in:at:)`` that `isWanted` says yes to.
  ///
  /// - Complexity: O(*n*) in the lanes; nothing is sorted.
  package func firstReady(
    in scope: Scope,
    at now: DeviceTime,
    where isWanted: (Item) -> Bool
  ) -> Seq? {
    guard StoreRule.outboxFifo.isOn, StoreRule.outboxLaneIsolation.isOn, StoreRule.outboxScope.isOn
    else {
      return ready(in: scope, at: now).first { items[$0].map(isWanted) ?? false }
    }
    var first: Seq?
    for (lane, seqs) in lanes where lane.scope == scope {
      guard let seq = seqs.first, first.map({ seq < $0 }) ?? true, isReady(seq, at: now),
        items[seq].map(isWanted) ?? false
      else { continue }
      first = seq
    }
    return first
  }

  private func isReady(_ seq: Seq, at now: DeviceTime) -> Bool {
    guard let item = items[seq] else { return false }
    switch item.standing {
    case .pending, .inDoubt: return item.retryAt.map { $0.milliseconds <= now.milliseconds } ?? true
    case .answered: return true
    case .inFlight: return !StoreRule.outboxInFlightLock.isOn
    case .held, .parked: return false
    }
  }

  /// The next time at which something of `scope` may go that may not go now.
  package func nextTime(in scope: Scope, after now: DeviceTime) -> DeviceTime? {
    lanes.filter { $0.key.scope == scope }.compactMap(\.value.first)
      .compactMap { seq -> DeviceTime? in
        guard let item = items[seq], item.standing == .pending || item.standing == .inDoubt else {
          return nil
        }
        return item.retryAt.flatMap { $0.milliseconds > now.milliseconds ? $0 : nil }
      }
      .min { $0.milliseconds < $1.milliseconds }
  }
}
