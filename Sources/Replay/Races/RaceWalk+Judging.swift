internal import TidemarkEntries
internal import TidemarkJournalStore

/// What the contents say of the late replies.
extension RaceWalk {
  /// Takes note of an entry, and judges it if it is a late reply.
  mutating func judge(_ entry: Entry) throws(JournalError) {
    var late: Candidate?
    do throws(EntryError) { late = try visit(entry) } catch {
      findings.append(Finding(.entryMalformed, error.message, at: entry.seq))
    }
    guard let late else { return }
    add(try judged(late), at: late.place)
  }

  private mutating func judged(_ candidate: Candidate) throws(JournalError) -> Race {
    var race = candidate.race
    let late = try document(candidate.late, of: candidate.race.refused)
    guard !candidate.changes.isEmpty else {
      let evidence = try crossing(candidate, late)
      (race.degree, race.evidence) = (evidence.degree, evidence.reason)
      return race
    }
    // Several changes may have come between: the one that shows most counts.
    var worst: (evidence: Evidence, change: Race.Change)?
    var history: History?
    for answered in candidate.changes {
      let change = try judged(answered)
      var evidence = Evidence.judge(late: late, at: race.path, over: change)
      // What else is known can only take a doubt away, or decide it.
      if evidence.degree.rank <= Race.Degree.possible.rank {
        if history == nil { history = try self.history(of: candidate) }
        let known = history ?? History()
        evidence = Evidence.judge(late: late, at: race.path, over: change, knowing: known)
      }
      if let known = worst, known.evidence.degree.rank <= evidence.degree.rank { continue }
      worst = (evidence, answered.change)
      if evidence.degree == .certain { break }
    }
    if let worst {
      race.over = .change(worst.change)
      (race.degree, race.evidence) = (worst.evidence.degree, worst.evidence.reason)
    }
    return race
  }

  /// Of two that crossed: two reads, or the answer to a change and another write.
  private mutating func crossing(_ candidate: Candidate, _ late: Document?) throws(JournalError)
    -> Evidence
  {
    let newer = try document(candidate.newer)
    guard case .write(let seq, let writer) = candidate.race.over else {
      return Evidence.judge(late: late, newer: newer, before: try document(candidate.before))
    }
    let name =
      switch writer {
      case .change(let change): "the answer to \(change.method) \(change.path)"
      case .read: "what was read at entry \(seq)"
      case .other: "what was written at entry \(seq)"
      }
    return Evidence.judge(answer: late, written: newer, by: name)
  }

  private mutating func history(of candidate: Candidate) throws(JournalError) -> History {
    var history = History()
    for sent in candidate.inFlight.reversed() {
      history.changes.append(
        History.Known(
          JudgedChange(
            sentAt: sent.seq,
            method: sent.kind.method,
            path: sent.path,
            sent: try document(sent.kind.body, of: sent.seq)
          )
        )
      )
    }
    for answered in (candidate.others + candidate.changes).reversed() {
      history.changes.append(History.Known(try judged(answered)))
    }
    var seen: Set<Seq> = []
    for landing in candidate.landings where seen.insert(landing.seq).inserted {
      guard let rows = try document(landing.body, of: landing.seq)?.rows else { continue }
      history.copies.append(History.Copy(seq: landing.seq, rows: rows))
    }
    return history
  }

  private mutating func judged(_ answered: Answered) throws(JournalError) -> JudgedChange {
    JudgedChange(
      sentAt: answered.change.sent,
      answeredAt: answered.change.answered,
      method: answered.change.method,
      path: answered.change.path,
      status: answered.change.status,
      removed: answered.removed,
      answer: try document(answered.answer, of: answered.change.answered),
      sent: try document(answered.sent, of: answered.change.sent)
    )
  }

  private mutating func document(
    _ body: BodyReference?,
    of seq: Seq? = nil
  ) throws(JournalError) -> Document? {
    try documents.document(body, of: seq)
  }
}
