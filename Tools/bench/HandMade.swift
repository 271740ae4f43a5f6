import TidemarkSQLite

/// What an app writes without Tidemark: a cache, a queue and a list in SQLite, and no journal.
///
/// The statements are prepared once, the file has a write-ahead log, and what a user did is synced.
final class HandMade {
  private let database: Database
  private let insertion: Statement
  private let selection: Statement
  private let enqueuing: Statement
  private let dequeuing: Statement
  private let pinning: Statement

  init(_ path: String) throws {
    database = try Database(path: path, access: .write(creating: true))
    try database.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE copies(path TEXT PRIMARY KEY, saved INTEGER, body BLOB) WITHOUT ROWID;
      CREATE TABLE queue(key TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID;
      CREATE TABLE pins(id TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID
      """
    )
    insertion = try database.prepare(
      "INSERT OR REPLACE INTO copies(path, saved, body) VALUES (?, ?, ?)"
    )
    selection = try database.prepare("SELECT body FROM copies WHERE path = ?")
    enqueuing = try database.prepare("INSERT INTO queue(key, body) VALUES (?, ?)")
    dequeuing = try database.prepare("DELETE FROM queue WHERE key = ?")
    pinning = try database.prepare("INSERT INTO pins(id, body) VALUES (?, ?)")
  }

  /// Whether a commit waits for the disk.
  func setDurable(_ isDurable: Bool) throws {
    try database.execute("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
  }

  func write(_ path: String, _ body: [UInt8]) throws {
    insertion.bind(1, path)
    insertion.bind(2, 0)
    insertion.bind(3, body)
    try insertion.run()
  }

  func read(_ path: String) throws -> [UInt8] {
    defer { selection.reset() }
    selection.bind(1, path)
    return try selection.step() ? selection.bytes(0) : []
  }

  func enqueue(_ key: String, _ body: [UInt8]) throws {
    enqueuing.bind(1, key)
    enqueuing.bind(2, body)
    try enqueuing.run()
  }

  /// The server has it: its copy and its end in one commit.
  func retire(_ key: String, _ path: String, _ body: [UInt8]) throws {
    try database.transaction { () throws(SQLiteError) in
      insertion.bind(1, path)
      insertion.bind(2, 0)
      insertion.bind(3, body)
      try insertion.run()
      dequeuing.bind(1, key)
      try dequeuing.run()
    } mapping: {
      $0
    }
  }

  func replacePins(_ pins: [(id: String, body: [UInt8])]) throws {
    try database.transaction { () throws(SQLiteError) in
      try database.execute("DELETE FROM pins")
      for pin in pins {
        pinning.bind(1, pin.id)
        pinning.bind(2, pin.body)
        try pinning.run()
      }
    } mapping: {
      $0
    }
  }

  func count(_ table: String) throws -> Int {
    Int(try database.integer("SELECT count(*) FROM \(table)") ?? 0)
  }
}
