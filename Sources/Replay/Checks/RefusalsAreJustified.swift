internal import TidemarkEntries
package import TidemarkJournalStore

/// A refusal names a witness that really makes what it refuses stale.
///
/// Without this, refusing everything would satisfy the other rules. For a reply the witness lies
/// between begin and refusal and is a fence of the store that covers the path, the latest read of
/// it, or the end of the store; for `older` it is the write that holds the highest revision. For
/// the answer to a change it is the last write of the path since the change was sent.
package struct RefusalsAreJustified: Check {
  package static let rule = "F4"
  package static let sentence = "Every refusal names an entry that makes it necessary."
  package static let code = FindingCode.witnessWrong

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard let ticket = judged.ticket, judged.store == ticket.store else { return }
    switch judged.content {
    case .refused(let refused) where refused.reason.needsWitness:
      judge(refused, of: ticket, judged, facts, &verdict)
    case .suppressed(let suppressed):
      for link in judged.links {
        judge(suppressed, of: ticket, link.path, judged, facts, &verdict)
      }
    default: break
    }
  }

  private func judge(
    _ refused: ReadRefused,
    of ticket: OpenTicket,
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    if let witness = refused.witness, facts.isBlind(witness) { return }
    verdict.count()
    let fault: String? =
      switch (refused.witness, refused.reason) {
      case (nil, _): "no witness"
      case (let witness?, .generation): fault(ofFence: witness, ticket, facts)
      case (let witness?, .superseded):
        facts.facts(of: ticket.path, in: ticket.store)?.begin == witness && witness > ticket.seq
          ? nil : "\(witness), which is not the latest read of the path"
      case (let witness?, .older):
        fault(ofFloor: witness, refused.revision, ticket.path, ticket, facts)
      case (let witness?, _): fault(ofEnd: witness, ticket, facts)
      }
    guard let fault else { return }
    verdict.find(
      """
      ticket \(facts.name(of: ticket)) began at \(ticket.seq) and was refused at \(judged.seq) as \
      '\(refused.reason.rawValue)', naming \(fault)
      """,
      at: judged.seq,
      witness: refused.witness,
      scope: facts.scope(of: ticket.store),
      path: facts.path(ticket.path)
    )
  }

  private func judge(
    _ suppressed: MutationSuppressed,
    of ticket: OpenTicket,
    _ path: Int,
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    let witness = suppressed.witness
    guard !facts.isBlind(witness) else { return }
    verdict.count()
    let fault =
      switch suppressed.reason {
      case .late: fault(ofWrite: witness, suppressed.revision, path, ticket, facts)
      case .older: fault(ofFloor: witness, suppressed.revision, path, ticket, facts)
      case .retired: fault(ofEnd: witness, ticket, facts)
      }
    guard let fault else { return }
    verdict.find(
      """
      the change sent at \(ticket.seq) was answered at \(judged.seq) and not written as \
      '\(suppressed.reason.rawValue)', naming \(fault)
      """,
      at: judged.seq,
      witness: witness,
      scope: facts.scope(of: ticket.store),
      path: facts.path(path)
    )
  }

  // MARK: Witnesses

  private func fault(ofFence witness: Seq, _ ticket: OpenTicket, _ facts: JournalFacts) -> String? {
    guard witness > ticket.seq, let fence = facts.stores[ticket.store].fences.fence(at: witness)
    else { return "\(witness), which is no fence of the store behind the begin" }
    guard case .declared(let touches) = fence.reach else { return nil }
    let path = facts.path(ticket.path)
    return touches.contains { $0.covers(path) }
      ? nil : "\(witness), the answer to a change that declared other paths"
  }

  private func fault(ofEnd witness: Seq, _ ticket: OpenTicket, _ facts: JournalFacts) -> String? {
    // Whether an opening is one of the same scope cannot be said where that is not known.
    if facts.scope(of: ticket.store) == nil, facts.number(ofStore: witness) != nil { return nil }
    return facts.stores[ticket.store].end == witness && witness > ticket.seq
      ? nil : "\(witness), which did not end the store"
  }

  private func fault(
    ofFloor witness: Seq,
    _ revision: UInt64?,
    _ path: Int,
    _ ticket: OpenTicket,
    _ facts: JournalFacts
  ) -> String? {
    guard let revision else { return "\(witness), and no revision" }
    guard let floor = facts.floor(of: path, in: ticket.store), floor.seq == witness else {
      // Damage makes what was known of revisions void, and with it what can be said.
      return witness < facts.blind.lastDamage
        ? nil : "\(witness), which does not hold the highest revision of the path"
    }
    return revision < floor.revision
      ? nil : "\(witness) with revision \(floor.revision), which \(revision) is not below"
  }

  private func fault(
    ofWrite witness: Seq,
    _ revision: UInt64?,
    _ path: Int,
    _ ticket: OpenTicket,
    _ facts: JournalFacts
  ) -> String? {
    guard let write = facts.lastWrite(of: path), write.seq == witness, witness > ticket.seq else {
      // A scope whose opening is lost begins anew, and with it what is known of its writes.
      return witness < facts.blind.lastDamage
        ? nil : "\(witness), which is not the last write of the path since the change was sent"
    }
    return revision != nil && write.hasRevision
      ? "\(witness), although both carry a revision that tells which is newer" : nil
  }
}
