internal import TidemarkEntries
package import TidemarkJournalStore

/// An item goes to the server and the account that it was authored for, and its copies stand there.
package struct SentHome: Check {
  package static let rule = "F12"
  package static let sentence = "What was authored for one server goes to no other."
  package static let code = FindingCode.sentElsewhere

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    let seq: Seq
    switch judged.content {
    case .outbox(.sent(let sent)): seq = sent.enqueued
    case .copied(let copied): seq = copied.enqueued
    default: return
    }
    guard let item = facts.item(seq), let store = judged.store,
      let home = facts.scope(of: item), let other = facts.scope(of: store)
    else { return }
    verdict.count()
    guard home != other else { return }
    verdict.find(
      "what was enqueued at \(seq) for \(home) went to \(other)",
      at: judged.seq,
      witness: seq,
      scope: other,
      path: facts.path(item.path),
      key: item.key,
      expected: "\(home)",
      actual: "\(other)"
    )
  }
}
