internal import TidemarkEntries
package import TidemarkJournalStore

/// What begins ends at most once, and what ends has begun, in the same store and path.
///
/// A read ends by a landing or a refusal, a change by an answer (written, suppressed, or both in
/// one append) or a failure. What is still in flight at the end is counted and is no finding. Where
/// a landing belongs is judged by ``LandingsStayHome``.
package struct TicketsEndOnce: Check {
  package static let rule = "F3"
  package static let sentence = "What begins ends once, and what ends has begun."
  package static let code = FindingCode.ticketUnbalanced

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    switch judged.content {
    case .landed(let landed): judge("read", landed.begin, judged, facts, &verdict)
    case .refused(let refused):
      judge("read", refused.begin, judged, facts, &verdict)
      judgeHome(judged, facts, &verdict)
    case .answered(let answered):
      judge("change", answered.mutation, judged, facts, &verdict)
      judgeStore(judged, facts, &verdict)
    case .suppressed(let suppressed) where judged.answer == nil:
      judge("change", suppressed.mutation, judged, facts, &verdict)
      judgeStore(judged, facts, &verdict)
    case .failed(let failed):
      judge("change", failed.mutation, judged, facts, &verdict)
      judgeHome(judged, facts, &verdict)
    default: break
    }
  }

  private func judge(
    _ what: String,
    _ begin: Seq,
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard !facts.isBlind(begin) else { return }
    verdict.count()
    guard judged.ticket == nil else { return }
    let earlier = earlierEnd(of: begin, judged, facts)
    let message =
      if !facts.hasBegun(at: begin) || facts.tickets[begin] != nil {
        "a \(what) that began at \(begin) ended at \(judged.seq); no \(what) began there"
      } else if let earlier {
        "the \(what) that began at \(begin) ended at \(earlier), and again at \(judged.seq)"
      } else {
        "the \(what) that began at \(begin) ended again at \(judged.seq)"
      }
    verdict.find(
      message,
      at: judged.seq,
      witness: earlier ?? begin,
      scope: judged.store.flatMap { facts.scope(of: $0) },
      path: judged.links.first.map { facts.path($0.path) }
    )
  }

  /// Where the ticket ended before, if nothing else of its path has ended since.
  private func earlierEnd(of begin: Seq, _ judged: JudgedEntry, _ facts: JournalFacts) -> Seq? {
    guard let store = judged.store, let link = judged.links.first,
      let end = facts.facts(of: link.path, in: store)?.end, end.ticket == begin
    else { return nil }
    return end.seq
  }

  private func judgeHome(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard judgeStore(judged, facts, &verdict), let ticket = judged.ticket,
      let link = judged.links.first, link.path != ticket.path
    else { return }
    let (home, other) = (facts.path(ticket.path), facts.path(link.path))
    verdict.find(
      "what began at \(ticket.seq) for \(home) ended at \(judged.seq) for \(other)",
      at: judged.seq,
      witness: ticket.seq,
      scope: facts.scope(of: ticket.store),
      path: other,
      expected: "\(home)",
      actual: "\(other)"
    )
  }

  /// Whether the entry ends what began in its own store.
  @discardableResult
  private func judgeStore(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) -> Bool {
    guard let ticket = judged.ticket, let store = judged.store, ticket.store != store else {
      return true
    }
    let (home, other) = (facts.stores[ticket.store].opening, facts.stores[store].opening)
    verdict.find(
      """
      what began at \(ticket.seq) in the store \(home) \
      ended at \(judged.seq) in the store \(other)
      """,
      at: judged.seq,
      witness: ticket.seq,
      scope: facts.scope(of: store),
      path: judged.links.first.map { facts.path($0.path) },
      expected: "\(home)",
      actual: "\(other)"
    )
    return false
  }
}
