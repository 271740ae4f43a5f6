internal import TidemarkEntries
package import TidemarkJournalStore

/// A request carries removals that wait, as they were made.
///
/// An answer ends the request that is under way, and so acknowledges exactly these.
package struct AcknowledgedIsWhatWasSent: Check {
  package static let rule = "F16"
  package static let sentence = "A list acknowledges what its request sent, and nothing else."
  package static let code = FindingCode.pinsOverreached

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    let list = facts.pins(of: judged)
    switch judged.content {
    case .pins(.sent(let sent)):
      for pin in sent.pins { judge(pin, list, judged, facts, &verdict) }
    case .pins(.received(let received)): judge(received.sent, list, judged, facts, &verdict)
    case .pins(.refused(let refused)): judge(refused.sent, list, judged, facts, &verdict)
    default: return
    }
  }

  private func judge(
    _ pin: PinVersion,
    _ list: PinsFacts.List,
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    let removal = list.removals[pin.id]
    guard facts.isKnown(since: removal?.seq ?? Seq(1)) else { return }
    verdict.count()
    guard removal == nil || removal?.version != pin.version else { return }
    verdict.find(
      removal == nil
        ? "the request carries the removal of \(pin.id), which nobody took off"
        : "the request carries another version of \(pin.id) than was taken off",
      at: judged.seq,
      witness: removal?.seq,
      scope: facts.scope(of: judged)
    )
  }

  private func judge(
    _ sent: Seq,
    _ list: PinsFacts.List,
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard facts.isKnown(since: sent), !facts.isBlind(sent) else { return }
    verdict.count()
    guard list.pass?.sent != sent else { return }
    verdict.find(
      "a \(judged.entry.kindName) ends the request of \(sent), which is not under way",
      at: judged.seq,
      witness: sent,
      scope: facts.scope(of: judged)
    )
  }
}
