internal import CTidemarkSQLite

/// One connection to one SQLite file.
///
/// Used by one thread at a time.
package final class Database {
  /// How a file is opened.
  package enum Access: Sendable, Hashable {
    /// Read and write; the file must be there unless `creating`.
    case write(creating: Bool)

    /// Read only.
    ///
    /// Never checkpoints, also not on closing.
    case read

    /// Read only, as a file that nobody changes: no lock, no `-shm` file.
    case immutable
  }

  private let handle: OpaquePointer

  // Prepared once: each commit runs both.
  private var beginning: Statement?
  private var committing: Statement?

  /// The version of the SQLite library that is linked.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Its version as a number: 3.40.1 is 3040001.
  package static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// - Throws: ``SQLiteError``; nothing stays open then.
  package init(path: String, access: Access) throws(SQLiteError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    var parameters = ""
    switch access {
    case .write(let creating):
      flags |= SQLITE_OPEN_READWRITE | (creating ? SQLITE_OPEN_CREATE : 0)
    case .read: flags |= SQLITE_OPEN_READONLY
    case .immutable:
      flags |= SQLITE_OPEN_READONLY
      parameters = "?immutable=1"
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(Database.uri(path) + parameters, &opened, flags, nil)
    guard result == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(resultCode: result, message: message)
    }
    handle = opened
    tidemark_harden(opened, access == .read || access == .immutable ? 1 : 0)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Leaves the write-ahead log as it is when the connection is closed.
  package func keepLog() { tidemark_keep_log(handle) }

  /// A path may hold `?`, `#` and `%`, which mean something else in a URI.
  ///
  /// SQLite takes `:memory:` and nothing at all for no file, and what stands between two slashes
  /// and the next for a host: so an absolute path stands behind an empty host, and a relative one
  /// begins with its folder.
  private static func uri(_ path: String) -> String {
    var uri = Array((path.hasPrefix("/") ? "file://" : "file:./").utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "?"): uri += "%3f".utf8
      case UInt8(ascii: "#"): uri += "%23".utf8
      case UInt8(ascii: "%"): uri += "%25".utf8
      default: uri.append(byte)
      }
    }
    return String(decoding: uri, as: UTF8.self)
  }

  /// Runs statements that give no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
    guard let statement else {
      throw SQLiteError(resultCode: SQLITE_MISUSE, message: "no statement")
    }
    return Statement(statement, of: handle)
  }

  /// The first column of the first row, as an integer; nothing if there is no row.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first column of the first row, as text; nothing if there is no row.
  package func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Whether a transaction is open: after a failure SQLite may have rolled it back itself.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `work` in one write transaction; all of it is kept, or nothing.
  package func transaction<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result,
    mapping: (SQLiteError) -> Failure
  ) throws(Failure) -> Result {
    do { try begin() } catch { throw mapping(error) }
    do throws(Failure) {
      let result = try work()
      do { try commit() } catch { throw mapping(error) }
      return result
    } catch {
      // A failed rollback leaves nothing behind either: the connection is closed by its owner.
      rollBack()
      throw error
    }
  }

  /// Ends the transaction, if one is open, and keeps nothing of it.
  package func rollBack() {
    if isInTransaction { try? execute("ROLLBACK") }
  }

  /// Writes all pages, as this connection sees them, into another file.
  package func copy(to path: String) throws(SQLiteError) {
    let target = try Database(path: path, access: .write(creating: true))
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw Database.error(target.handle, sqlite3_errcode(target.handle))
    }
    let result = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else {
      throw Database.error(target.handle, end == SQLITE_OK ? result : end)
    }
  }

  /// Begins a write transaction, which ``commit()`` or ``rollBack()`` ends.
  package func begin() throws(SQLiteError) {
    if beginning == nil { beginning = try prepare("BEGIN IMMEDIATE") }
    try beginning?.run()
  }

  package func commit() throws(SQLiteError) {
    if committing == nil { committing = try prepare("COMMIT") }
    try committing?.run()
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    guard result == SQLITE_OK else { throw Database.error(handle, result) }
  }

  /// What the last call on `handle` complained of.
  static func error(_ handle: OpaquePointer, _ result: Int32) -> SQLiteError {
    // Read first. The call of the system that failed has set it, and none that succeeded since has
    // changed it; what SQLite keeps of it is lost on the way out of a commit.
    let reason = tidemark_system_error().map { String(cString: $0) }
    let extended = sqlite3_extended_errcode(handle)
    let code = extended & 0xff == result & 0xff ? extended : result
    var message = String(cString: sqlite3_errmsg(handle))
    // SQLite calls a file that may not grow and a disk that fails the same.
    if code & 0xff == SQLITE_IOERR, let reason { message += ": \(reason)" }
    return SQLiteError(resultCode: code, message: message)
  }
}
