internal import TidemarkEntries
package import TidemarkJournalStore

/// A list that was received has as many pins as it says, each with an id of its own.
///
/// What does not fit into one entry goes on in those next to it.
package struct PinListsAreWhole: Check {
  package static let rule = "F18"
  package static let sentence = "A list is taken whole and valid, or not at all."
  package static let code = FindingCode.pinsPartial

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    if let due = due(facts), judged.seq == due.last.next, !goesOn(judged, facts) {
      find("ends with \(due.pins.count) of \(due.count) pins", due, facts, judged, &verdict)
    }
    let list = facts.pins(of: judged)
    switch judged.content {
    case .pins(.received(let received)):
      verdict.count()
      judge(received.pins, [:], received.count, judged, facts, &verdict)
    case .pins(.listed(let listed)):
      guard goesOn(judged, facts), let snapshot = list.snapshot else {
        return strange(judged, facts, &verdict)
      }
      judge(listed.pins, snapshot.pins, snapshot.count, judged, facts, &verdict)
    default: return
    }
  }

  package mutating func finish(
    _ facts: JournalFacts,
    _ reader: JournalReader,
    _ verdict: inout Verdict
  ) throws(JournalError) {
    guard let due = due(facts), !facts.isBlind(due.last.next) else { return }
    find("ends with \(due.pins.count) of \(due.count) pins", due, facts, nil, &verdict)
  }

  /// The list up to the entry before, if it is to go on.
  private func due(_ facts: JournalFacts) -> PinsFacts.Snapshot? {
    facts.pins.unfinished.flatMap { facts.pins.list(of: $0).snapshot }
  }

  private func goesOn(_ judged: JudgedEntry, _ facts: JournalFacts) -> Bool {
    guard case .pins(.listed) = judged.content, let due = due(facts) else { return false }
    return judged.entry.cause == due.seq && facts.pins(of: judged).snapshot?.seq == due.seq
  }

  private func judge(
    _ pins: [PinVersion],
    _ known: [ItemID: UInt64?],
    _ count: UInt64,
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    var seen: Set<ItemID> = []
    let isValid = pins.allSatisfy { pin in
      !pin.id.bytes.isEmpty && known[pin.id] == nil && seen.insert(pin.id).inserted
    }
    guard !isValid || UInt64(known.count + pins.count) > count else { return }
    verdict.find(
      isValid
        ? "the list has more than the \(count) pins that it says"
        : "a pin of the list has no id, or one that another has",
      at: judged.seq,
      scope: facts.scope(of: judged)
    )
  }

  /// A part of a list that stands behind no list.
  private func strange(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard !facts.isBlind(Seq(judged.seq.value - 1)) else { return }
    verdict.find(
      "more pins came, and no list is to go on here",
      at: judged.seq,
      witness: judged.entry.cause,
      scope: facts.scope(of: judged)
    )
  }

  private func find(
    _ words: String,
    _ due: PinsFacts.Snapshot,
    _ facts: JournalFacts,
    _ judged: JudgedEntry?,
    _ verdict: inout Verdict
  ) {
    verdict.find(
      "the list that was received \(words)",
      at: due.seq,
      witness: judged?.seq,
      scope: judged.flatMap { facts.scope(of: $0) },
      expected: "\(due.count)",
      actual: "\(due.pins.count)"
    )
  }
}
