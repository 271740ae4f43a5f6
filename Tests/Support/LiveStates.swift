package import TidemarkEntries
package import TidemarkJournalStore
package import TidemarkProjections

/// All projections over a journal of their own, as an app has them: append, then evolve.
package final class LiveStates {
  package let place: TemporaryJournal
  package let journal: Journal
  package private(set) var states = States()

  /// The rows that have changed since the start.
  package private(set) var changed = ChangedRows()
  private var count = 0

  package init() throws {
    place = try TemporaryJournal()
    journal = try place.open()
  }

  /// A key for the next submission.
  package func key() -> IdempotencyKey {
    count += 1
    return IdempotencyKey(unchecked: Array("k\(count)".utf8))
  }

  package var now: DeviceTime { DeviceTime(milliseconds: Int64(count) * 1000) }

  /// Appends drafts together, and takes them into the states.
  @discardableResult
  package func append(_ drafts: [Draft]) throws -> [Entry] {
    var entries: [Entry] = []
    for outcome in try journal.stage(drafts) {
      guard case .appended(let seq) = outcome, let entry = try journal.entry(at: seq) else {
        throw LiveShelf.NotAppended(outcome: outcome)
      }
      changed.note(entry, before: states)
      for (_, error) in states.evolve(by: entry) { throw error }
      entries.append(entry)
    }
    return entries
  }

  /// Says where all projections stand, as an entry of the journal.
  package func checkpoint() throws {
    let states = ProjectionCatalogue.parts.map { part in
      ProjectionState(
        name: part.name,
        version: UInt64(part.version),
        digest: part.digest(self.states)
      )
    }
    try append([Draft(Checkpointed(states: states), key: key(), store: .journal, time: now)])
  }

  package func commit() throws { try journal.commit(.lazy) }

  /// Closes the journal and opens it for reading.
  package func finish() throws -> JournalReader {
    try journal.close()
    return try place.read()
  }
}
