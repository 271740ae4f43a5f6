internal import TidemarkEntries
package import TidemarkJournalStore

/// Once a store is over, nothing comes in it but refusals and what is given up.
///
/// It is over when it was retired, or when its scope was opened anew. What becomes of the work of a
/// user is written under the store that it was authored in, over or not; only a new one, an attempt
/// and a copy need a store that is open.
package struct NothingAfterRetirement: Check {
  package static let rule = "F6"
  package static let sentence = "Nothing but refusals comes in a store that is over."
  package static let code = FindingCode.retiredLanding

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard let store = judged.store, let end = facts.stores[store].end else { return }
    if case .unknown = judged.content { return }
    verdict.count()
    switch judged.content {
    case .refused, .suppressed, .failed, .pins(.refused): return
    case .outbox(.enqueued), .outbox(.sent): break
    case .outbox: return
    default: break
    }
    verdict.find(
      """
      the store \(facts.stores[store].opening) ended at \(end); a \(judged.entry.kindName) came in \
      it at \(judged.seq)
      """,
      at: judged.seq,
      witness: end,
      scope: facts.scope(of: store),
      path: judged.links.first.map { facts.path($0.path) }
    )
  }
}
