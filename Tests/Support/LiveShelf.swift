package import TidemarkEntries
package import TidemarkJournalStore
package import TidemarkProjections

/// A shelf over a journal of its own, as an app has it: decide, append, evolve.
package final class LiveShelf {
  /// What makes entries of a submission.
  package typealias Decider = (Shelf.Submission, ShelfState, IdempotencyKey, DeviceTime) throws ->
    [Draft]

  package let place: TemporaryJournal
  package private(set) var state = Shelf.empty
  private let journal: Journal
  private let decide: Decider
  private var count = 0

  package init(_ decide: @escaping Decider = Shelf.decide) throws {
    place = try TemporaryJournal()
    journal = try place.open()
    self.decide = decide
  }

  /// Decides, appends what was decided, and takes it into the state.
  @discardableResult
  package func submit(_ submission: Shelf.Submission) throws -> [Entry] {
    count += 1
    let key = try IdempotencyKey("k\(count)")
    let drafts = try decide(submission, state, key, DeviceTime(milliseconds: Int64(count) * 1000))
    var entries: [Entry] = []
    for outcome in try journal.stage(drafts) {
      guard case .appended(let seq) = outcome, let entry = try journal.entry(at: seq) else {
        throw NotAppended(outcome: outcome)
      }
      try Shelf.evolve(&state, by: entry)
      entries.append(entry)
    }
    return entries
  }

  package struct NotAppended: Error {
    package let outcome: AppendOutcome
  }

  /// Puts what was appended so far on disk, as one block.
  package func commit() throws { try journal.commit(.lazy) }

  /// Closes the journal and opens it for reading.
  package func finish() throws -> JournalReader {
    try journal.close()
    return try place.read()
  }
}
