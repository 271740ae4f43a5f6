internal import TidemarkEntries
package import TidemarkJournalStore

/// What the server has said that it has stays until its copies stand.
///
/// It is finished, and not decided on anew.
package struct AcknowledgedGoesOn: Check {
  package static let rule = "F14"
  package static let sentence = "What the server has is neither parked nor let go again."
  package static let code = FindingCode.acknowledgementUndone

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .outbox(let event) = judged.content, let seq = event.item,
      let item = facts.item(seq), let answer = item.acknowledged
    else { return }
    verdict.count()
    switch event {
    case .parked, .retried: break
    default: return
    }
    verdict.find(
      "the server has what was enqueued at \(seq), and a \(judged.entry.kindName) came of it",
      at: judged.seq,
      witness: answer.seq,
      scope: facts.scope(of: judged),
      path: facts.path(item.path),
      key: item.key
    )
  }
}
