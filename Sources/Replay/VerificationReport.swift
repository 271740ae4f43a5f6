package import TidemarkEntries
package import TidemarkJournalStore

/// What came of a verification: what was examined, of how much, and what was found.
package struct VerificationReport: Sendable {
  /// What was examined.
  package internal(set) var entries: UInt64 = 0
  package internal(set) var blocks: UInt64 = 0

  /// The bytes of the blocks that were examined, as they are stored.
  package internal(set) var bytes: UInt64 = 0
  package internal(set) var bodies: UInt64 = 0

  /// Whether SQLite has checked its pages.
  package internal(set) var isContainerExamined = false

  /// What is there.
  package internal(set) var inventory = JournalReader.Inventory()
  package let last: Seq

  /// The contents that entries name and that are not there; counted if bodies were examined.
  package internal(set) var goneBodies: UInt64 = 0

  /// The contents that no entry names; they were counted if bodies were examined.
  package internal(set) var unnamedBodies: UInt64 = 0

  /// The tree over all entries, if no damage made a hole in it.
  package internal(set) var size: UInt64?
  package internal(set) var root: Digest?

  /// How the anchor beside the journal stands to it.
  package internal(set) var standing = Anchor.Standing.missing

  /// The first findings of each code, in the order in which they were found.
  package private(set) var findings: [Finding] = []

  /// How often each code was found.
  package private(set) var counts: [FindingCode: UInt64] = [:]

  private let examplesMax: Int

  init(last: Seq, examplesMax: Int) {
    self.last = last
    self.examplesMax = examplesMax
  }

  /// Whether every entry that is there was examined.
  package var isWhole: Bool { entries == last.value }

  /// Whether something was found that is more than a note.
  package var isClean: Bool { counts.keys.allSatisfy(\.isNote) }

  mutating func note(_ found: [Finding]) {
    for finding in found {
      counts[finding.code, default: 0] += 1
      if counts[finding.code, default: 0] <= UInt64(clamping: examplesMax) {
        findings.append(finding)
      }
    }
  }
}
