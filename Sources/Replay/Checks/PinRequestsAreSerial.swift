internal import TidemarkEntries
package import TidemarkJournalStore

/// The requests of a list are serial: none begins while another is under way.
package struct PinRequestsAreSerial: Check {
  package static let rule = "F17"
  package static let sentence = "One request of a list at a time."
  package static let code = FindingCode.pinsOverlapped

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .pins(.sent) = judged.content else { return }
    verdict.count()
    guard let pass = facts.pins(of: judged).pass, facts.isKnown(since: pass.sent) else { return }
    verdict.find(
      "a request began while the one of \(pass.sent) was under way",
      at: judged.seq,
      witness: pass.sent,
      scope: facts.scope(of: judged)
    )
  }
}
