internal import TidemarkEntries
package import TidemarkJournalStore

/// Where the server sends revisions, no path goes to a lower one.
///
/// The highest revision counts on over answers that carry none, and over a new opening of the
/// scope. It ends when an answer removes the path, or the device clears its copy.
package struct RevisionsNeverFall: Check {
  package static let rule = "F5r"
  package static let sentence = "No path goes to a lower revision."
  package static let code = FindingCode.revisionFell

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard let store = judged.store else { return }
    for link in judged.links where link.role == .write {
      guard let revision = link.revision, let floor = facts.floor(of: link.path, in: store) else {
        continue
      }
      verdict.count()
      guard revision < floor.revision else { continue }
      verdict.find(
        """
        the path had revision \(floor.revision) at \(floor.seq), and was written with \(revision) \
        at \(judged.seq)
        """,
        at: judged.seq,
        witness: floor.seq,
        scope: facts.scope(of: store),
        path: facts.path(link.path),
        expected: "\(floor.revision) or more",
        actual: "\(revision)"
      )
    }
  }
}
