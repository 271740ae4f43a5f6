internal import TidemarkEntries
package import TidemarkJournalStore

/// The entries are numbered 1, 2, 3 … without gaps, and none comes twice.
///
/// A range that is there and cannot be read is no gap: that is damage, and told apart from this.
package struct SeqsAreDense: Check {
  package static let rule = "F0"
  package static let sentence = "The entries are numbered without gaps."
  package static let code = FindingCode.seqGap

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    verdict.count()
  }

  package mutating func pass(_ damage: Finding, _ verdict: inout Verdict) {
    if damage.code == SeqsAreDense.code { verdict.find(damage) }
  }
}
