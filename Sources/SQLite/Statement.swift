internal import CTidemarkSQLite

/// One prepared statement.
///
/// Columns count from 0, parameters from 1.
package final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  init(_ handle: OpaquePointer, of connection: OpaquePointer) {
    self.handle = handle
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Goes to the next row; false if there is none.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result:
      let error = Database.error(connection, result)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement that gives no rows, and makes it ready for the next run.
  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Makes the statement ready for the next run; what was bound stays.
  package func reset() {
    sqlite3_reset(handle)
  }

  package func bind(_ index: Int32, _ value: Int64) {
    let result = sqlite3_bind_int64(handle, index, value)
    precondition(result == SQLITE_OK, "parameter \(index) does not exist")
  }

  package func bindNull(_ index: Int32) {
    let result = sqlite3_bind_null(handle, index)
    precondition(result == SQLITE_OK, "parameter \(index) does not exist")
  }

  package func bind(_ index: Int32, _ value: String) {
    let result = tidemark_bind_text(handle, index, value, Int32(value.utf8.count))
    precondition(result == SQLITE_OK, "parameter \(index) does not exist, or no memory")
  }

  /// Binds a copy of `bytes`.
  package func bind(_ index: Int32, _ bytes: [UInt8]) {
    let result = bytes.withUnsafeBytes {
      tidemark_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
    }
    precondition(result == SQLITE_OK, "parameter \(index) does not exist, or no memory")
  }

  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package func text(_ column: Int32) -> String {
    guard let text = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The length of a blob or text, in bytes; it is not read for this.
  package func byteCount(_ column: Int32) -> Int {
    Int(sqlite3_column_bytes(handle, column))
  }

  /// A copy of the blob.
  package func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  /// Lends the bytes of the blob for as long as `body` runs.
  package func withBytes<Result, Failure: Error>(
    _ column: Int32,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return try body(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    )
  }
}
