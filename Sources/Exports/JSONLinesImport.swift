package import TidemarkEntries
package import TidemarkJSON
internal import TidemarkJournalStore

/// Makes an exact copy of a journal from an export: the same entries, the same identity, one root.
///
/// All of it is one transaction. If a line is damaged or missing, or the journal has another
/// history, nothing is appended. What the journal has already is compared, byte for byte.
package enum JSONLinesImport {
  /// What came of an import.
  package struct Summary: Sendable {
    /// The entries that were added, and those that were there.
    package var added: UInt64 = 0
    package var known: UInt64 = 0

    /// The contents that came with added entries.
    package var bodies: UInt64 = 0

    /// The contents that were left out: their entries are there, and keep what they have.
    package var bodiesLeft: UInt64 = 0

    /// The root over all entries of the export, which the copy has too.
    package var root: Digest

    /// Whether the export holds contents.
    package var hasBodies: Bool
  }

  /// The journal to import into is another one, by its identity.
  package struct OtherJournal: Error {
    /// The short name of the journal that is there.
    package var id: String
  }

  /// Imports `file` into the journal at `path`, which is made if it is not there.
  ///
  /// - Parameters:
  ///   - file: what was exported.
  ///   - path: where the journal is.
  ///   - chance: gives the index of a new journal its seed.
  ///   - progress: is told how many entries were read; what it throws ends the import.
  /// - Returns: what came of it.
  /// - Throws: ``OtherJournal``, ``JSONLinesError``, ``JournalError``, or `InputError`.
  package static func run(
    _ file: InputFile,
    into path: String,
    chance: inout some RandomNumberGenerator,
    progress: (_ done: UInt64, _ all: UInt64) throws -> Void
  ) throws -> Summary {
    var source = try JSONLinesSource(file)
    let header = source.header
    guard
      let identity = Identity(
        copying: header.journal,
        writer: header.writer,
        term: header.term,
        chance: &chance
      )
    else { throw JSONLinesError(.inputMalformed, "the header names no journal", line: 1) }
    guard try Journal.isThere(path) else {
      return try Journal.making(path, as: identity, chance: &chance) { journal in
        try append(&source, to: journal, progress: progress)
      }
    }
    // Looked at before it is opened for writing, which may set a torn tail aside.
    try check(JournalReader(path).identity, header)
    let journal = try Journal(path, chance: &chance)
    let summary = try append(&source, to: journal, progress: progress)
    try journal.close()
    return summary
  }

  private static func check(_ identity: Identity, _ header: JSONLinesSource.Header) throws {
    guard identity.journal == header.journal else { throw OtherJournal(id: identity.shortID) }
    guard identity.term == header.term, identity.writer == header.writer else {
      throw JSONLinesError(
        .streamDiverged,
        "the journal that is there has another writer or term",
        line: 1
      )
    }
  }

  private static func append(
    _ source: inout JSONLinesSource,
    to journal: Journal,
    progress: (UInt64, UInt64) throws -> Void
  ) throws -> Summary {
    let header = source.header
    var summary = Summary(root: Tree.emptyRoot, hasBodies: header.hasBodies)
    try journal.atomically(
      {
        summary.root = try source.read { body in
          try telling(line: body.line) { () throws(JournalError) in
            try stage(body, in: journal, &summary)
          }
        } record: { record in
          try telling(line: record.line) { () throws(JournalError) in
            switch try journal.stage(verbatim: record.bytes, at: record.seq) {
            case .alreadyAppended: summary.known += 1
            default: summary.added += 1
            }
          }
          try progress(record.seq.value, header.count)
        }
      },
      mapping: { $0 }
    )
    return summary
  }

  /// Stages a content, only if its entry is new: what was erased here stays so.
  private static func stage(
    _ body: JSONLinesSource.Body,
    in journal: Journal,
    _ summary: inout Summary
  ) throws(JournalError) {
    if body.seq > journal.last {
      try journal.stage(verbatim: body.content, id: body.id, salt: body.salt)
      summary.bodies += 1
    } else if try !journal.keepsBody(body.id) {
      summary.bodiesLeft += 1
    }
  }

  /// Runs `work`, and says of what the journal refuses on which line it stands.
  private static func telling(line: Int, _ work: () throws(JournalError) -> Void) throws {
    do throws(JournalError) { try work() } catch {
      guard error.code == .invalid, let code = error.finding else { throw error }
      throw JSONLinesError(code, error.message, line: line)
    }
  }
}
