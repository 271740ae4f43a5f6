package import TidemarkEntries
package import TidemarkJournalStore

/// What a fence kept off the screen: the late replies of a journal, and how sure it is.
///
/// Reads entries and contents only; it neither decides nor folds. For a journal made of a capture,
/// this is what an app without a fence has shown.
package struct RaceReport: Sendable {
  /// In the order of their refusals.
  package private(set) var races: [Race] = []

  /// How many reads began.
  package private(set) var reads = 0

  /// How many changes were answered.
  package private(set) var changes = 0

  /// What imports took changes to touch, each policy once.
  package private(set) var policies: [String] = []

  /// What could not be read on the way.
  package private(set) var findings: [Finding] = []

  package func count(_ degree: Race.Degree) -> Int {
    races.count { $0.degree == degree }
  }

  /// Goes through a journal once.
  ///
  /// - Complexity: O(*n*) in the entries; contents are read for late replies only.
  package init(
    _ reader: JournalReader,
    from first: Seq = Seq(1),
    through last: Seq? = nil
  ) throws(JournalError) {
    var walk = RaceWalk(reader)
    findings = try reader.forEach(from: Seq(1), through: last) { (entry) throws(JournalError) in
      try walk.judge(entry)
      return true
    } mapping: {
      $0
    }
    findings += walk.findings + walk.documents.findings
    races = walk.races.filter { $0.refused >= first }
    reads = walk.reads
    changes = walk.changes
    policies = walk.policies
  }
}

extension Race.Degree {
  /// 0 for the worst.
  var rank: Int {
    switch self {
    case .certain: 0
    case .possible: 1
    case .unrelated: 2
    case .harmless: 3
    }
  }
}
