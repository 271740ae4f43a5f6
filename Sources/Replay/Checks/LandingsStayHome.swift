internal import TidemarkEntries
package import TidemarkJournalStore

/// A read lands in the store and under the path that it began in.
package struct LandingsStayHome: Check {
  package static let rule = "F2"
  package static let sentence = "A read lands where it began: in its store, under its path."
  package static let code = FindingCode.retiredLanding

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .landed = judged.content, let ticket = judged.ticket, let store = judged.store,
      let link = judged.links.first
    else { return }
    verdict.count()
    if store != ticket.store {
      let (home, other) = (facts.stores[ticket.store].opening, facts.stores[store].opening)
      verdict.find(
        """
        ticket \(facts.name(of: ticket)) began in the store \(home), and landed at \(judged.seq) \
        in the store \(other)
        """,
        at: judged.seq,
        witness: ticket.seq,
        scope: facts.scope(of: store),
        path: facts.path(link.path),
        expected: "\(home)",
        actual: "\(other)"
      )
    } else if link.path != ticket.path {
      let (home, other) = (facts.path(ticket.path), facts.path(link.path))
      verdict.find(
        """
        ticket \(facts.name(of: ticket)) began for \(home), and landed at \(judged.seq) under \
        \(other)
        """,
        at: judged.seq,
        witness: ticket.seq,
        scope: facts.scope(of: store),
        path: other,
        expected: "\(home)",
        actual: "\(other)"
      )
    }
  }
}
