internal import TidemarkSQLite

/// Why an index did not answer.
enum IndexFailure: Error {
  /// SQLite said no.
  case sqlite(SQLiteError)

  /// What is there is not what was written: make the index anew.
  case damaged

  /// What the value leads to cannot be read.
  case journal(JournalError)

  /// Whether the index is to blame, and not the entries or the disk.
  var isDamage: Bool {
    switch self {
    case .damaged: true
    case .sqlite(let error): error.code == .damaged
    case .journal: false
    }
  }

  var asJournalError: JournalError {
    switch self {
    case .journal(let error): error
    case .sqlite(let error): JournalError(error, doing: "cannot use the index")
    case .damaged:
      JournalError(.damaged, "the index is not what was written", finding: .containerDamaged)
    }
  }

  static func mapping<Result>(
    _ call: () throws(SQLiteError) -> Result
  ) throws(IndexFailure) -> Result {
    do throws(SQLiteError) { return try call() } catch { throw .sqlite(error) }
  }
}
