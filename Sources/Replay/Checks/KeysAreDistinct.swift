internal import TidemarkEntries
package import TidemarkJournalStore

/// No two entries carry one idempotency key.
package struct KeysAreDistinct: Check {
  package static let rule = "F0"
  package static let sentence = "No two entries carry one key."
  package static let code = FindingCode.keyRepeated

  private var census = KeyCensus()

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    verdict.count()
    census.note(judged.entry)
  }

  package mutating func finish(
    _ facts: JournalFacts,
    _ reader: JournalReader,
    _ verdict: inout Verdict
  ) throws(JournalError) {
    for repetition in try census.repetitions(in: reader) {
      verdict.find(
        "the key \(repetition.key) stands at \(repetition.first) and again at \(repetition.again)",
        at: repetition.again,
        witness: repetition.first,
        key: repetition.key
      )
    }
  }
}
