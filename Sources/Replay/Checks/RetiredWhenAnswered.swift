internal import TidemarkEntries
package import TidemarkJournalStore

/// The server has said that it has what is retired, in an answer that was read.
package struct RetiredWhenAnswered: Check {
  package static let rule = "F11"
  package static let sentence = "Nothing is retired without an answer that was read."
  package static let code = FindingCode.retiredUnanswered

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .outbox(.retired(let retired)) = judged.content,
      let item = facts.item(retired.enqueued)
    else { return }
    verdict.count()
    guard item.acknowledged == nil else { return }
    verdict.find(
      "what was enqueued at \(item.enqueued) was retired, and no answer says that it was taken",
      at: judged.seq,
      witness: item.answered?.seq ?? item.firstSent ?? item.enqueued,
      scope: facts.scope(of: judged),
      path: facts.path(item.path),
      key: item.key
    )
  }
}
