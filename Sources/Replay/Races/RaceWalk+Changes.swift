internal import TidemarkEntries

/// Changes: as they are sent, and answered.
extension RaceWalk {
  mutating func send(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let kind = try entry.decode(MutationSent.self), let path = try entry.paths.first?.path
    else { return }
    origins[entry.seq] = store
    stores[store, default: StoreChanges()].send(
      Sent(seq: entry.seq, store: store, time: entry.time, path: path, kind: kind)
    )
  }

  /// The change that an entry settles; several entries of one append may be about it.
  mutating func settle(_ mutation: Seq) -> (sent: Sent, isFirst: Bool)? {
    if let found = end(mutation) {
      settled = found
      return (found, true)
    }
    guard let settled, settled.seq == mutation else { return nil }
    return (settled, false)
  }

  /// The change that was sent at `mutation`, which is not in flight any more.
  mutating func end(_ mutation: Seq) -> Sent? {
    guard let store = origins.removeValue(forKey: mutation) else { return nil }
    return stores[store]?.end(mutation)
  }

  mutating func answer(
    _ entry: Entry,
    _ store: Seq,
    _ answered: MutationAnswered
  ) throws(EntryError) {
    guard let (sent, isFirst) = settle(answered.mutation) else { return }
    let links = try entry.paths
    let own = answered.copies.first { copy in
      copy.path < UInt64(links.count) && links[Int(copy.path)].path == sent.path
    }
    let change = change(sent, answered: entry, status: answered.status)
    if isFirst {
      let isRemoval = answered.copies.isEmpty
      let removed = isRemoval ? answered.removals.filter { $0 < UInt64(links.count) } : []
      note(
        Answered(
          change: change,
          touches: sent.kind.touches,
          removed: removed.map { links[Int($0)].path },
          answer: answered.answer ?? own?.body ?? answered.copies.first?.body,
          sent: sent.kind.body
        ),
        store
      )
    }
    for removal in answered.removals where removal < UInt64(links.count) {
      copies[store]?[links[Int(removal)].path] = nil
    }
    for copy in answered.copies where copy.path < UInt64(links.count) {
      copies[store, default: [:]][links[Int(copy.path)].path] = copy.body
      let landing = Landing(seq: entry.seq, change: change, body: copy.body)
      note(landing, entry, store, links[Int(copy.path)].path)
    }
  }

  mutating func note(_ answered: Answered, _ store: Seq) {
    changes += 1
    stores[store, default: StoreChanges()].answer(answered)
    forgetAnswers(of: store)
  }

  func change(_ sent: Sent, answered entry: Entry, status: UInt64) -> Race.Change {
    Race.Change(
      sent: sent.seq,
      answered: entry.seq,
      method: sent.kind.method,
      path: sent.path,
      label: sent.kind.label,
      sentAt: sent.time,
      answeredAt: entry.time,
      status: status
    )
  }

  mutating func suppress(_ entry: Entry, _ store: Seq) throws(EntryError) -> Candidate? {
    guard let suppressed = try entry.decode(MutationSuppressed.self),
      let (sent, isFirst) = settle(suppressed.mutation), let scope = scopes[store]
    else { return nil }
    let place = StorePathKey(store: store, path: try entry.paths.first?.path ?? sent.path)
    let written = landings[place]?.last { $0.seq == suppressed.witness }
    overtake(at: place, by: entry)
    var candidate = Candidate(
      race: Race(
        scope: scope,
        path: place.path,
        label: sent.kind.label,
        began: sent.seq,
        beganAt: sent.time,
        refused: entry.seq,
        refusedAt: entry.time,
        over: .write(suppressed.witness, by: writer(of: written)),
        degree: .possible,
        evidence: ""
      ),
      late: suppressed.answer,
      newer: written?.body,
      place: place
    )
    candidate.race.keepsSame = keeps(suppressed.answer, at: place.path, store)
    guard isFirst else { return candidate }
    note(
      Answered(
        change: change(sent, answered: entry, status: suppressed.status),
        touches: sent.kind.touches,
        answer: suppressed.answer,
        sent: sent.kind.body
      ),
      store
    )
    return candidate
  }

  func writer(of landing: Landing?) -> Race.Writer {
    if let change = landing?.change { return .change(change) }
    return landing?.begin.map { .read(begin: $0) } ?? .other
  }
}
