internal import TidemarkEntries
package import TidemarkJournalStore

/// The back pointers of an entry are what the entries before it say.
///
/// They make one decision provable by two entries, and the descent of a value a walk: a pointer
/// that skips something would hide it from both.
package struct PointersHold: Check {
  package static let rule = "F1"
  package static let sentence = "Every back pointer names what it claims to name."
  package static let code = FindingCode.pointerWrong

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard let opening = judged.entry.store else { return }
    guard let store = judged.store else {
      guard !facts.isBlind(opening) else { return }
      verdict.count()
      return verdict.find(
        "the entry names the store \(opening), and no store was opened there",
        at: judged.seq,
        witness: opening
      )
    }
    let scope = facts.scope(of: store)
    func compare(_ what: String, _ claimed: Seq?, _ known: Seq?, _ path: Path? = nil) {
      verdict.count()
      guard claimed != known, !PointersHold.mayBe(claimed, behind: known, facts) else { return }
      verdict.find(
        "\(what) is \(PointersHold.name(known)), and the entry says \(PointersHold.name(claimed))",
        at: judged.seq,
        witness: known,
        scope: scope,
        path: path,
        expected: PointersHold.name(known),
        actual: PointersHold.name(claimed)
      )
    }
    if facts.stores[store].opening != opening {
      compare("the store that the entry opens", opening, facts.stores[store].opening)
    }
    compare(
      "the last fence of the store",
      judged.entry.previousFence,
      facts.stores[store].lastFence
    )
    for link in judged.links {
      guard let known = facts.facts(of: link.path, in: store) else { continue }
      let path = facts.path(link.path)
      compare("the last begin or write of the path", link.previous, known.use, path)
      compare("the last naming of the path", link.previousMention, known.naming, path)
    }
  }

  /// Whether the pointer names an entry that nothing is known of, and that could be what it says.
  private static func mayBe(_ claimed: Seq?, behind known: Seq?, _ facts: JournalFacts) -> Bool {
    guard let claimed, claimed > known ?? Seq(0) else { return false }
    return facts.isBlind(claimed)
  }

  private static func name(_ seq: Seq?) -> String { seq.map { "\($0)" } ?? "none" }
}
