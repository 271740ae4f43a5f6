internal import TidemarkEntries
package import TidemarkJournalStore

/// An answer writes a path only if nothing was written there since its change was sent.
///
/// Where both carry a revision, the order is the server's and ``RevisionsNeverFall`` judges it.
package struct NoLateAnswer: Check {
  package static let rule = "F5"
  package static let sentence = "No answer writes over what was written since its change was sent."
  package static let code = FindingCode.lateAnswer

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .answered = judged.content, let ticket = judged.ticket, ticket.store == judged.store
    else { return }
    for link in judged.links where link.role == .write {
      guard let known = facts.facts(of: link.path, in: ticket.store) else { continue }
      verdict.count()
      // What is lost may have held a later write, with a revision.
      guard let write = known.write, write > ticket.seq, write > facts.blind.lastDamage,
        link.revision == nil || !known.writeHasRevision
      else { continue }
      verdict.find(
        """
        the change sent at \(ticket.seq) was answered at \(judged.seq) and wrote the path, which \
        was written at \(write)
        """,
        at: judged.seq,
        witness: write,
        scope: facts.scope(of: ticket.store),
        path: facts.path(link.path)
      )
    }
  }
}
