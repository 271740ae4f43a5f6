internal import TidemarkEntries
package import TidemarkJournalStore

/// Only the latest read of a path lands.
package struct NoSupersededLanding: Check {
  package static let rule = "F2"
  package static let sentence = "No read lands behind a later read of its path."
  package static let code = FindingCode.supersededLanding

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .landed = judged.content, let ticket = judged.ticket,
      let known = facts.facts(of: ticket.path, in: ticket.store), let latest = known.begin
    else { return }
    verdict.count()
    guard latest > ticket.seq else { return }
    verdict.find(
      """
      ticket \(facts.name(of: ticket)) began at \(ticket.seq); a later read of the path began at \
      \(latest); the reply to the earlier one landed at \(judged.seq)
      """,
      at: judged.seq,
      witness: latest,
      scope: facts.scope(of: ticket.store),
      path: facts.path(ticket.path)
    )
  }
}
