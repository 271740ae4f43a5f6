internal import TidemarkEntries
package import TidemarkJournalStore

/// Where the server sends no versions, a removal that is sent again may take a pin that was added
/// under its id since the first time: the journal shows which one it was.
///
/// A limit of such servers and no fault of the device, hence a note.
package struct RepinsAreTold: Check {
  package static let rule = "F21"
  package static let sentence = "A removal without a version was sent once."
  package static let code = FindingCode.repinRemoved

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .pins(.received(let received)) = judged.content,
      let pass = facts.pins(of: judged).pass, pass.sent == received.sent
    else { return }
    let list = facts.pins(of: judged)
    for pin in pass.pins where pin.version == nil {
      guard let removal = list.removals[pin.id], let first = removal.firstSent else { continue }
      verdict.count()
      guard first < pass.sent else { continue }
      verdict.find(
        """
        the removal of \(pin.id) was sent at \(first) and again at \(pass.sent): it may have taken \
        a pin that was added in between
        """,
        at: judged.seq,
        witness: first,
        scope: facts.scope(of: judged)
      )
    }
  }
}
