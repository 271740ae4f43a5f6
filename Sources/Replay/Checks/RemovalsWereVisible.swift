internal import TidemarkEntries
package import TidemarkJournalStore

/// What is shown is the list without what was taken off: nobody can take off what is off already.
///
/// That nothing is shown before it is on disk leaves no trace in a journal; the stores are tested
/// for it.
package struct RemovalsWereVisible: Check {
  package static let rule = "F19"
  package static let sentence = "What is taken off was shown: nothing is taken off twice."
  package static let code = FindingCode.removedUnshown

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .pins(.removed(let removed)) = judged.content else { return }
    let list = facts.pins(of: judged)
    for pin in removed.pins {
      verdict.count()
      guard let removal = list.removals[pin.id], facts.isKnown(since: removal.seq),
        removal.version == pin.version
      else { continue }
      verdict.find(
        "the pin \(pin.id) was taken off at \(removal.seq), and again",
        at: judged.seq,
        witness: removal.seq,
        scope: facts.scope(of: judged)
      )
    }
  }
}
