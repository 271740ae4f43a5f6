internal import TidemarkEntries

/// Late replies, and what is kept of their surroundings until they are judged.
extension RaceWalk {
  mutating func refuse(_ entry: Entry, _ store: Seq) throws(EntryError) -> Candidate? {
    guard let refused = try entry.decode(ReadRefused.self),
      let begin = begins.removeValue(forKey: refused.begin), let scope = scopes[store]
    else { return nil }
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
    race.keepsSame = keeps(refused.body, at: begin.path, store)
    var candidate = Candidate(race: race, late: refused.body, place: place)
    if refused.reason.isOfReply { overtake(at: place, by: entry) }
    switch refused.reason {
    case .generation:
      addChanges(to: &candidate, since: begin)
      guard let first = candidate.changes.first else { return nil }
      race.over = .change(first.change)
    case .superseded:
      // Only a read that landed already can be overwritten.
      let known = landings[place] ?? []
      guard let newer = known.last, let other = newer.begin, other > begin.seq else {
        return nil
      }
      race.over = .read(begin: other, landed: newer.seq)
      candidate.newer = newer.body
      candidate.before = known.count > 1 ? known[known.count - 2].body : nil
    default: return nil
    }
    candidate.race = race
    return candidate
  }

  /// The changes that a late read may have missed, and what tells whether it has.
  func addChanges(to candidate: inout Candidate, since begin: Begin) {
    guard let store = stores[begin.store] else { return }
    let path = begin.path
    let since = begin.seq.next..<Seq(.max)
    candidate.changes = store.answered(RaceWalk.changesMax, touching: path, in: since)
    guard !candidate.changes.isEmpty else { return }
    let earlier = Seq(0)..<begin.seq.next
    candidate.others = store.answered(RaceWalk.othersMax, touching: path, in: earlier)
    candidate.inFlight = store.inFlight(RaceWalk.changesMax, touching: path)
    candidate.landings = (landings[candidate.place] ?? []) + (recent[begin.store] ?? [])
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
