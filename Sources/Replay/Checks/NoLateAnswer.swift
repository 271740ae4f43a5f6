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
    switch judged.content {
    case .answered, .copied: break
    default: return
    }
    guard let ticket = judged.ticket, ticket.store == judged.store else { return }
    for link in judged.links where link.role == .write {
      verdict.count()
      // What is lost may have held a later write, with a revision.
      guard let write = facts.lastWrite(of: link.path), write.seq > ticket.seq,
        write.seq > facts.blind.lastDamage, link.revision == nil || !write.hasRevision
      else { continue }
      verdict.find(
        """
        the change sent at \(ticket.seq) was answered at \(judged.seq) and wrote the path, which \
        was written at \(write.seq)
        """,
        at: judged.seq,
        witness: write.seq,
        scope: facts.scope(of: ticket.store),
        path: facts.path(link.path)
      )
    }
  }
}
