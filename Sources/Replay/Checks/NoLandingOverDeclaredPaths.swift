internal import TidemarkEntries
package import TidemarkJournalStore

/// No read lands once a change that declared its path was answered after it began.
///
/// A landing is an instance only if such a change, of whatever paths, was answered meanwhile.
package struct NoLandingOverDeclaredPaths: Check {
  package static let rule = "F2p"
  package static let sentence = "No read lands behind an answer that declared its path."
  package static let code = FindingCode.lateLanding

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .landed = judged.content, let ticket = judged.ticket else { return }
    let fences = facts.stores[ticket.store].fences
    let declared = fences.declared(after: ticket.seq)
    guard !declared.isEmpty else { return }
    verdict.count()
    // A landing behind a fence of the whole store is found already.
    guard fences.firstWhole(after: ticket.seq) == nil else { return }
    let path = facts.path(ticket.path)
    guard let fence = declared.first(where: { $0.touches.contains { $0.covers(path) } }) else {
      return
    }
    verdict.find(
      """
      ticket \(facts.name(of: ticket)) began at \(ticket.seq); a change that declared its path \
      was answered at \(fence.seq); the reply landed at \(judged.seq)
      """,
      at: judged.seq,
      witness: fence.seq,
      scope: facts.scope(of: ticket.store),
      path: path
    )
  }
}
