internal import TidemarkEntries
package import TidemarkJournalStore

/// A removal names only ids that the last list showed.
package struct RemovalsWereSeen: Check {
  package static let rule = "F15"
  package static let sentence = "Only pins that a list showed are taken off."
  package static let code = FindingCode.pinsOverreached

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .pins(.removed(let removed)) = judged.content else { return }
    let snapshot = facts.pins(of: judged).snapshot
    guard facts.isKnown(since: snapshot?.seq ?? Seq(1)) else { return }
    for pin in removed.pins {
      verdict.count()
      guard snapshot?.pins[pin.id] == nil else { continue }
      verdict.find(
        "the pin \(pin.id) was taken off, and no list shows it",
        at: judged.seq,
        witness: snapshot?.seq,
        scope: facts.scope(of: judged)
      )
    }
  }
}
