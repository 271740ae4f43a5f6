internal import TidemarkEntries
package import TidemarkJournalStore

/// Every attempt of an item carries the item's own key, and what the user did.
package struct RequestsStayTheSame: Check {
  package static let rule = "F12"
  package static let sentence = "Every attempt carries the same key and the same content."
  package static let code = FindingCode.requestChanged

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .outbox(.sent(let sent)) = judged.content, let item = facts.item(sent.enqueued)
    else { return }
    verdict.count()
    guard sent.requestKey != item.key || sent.content != item.content else { return }
    let isKey = sent.requestKey != item.key
    verdict.find(
      """
      attempt \(sent.attempt) of what was enqueued at \(item.enqueued) carries another \
      \(isKey ? "key" : "content")
      """,
      at: judged.seq,
      witness: item.enqueued,
      scope: facts.scope(of: judged),
      path: facts.path(item.path),
      key: item.key,
      expected: isKey ? item.key.description : item.content.description,
      actual: isKey ? sent.requestKey.description : sent.content.description
    )
  }
}
