internal import TidemarkEntries
internal import TidemarkJournalFormat
internal import TidemarkSQLite

/// The SQLite file of a journal: made, opened and recognised.
enum JournalFile {
  /// Makes a journal where there is nothing.
  ///
  /// It gets its name when it is whole and on disk: what a crash leaves is no journal that cannot
  /// be opened. The caller holds the lock of the anchor.
  static func create(at path: String, _ identity: Identity) throws(JournalError) {
    let side = side(of: path)
    Files.removeDatabase(side)
    do throws(JournalError) {
      try Files.createPrivate(side)
      try sqlite("cannot create \(path)") { () throws(SQLiteError) in
        let database = try Database(path: side, access: .write(creating: true))
        try database.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE")
        try turnToWriteAheadLog(database)
        try database.execute("PRAGMA synchronous = FULL")
        try database.transaction { () throws(SQLiteError) in
          try database.execute(JournalFormat.schema)
          try identity.write(to: database)
          try database.execute(
            """
            PRAGMA application_id = \(JournalFormat.applicationID);
            PRAGMA user_version = \(JournalFormat.version)
            """
          )
        } mapping: {
          $0
        }
      }
      try Files.move(side, toNew: path)
      try Files.syncFolder(of: path)
    } catch {
      Files.removeDatabase(side)
      throw error
    }
  }

  /// Where the file at `path` is made before it gets its name.
  static func side(of path: String) -> String { path + "-new" }

  /// Opens the file for its one writer.
  static func openForWriting(_ path: String) throws(JournalError) -> Database {
    try recognizing(path) { () throws(JournalError) in try openedForWriting(path) }
  }

  /// Looks whether a writer may open the file; nothing is written to it.
  static func checkForWriting(_ path: String) throws(JournalError) {
    let finding = try openForReading(path).finding
    if let finding { throw JournalError(.damaged, finding.message, finding: finding.code) }
  }

  private static func openedForWriting(_ path: String) throws(JournalError) -> Database {
    try checkIsFile(path)
    // SQLite would roll the file back to what such a log says, whoever put it there.
    guard try Files.kind(of: path + "-journal") == .nothing else {
      throw JournalError(
        .damaged,
        "a rollback log stands beside \(path), which has none; move it away",
        finding: .containerDamaged
      )
    }
    let database = try sqlite("cannot open \(path)") { () throws(SQLiteError) in
      let database = try Database(path: path, access: .write(creating: false))
      // Reading comes first: a file of another kind is told before it is touched.
      _ = try database.integer("PRAGMA schema_version")
      return database
    }
    if let finding = try checkFormat(of: database, path) {
      throw JournalError(.damaged, finding.message, finding: finding.code)
    }
    try sqlite("cannot set up \(path)") { () throws(SQLiteError) in
      try database.execute(
        """
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA checkpoint_fullfsync = ON;
        PRAGMA cell_size_check = ON;
        PRAGMA mmap_size = 0;
        PRAGMA wal_autocheckpoint = 1000
        """
      )
      try turnToWriteAheadLog(database)
    }
    return database
  }

  private static func turnToWriteAheadLog(_ database: Database) throws(SQLiteError) {
    let mode = try database.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw SQLiteError(resultCode: 1, message: "no write-ahead log, but \(mode ?? "nothing")")
    }
  }

  /// Opens the file for a reader, which never writes to it and never checkpoints it.
  ///
  /// - Returns: the file, and what is wrong with its schema if that does not hinder reading.
  static func openForReading(
    _ path: String
  ) throws(JournalError) -> (database: Database, finding: Finding?) {
    try recognizing(path) { () throws(JournalError) in try openedForReading(path) }
  }

  /// A file that is no journal, beside an anchor that names entries, was one.
  private static func recognizing<Opened>(
    _ path: String,
    _ open: () throws(JournalError) -> Opened
  ) throws(JournalError) -> Opened {
    do throws(JournalError) { return try open() } catch {
      guard error.code == .foreign, let anchor = try? Anchor.read(beside: path), anchor.size > 0
      else { throw error }
      throw JournalError(
        .damaged,
        "the anchor names \(anchor.size) entries, but \(error.message)",
        finding: .containerDamaged,
        cause: error
      )
    }
  }

  private static func openedForReading(
    _ path: String
  ) throws(JournalError) -> (Database, Finding?) {
    try checkIsFile(path)
    do throws(JournalError) {
      return try opened(path, .read)
    } catch  where error.code == .storage && Files.byteCount(of: path + "-wal") ?? 0 == 0 {
      // A folder that may not be written: without a write-ahead log nothing is missed.
      return try opened(path, .immutable)
    }
  }

  private static func opened(
    _ path: String,
    _ access: Database.Access
  ) throws(JournalError) -> (Database, Finding?) {
    let database = try sqlite("cannot open \(path)") { () throws(SQLiteError) in
      let database = try Database(path: path, access: access)
      try database.execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
      _ = try database.integer("PRAGMA schema_version")
      return database
    }
    return (database, try checkFormat(of: database, path))
  }

  private static func checkIsFile(_ path: String) throws(JournalError) {
    switch try Files.kind(of: path) {
    case .file:
      // SQLite takes it for a database without tables.
      guard Files.byteCount(of: path) != 0 else {
        throw JournalError(.foreign, "\(path) is an empty file", finding: .notAJournal)
      }
    case .nothing:
      throw JournalError(.missing, "there is no journal at \(path)", finding: .noSuchJournal)
    case .directory:
      throw JournalError(.foreign, "\(path) is a directory", finding: .notAJournal)
    case .other:
      throw JournalError(.foreign, "\(path) is not a file", finding: .notAJournal)
    }
  }

  /// Refuses what is no journal that this build can read.
  ///
  /// - Returns: what forbids to write to it all the same.
  private static func checkFormat(
    of database: Database,
    _ path: String
  ) throws(JournalError) -> Finding? {
    let (application, version) = try sqlite("cannot read \(path)") { () throws(SQLiteError) in
      (
        try database.integer("PRAGMA application_id") ?? 0,
        try database.integer("PRAGMA user_version") ?? 0
      )
    }
    guard application == JournalFormat.applicationID else {
      throw JournalError(
        .foreign,
        "\(path) is a SQLite file of another application",
        finding: .notAJournal
      )
    }
    guard version > 0 else {
      throw JournalError(
        .damaged,
        "\(path) has format \(version), and there is none",
        finding: .containerDamaged
      )
    }
    guard version <= JournalFormat.version else {
      throw JournalError(
        .newer,
        "\(path) has format \(version); this build reads formats up to \(JournalFormat.version)",
        finding: .newerFormat
      )
    }
    let schema = try schema(of: database)
    guard schema != expectedSchema else { return try reservedRow(of: database, path) }
    let message = "the tables and triggers of \(path) are not those of format \(version)"
    // Who reads needs the tables alone; what else there is does nothing unless it is written to.
    guard schema.isSuperset(of: expectedSchema.filter { $0.hasPrefix("CREATE TABLE") }) else {
      throw JournalError(.damaged, message, finding: .containerDamaged)
    }
    return Finding(.containerDamaged, message)
  }

  /// That there is a row in a table that has none in this format.
  ///
  /// A page of theirs that cannot be read hides no entry: it is found by who looks at all pages.
  private static func reservedRow(
    of database: Database,
    _ path: String
  ) throws(JournalError) -> Finding? {
    do throws(SQLiteError) {
      if let id = try database.integer("SELECT id FROM dictionaries LIMIT 1") {
        return Finding(.newerFormat, "\(path) holds the dictionary \(id), and format 1 has none")
      }
      if let purpose = try database.text("SELECT purpose FROM maintenance LIMIT 1") {
        return Finding(
          .containerDamaged,
          "\(path) lets entries be changed: maintenance ('\(purpose)') was begun and never ended"
        )
      }
      return nil
    } catch {
      guard error.code == .damaged else { throw JournalError(error, doing: "cannot read \(path)") }
      return nil
    }
  }

  private static func schema(of database: Database) throws(JournalError) -> Set<String> {
    try sqlite("cannot read the schema") { () throws(SQLiteError) in
      var statements: Set<String> = []
      let rows = try database.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
      while try rows.step() { statements.insert(rows.text(0)) }
      return statements
    }
  }

  /// The statements of the schema as SQLite keeps them: without comments and closing semicolons.
  private static let expectedSchema: Set<String> = {
    var statements: Set<String> = []
    var lines: [Substring] = []
    for line in JournalFormat.schema.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("--") { continue }
      if !line.isEmpty {
        lines.append(line)
      } else if !lines.isEmpty {
        statements.insert(String(lines.joined(separator: "\n").dropLast()))
        lines = []
      }
    }
    if !lines.isEmpty { statements.insert(String(lines.joined(separator: "\n").dropLast())) }
    return statements
  }()
}
