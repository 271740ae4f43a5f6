internal import TidemarkEntries

/// Late replies, and what is kept of their surroundings until they are judged.
extension RaceWalk {
  mutating func refuse(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let refused = try entry.decode(ReadRefused.self),
      let begin = begins.removeValue(forKey: refused.begin), let scope = scopes[store]
    else { return }
    let place = StorePathKey(store: store, path: begin.path)
    var race = Race(
      scope: scope,
      path: begin.path,
      label: begin.label,
      began: begin.seq,
      beganAt: begin.time,
      refused: entry.seq,
      refusedAt: entry.time,
      ticket: Ticket(incarnation: store, generation: begin.generation, begin: begin.seq),
      over: .write(refused.witness ?? entry.seq, by: .other),
      degree: .possible,
      evidence: ""
    )
    var candidate = Candidate(race: race, late: refused.body, place: place)
    if refused.reason.isOfReply { overtake(at: place, by: entry) }
    switch refused.reason {
    case .generation:
      addChanges(to: &candidate, since: begin)
      guard let first = candidate.changes.first else { return }
      race.over = .change(first.change)
    case .superseded:
      // Only a read that landed already can be overwritten.
      let known = landings[place] ?? []
      guard let newer = known.last, let other = newer.begin, other > begin.seq else { return }
      race.over = .read(begin: other, landed: newer.seq)
      candidate.newer = newer.body
      candidate.before = known.count > 1 ? known[known.count - 2].body : nil
    default: return
    }
    candidate.race = race
    add(candidate)
  }

  /// The changes that a late read may have missed, and what tells whether it has.
  func addChanges(to candidate: inout Candidate, since begin: Begin) {
    let known = (answers[begin.store]?.known ?? []).lazy.filter { answered in
      answered.touches?.contains { $0.covers(begin.path) } ?? true
    }
    let missed = known.filter { $0.change.answered > begin.seq }
    candidate.changes = Array(missed.suffix(RaceWalk.changesMax))
    guard !candidate.changes.isEmpty else { return }
    candidate.others = Array(known.filter { $0.change.answered <= begin.seq })
      .suffix(RaceWalk.othersMax)
    candidate.inFlight = sent.values.filter { sent in
      sent.store == begin.store && sent.kind.touches?.contains { $0.covers(begin.path) } ?? true
    }
    .sorted { $0.seq < $1.seq }.suffix(RaceWalk.changesMax)
    candidate.contents = (landings[candidate.place] ?? []) + (recent[begin.store] ?? [])
  }
}

extension ReadRefused.Reason {
  /// Whether a whole reply came, which an app without a fence takes.
  fileprivate var isOfReply: Bool {
    switch self {
    case .retired, .generation, .superseded, .older: true
    case .malformed, .incomplete, .cancelled, .failed: false
    }
  }
}
