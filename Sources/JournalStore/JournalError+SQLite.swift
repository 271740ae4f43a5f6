internal import TidemarkEntries
internal import TidemarkSQLite

extension JournalError {
  /// The one place where a result of SQLite becomes an error of the journal.
  init(_ error: SQLiteError, doing what: String) {
    let message = "\(what): \(error)"
    switch error.code {
    case .busy: self.init(.busy, message, finding: .busy, cause: error)
    case .damaged: self.init(.damaged, message, finding: .containerDamaged, cause: error)
    case .notADatabase: self.init(.foreign, message, finding: .notAJournal, cause: error)
    case .storage, .cannotOpen:
      self.init(.storage, message, finding: .storageRefused, cause: error)
    case .constraint, .other:
      self.init(.damaged, message, finding: .containerDamaged, cause: error)
    }
  }
}

/// Runs a call of SQLite; what it throws comes out as an error of the journal.
func sqlite<Result>(
  _ what: @autoclosure () -> String,
  _ call: () throws(SQLiteError) -> Result
) throws(JournalError) -> Result {
  do throws(SQLiteError) { return try call() } catch { throw JournalError(error, doing: what()) }
}
