package import TidemarkEntries

extension Pins {
  /// What may be asked of the pins of a store that is open.
  package enum Submission: Sendable {
    /// The user takes pins off; ids that no snapshot shows are passed over.
    case remove([ItemID])

    /// Begin a pass.
    case start

    /// The whole list, in answer to the pass that began at a seq.
    case receive(Seq, [PinVersion], BodyReference, status: UInt64)

    /// The pass ended without a list.
    case end(Seq, PinsRefused.Reason, status: UInt64?, BodyReference?)

    /// What the replica holds could not be read.
    case freeze(detail: String)

    /// A person lets it be made anew.
    case restore
  }

  /// Why something is not done.
  package enum Refusal: Error, Sendable, Hashable {
    case noStore(Seq)

    /// A pass is under way.
    case underWay

    /// The replica cannot be read.
    case unreadable

    /// No pass that began at this entry is under way.
    case unknown(Seq)

    /// The replica can be read.
    case readable
  }

  /// Whether these are the pins of a list: every id is there, once, and fits into an entry.
  package static func isList(_ pins: [PinVersion]) -> Bool {
    guard StoreRule.replicaValidate.isOn else { return true }
    return Set(pins.map(\.id)).count == pins.count
      && pins.allSatisfy { (1...idBytesMax).contains($0.id.bytes.count) }
  }

  /// How many bytes of ids one entry takes; more go into further entries, or the next pass.
  package static let idBytesMax = 32_768

  /// Makes of a submission the entries that say what comes of it; pure, one append.
  ///
  /// - Parameters:
  ///   - submission: what is asked of the pins.
  ///   - store: the incarnation that it is asked of.
  ///   - state: what the decision rests on.
  ///   - key: names the submission.
  ///   - now: what the device's clock says.
  /// - Returns: the drafts; none if nothing comes of it.
  /// - Throws: ``Refusal`` if it may not be.
  package static func decide(
    _ submission: Submission,
    in store: Seq,
    on state: PinsState,
    key: IdempotencyKey,
    at now: DeviceTime
  ) throws(Refusal) -> [Draft] {
    guard let list = state.list(openedAt: store) else { throw .noStore(store) }
    let decision = PinsDecision(list: list, key: key, now: now)
    return switch submission {
    case .remove(let ids): decision.remove(ids)
    case .start: [try decision.start()]
    case .receive(let sent, let pins, let body, let status):
      try decision.receive(sent, pins, body, status)
    case .end(let sent, let reason, let status, let body):
      [try decision.end(sent, reason, status, body)]
    case .freeze(let detail): decision.freeze(detail)
    case .restore: [try decision.restore()]
    }
  }
}

private struct PinsDecision {
  let list: PinsState.List
  let key: IdempotencyKey
  let now: DeviceTime

  private func draft(
    _ kind: some EntryKind,
    cause: Draft.Cause? = nil,
    suffix: String = ""
  ) -> Draft {
    Draft(kind, key: key.with(suffix), store: .opened(list.store), time: now, cause: cause)
  }

  /// Only what a snapshot shows can be taken off, at the version that it shows.
  func remove(_ ids: [ItemID]) -> [Draft] {
    var pins: [PinVersion] = []
    var seen: Set<ItemID> = []
    for id in ids {
      guard let version = list.snapshot?.pins[id], seen.insert(id).inserted,
        list.removals[id] == nil || list.removals[id]?.version != version
      else { continue }
      pins.append(PinVersion(id: id, version: version))
    }
    return chunks(of: pins).enumerated().map { index, pins in
      draft(PinsRemoved(pins: pins), suffix: index == 0 ? "" : "/\(index)")
    }
  }

  /// Requests of a list are serial: the ids that were taken off go out, never the list.
  func start() throws(Pins.Refusal) -> Draft {
    guard list.unreadable == nil else { throw .unreadable }
    guard list.pass == nil || !StoreRule.replicaSerial.isOn else { throw .underWay }
    return draft(PinsSent(pins: chunks(of: list.queued).first ?? []))
  }

  private func check(_ sent: Seq) throws(Pins.Refusal) {
    guard list.pass?.sent == sent || !StoreRule.replicaSerial.isOn else { throw .unknown(sent) }
  }

  /// A list is taken whole and valid, or not at all.
  func receive(
    _ sent: Seq,
    _ pins: [PinVersion],
    _ body: BodyReference,
    _ status: UInt64
  ) throws(Pins.Refusal) -> [Draft] {
    try check(sent)
    guard list.unreadable == nil else { throw .unreadable }
    guard Pins.isList(pins) else {
      return [try end(sent, .malformed, status, body)]
    }
    let chunks = chunks(of: pins)
    let received = PinsReceived(
      sent: sent,
      status: status,
      body: body,
      count: UInt64(pins.count),
      pins: chunks.first ?? []
    )
    return [draft(received, cause: .entry(sent))]
      + chunks.dropFirst().enumerated().map { index, pins in
        draft(PinsListed(pins: pins), cause: .earlierInBatch(index + 1), suffix: "/\(index)")
      }
  }

  func end(
    _ sent: Seq,
    _ reason: PinsRefused.Reason,
    _ status: UInt64?,
    _ body: BodyReference?
  ) throws(Pins.Refusal) -> Draft {
    try check(sent)
    return draft(
      PinsRefused(sent: sent, reason: reason, status: status, body: body),
      cause: .entry(sent)
    )
  }

  func freeze(_ detail: String) -> [Draft] {
    guard list.unreadable == nil else { return [] }
    return [draft(StoreUnreadable(part: .pins, detail: detail))]
  }

  func restore() throws(Pins.Refusal) -> Draft {
    guard let unreadable = list.unreadable else { throw .readable }
    return draft(
      StoreRestored(part: .pins, unreadable: unreadable),
      cause: .entry(unreadable)
    )
  }

  /// The pins in parts that fit into an entry each.
  private func chunks(of pins: [PinVersion]) -> [[PinVersion]] {
    var chunks: [[PinVersion]] = []
    var byteCount = Pins.idBytesMax
    for pin in pins {
      byteCount += pin.id.bytes.count + 16
      if byteCount > Pins.idBytesMax {
        chunks.append([])
        byteCount = pin.id.bytes.count + 16
      }
      chunks[chunks.count - 1].append(pin)
    }
    return chunks
  }
}
