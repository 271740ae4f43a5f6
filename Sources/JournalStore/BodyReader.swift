package import TidemarkEntries
internal import TidemarkSQLite

/// Reads contents that are committed, also those that came since it was opened.
package final class BodyReader {
  private let database: Database
  private let bodies: BodyTable

  /// - Throws: ``JournalError`` as ``JournalReader`` does.
  package init(_ path: String) throws(JournalError) {
    database = try JournalFile.openForReading(try Files.resolved(path)).database
    bodies = try sqlite("cannot open \(path)") { [database] () throws(SQLiteError) in
      try BodyTable(database, writable: false)
    }
  }

  /// The content of `reference`; nothing if it was not kept, or was erased.
  ///
  /// It is compared with its length, not with its commitment: `verify` does that.
  ///
  /// - Throws: ``JournalError`` with code `damaged` if it does not unpack, or `storage`.
  /// - Complexity: O(log *n*) in the contents, and O(*m*) in its length.
  package func content(of reference: BodyReference) throws(JournalError) -> [UInt8]? {
    guard reference.id > 0 else { return nil }
    let row = try sqlite("cannot read body \(reference.id)") { () throws(SQLiteError) in
      try bodies.row(reference.id)
    }
    switch row {
    case .absent: return nil
    case .faulty(let code, let message): throw JournalError(.damaged, message, finding: code)
    case .found(let row):
      guard UInt64(row.content.count) == reference.byteCount || !reference.isWhole else {
        throw JournalError(
          .damaged,
          "body \(reference.id) has \(row.content.count) bytes, not \(reference.byteCount)",
          finding: .bodyDiffers
        )
      }
      return row.content
    }
  }
}
