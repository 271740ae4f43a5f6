internal import TidemarkEntries
package import TidemarkJournalStore

/// A list that could not be read takes part in nothing until a person has decided.
package struct UnreadablePinsWait: Check {
  package static let rule = "F20"
  package static let sentence = "Nothing is synchronised from a list that cannot be read."
  package static let code = FindingCode.syncedUnreadable

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    switch judged.content {
    case .pins(.unreadable): return verdict.count()
    case .pins(.sent), .pins(.received): break
    default: return
    }
    guard let unreadable = facts.pins(of: judged).unreadable, facts.isKnown(since: unreadable)
    else { return }
    verdict.find(
      "the list could not be read since \(unreadable), and a \(judged.entry.kindName) came of it",
      at: judged.seq,
      witness: unreadable,
      scope: facts.scope(of: judged)
    )
  }
}
