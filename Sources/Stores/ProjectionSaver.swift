internal import TidemarkEntries
package import TidemarkJournalStore
package import TidemarkProjections

/// Keeps the projections file close behind the journal: it writes the rows that have changed when
/// there are many of them, and when the journal is closed.
package final class ProjectionSaver {
  private let file: ProjectionsFile
  private var changed = ChangedRows()

  /// How many changed rows are written at once; so many entries, about, are replayed on opening.
  package static let rowsMax = 2048

  package init(_ file: ProjectionsFile) {
    self.file = file
  }

  package func note(_ changed: ChangedRows) { self.changed.formUnion(changed) }

  package var isDue: Bool { changed.count >= ProjectionSaver.rowsMax }

  /// Writes what has changed.
  package func save(_ states: States, _ journal: Journal) throws(JournalError) {
    guard changed.count > 0 else { return }
    let standing = try Self.standing(at: journal.committed, of: journal)
    try file.save(states, changed, standing)
    changed = ChangedRows()
  }

  private static func standing(
    at seq: Seq,
    of journal: Journal
  ) throws(JournalError) -> ProjectionsFile.Standing {
    let leaf = try journal.entry(at: seq).map { Tree.leaf(of: $0) }
    return ProjectionsFile.Standing(position: seq, leaf: leaf)
  }
}
