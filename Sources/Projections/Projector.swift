package import TidemarkEntries
package import TidemarkJournalStore

/// Folds the entries of a journal into the state of one projection: the one loop.
package struct Projector<Folded: Projection> {
  package private(set) var state: Folded.State

  /// The last entry that is in ``state``; 0 before the first.
  package private(set) var position: Seq

  /// What could not be read or understood on the way.
  package private(set) var findings: [Finding] = []

  package init(_ projection: Folded.Type = Folded.self) {
    state = Folded.empty
    position = Seq(0)
  }

  /// Folds on, up to and with the entry at `end`; to the last one if none is given.
  ///
  /// - Parameters:
  ///   - reader: the journal.
  ///   - end: the last entry to fold.
  ///   - willFold: is shown each entry, with the state before it.
  /// - Throws: ``JournalError`` if the file cannot be read; damage in it is a finding.
  /// - Complexity: O(*n*) in the entries from ``position`` to `end`.
  package mutating func run(
    _ reader: JournalReader,
    through end: Seq? = nil,
    willFold: ((Entry, Folded.State) -> Void)? = nil
  ) throws(JournalError) {
    let end = min(end ?? reader.last, reader.last)
    guard position < end else { return }
    var (state, findings) = (self.state, self.findings)
    // The fold has the only reference, so that no entry makes it copy what it changes.
    self.state = Folded.empty
    let damage = try reader.forEach(from: position.next, through: end) {
      (entry) throws(JournalError) in
      willFold?(entry, state)
      do throws(EntryError) { try Folded.evolve(&state, by: entry) } catch {
        findings.append(Finding(.entryMalformed, error.message, at: entry.seq))
      }
      return true
    } mapping: {
      $0
    }
    self.state = state
    self.findings = findings + damage
    position = end
  }
}
