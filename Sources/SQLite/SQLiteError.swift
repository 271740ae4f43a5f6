internal import CTidemarkSQLite

/// What SQLite refused, with its result code.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
  /// The kinds of refusal that call for different remedies.
  package enum Code: Sendable, Hashable {
    /// Another connection has the lock.
    case busy

    /// The pages of the file contradict each other.
    case damaged

    /// The file does not begin like a database.
    case notADatabase

    /// The disk is full, failing, or may not be written.
    case storage

    /// The file cannot be opened.
    case cannotOpen

    /// A constraint or a trigger of the schema said no.
    case constraint

    /// Anything else: a mistake of ours.
    case other
  }

  package let code: Code

  /// The extended result code, as in `sqlite3.h`.
  package let resultCode: Int32
  package let message: String

  package init(resultCode: Int32, message: String) {
    self.resultCode = resultCode
    self.message = message
    code = SQLiteError.code(of: resultCode)
  }

  package var description: String { "\(message) (SQLite \(resultCode))" }

  /// What SQLite gives is not in the order that was asked for: its pages contradict each other.
  package static var disorder: SQLiteError { malformed("the rows are out of order") }

  /// The pages of the file contradict each other.
  package static func malformed(_ message: String) -> SQLiteError {
    SQLiteError(resultCode: SQLITE_CORRUPT, message: message)
  }

  private static func code(of resultCode: Int32) -> Code {
    switch resultCode & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT: .damaged
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM: .storage
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }
}
