internal import TidemarkEntries
package import TidemarkJournalStore

/// No read lands once a fence of its whole store came after it began.
///
/// Fences that bound themselves to declared paths are judged by ``NoLandingOverDeclaredPaths``,
/// the end of a store by ``NothingAfterRetirement``.
package struct NoLateLanding: Check {
  package static let rule = "F2"
  package static let sentence = "No read lands behind a fence of its store."
  package static let code = FindingCode.lateLanding

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .landed = judged.content, let ticket = judged.ticket else { return }
    verdict.count()
    let fences = facts.stores[ticket.store].fences
    guard let fence = fences.firstWhole(after: ticket.seq) else { return }
    verdict.find(
      """
      ticket \(facts.name(of: ticket)) began at \(ticket.seq); its store was fenced at \(fence); \
      the reply landed at \(judged.seq)
      """,
      at: judged.seq,
      witness: fence,
      scope: facts.scope(of: ticket.store),
      path: facts.path(ticket.path)
    )
  }
}
