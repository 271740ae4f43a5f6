internal import TidemarkEntries
package import TidemarkJournalStore

/// A removal carries the version that the list showed, so that the server takes no other.
package struct RemovalsNameTheVersionShown: Check {
  package static let rule = "F21"
  package static let sentence = "A removal names the version that was shown."
  package static let code = FindingCode.otherVersion

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .pins(.removed(let removed)) = judged.content,
      let snapshot = facts.pins(of: judged).snapshot, facts.isKnown(since: snapshot.seq)
    else { return }
    for pin in removed.pins {
      guard let shown = snapshot.pins[pin.id], shown != nil || pin.version != nil else { continue }
      verdict.count()
      guard shown != pin.version else { continue }
      verdict.find(
        "the pin \(pin.id) was taken off at another version than the list shows",
        at: judged.seq,
        witness: snapshot.seq,
        scope: facts.scope(of: judged),
        expected: shown.map { "\($0)" } ?? "none",
        actual: pin.version.map { "\($0)" } ?? "none"
      )
    }
  }
}
