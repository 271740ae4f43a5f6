internal import TidemarkEntries
package import TidemarkJournalStore

/// An item is sent when no attempt of it is under way, nothing earlier of its lane waits, and no
/// person has to decide first.
package struct SentInTurn: Check {
  package static let rule = "F12"
  package static let sentence = "One attempt at a time, in the order of the lane."
  package static let code = FindingCode.sentOutOfTurn

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .outbox(.sent(let sent)) = judged.content, let item = facts.item(sent.enqueued)
    else { return }
    verdict.count()
    let first = facts.outbox.first(inLaneOf: item, after: facts.blind.lastDamage)
    let fault: (words: String, witness: Seq)
    if let attempt = item.attempt {
      fault = ("the attempt at \(attempt) is under way", attempt)
    } else if let waits = item.waits {
      fault = ("it waits for a person since \(waits)", waits)
    } else if let first, first != item.enqueued {
      fault = ("what was enqueued at \(first) comes first in its lane", first)
    } else {
      return
    }
    verdict.find(
      "what was enqueued at \(item.enqueued) was sent, although \(fault.words)",
      at: judged.seq,
      witness: fault.witness,
      scope: facts.scope(of: judged),
      path: facts.path(item.path),
      key: item.key
    )
  }
}
