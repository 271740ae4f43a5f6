internal import TidemarkEntries
package import TidemarkJournalStore

/// What a user did waits until it is retired once, or discarded once by a person.
///
/// Whatever is said of it is said of something that was enqueued and has not ended.
package struct ItemsEndOnce: Check {
  package static let rule = "F10"
  package static let sentence = "What waits in the outbox ends once, and nothing comes of it after."
  package static let code = FindingCode.outboxUnbalanced

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard let item = judged.item, facts.isKnown(since: item), !facts.isBlind(item) else { return }
    verdict.count()
    guard facts.outbox.items[item] == nil else { return }
    verdict.find(
      facts.outbox.hasEnded(item)
        ? "what was enqueued at \(item) has ended, and a \(judged.entry.kindName) came of it"
        : "a \(judged.entry.kindName) names \(item), and nothing was enqueued there",
      at: judged.seq,
      witness: item,
      scope: facts.scope(of: judged),
      path: judged.links.first.map { facts.path($0.path) }
    )
  }
}
