package import TidemarkEntries
package import TidemarkJournalStore
internal import TidemarkSQLite

/// The states of the projections on disk, beside their journal: rows, and how far they go.
///
/// Disposable: what is missing, damaged, of another version or another journal is told as such and
/// made anew from the journal. Losing all of it costs a replay, never an answer.
package final class ProjectionsFile {
  /// How far the rows of one projection go.
  package struct Standing: Sendable, Equatable {
    /// The last entry that is in them.
    package var position: Seq

    /// The leaf of that entry: that it is the same history.
    package var leaf: Digest?

    /// Nothing is in them yet.
    package init() { position = Seq(0) }

    package init(position: Seq, leaf: Digest?) {
      self.position = position
      self.leaf = leaf
    }
  }

  /// What was found of one projection.
  package enum Loaded: Sendable, Equatable {
    case whole(Standing)
    case missing

    /// Another version of the fold made it.
    case outdated

    /// It does not read as a state, for this reason.
    case damaged(String)
  }

  package let path: String
  private let journal: [UInt8]
  private let database: Database
  private let insertion: Statement
  private let deletion: Statement
  private let selection: Statement

  private static let applicationID: Int64 = 0x5444_5052  // "TDPR"
  private static let schema = """
    CREATE TABLE about(journal BLOB NOT NULL) STRICT;
    CREATE TABLE projections(
      name TEXT PRIMARY KEY, version INTEGER NOT NULL, position INTEGER NOT NULL,
      leaf BLOB, sum INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE rows(
      projection TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL,
      fingerprint INTEGER NOT NULL,
      PRIMARY KEY (projection, key)
    ) STRICT, WITHOUT ROWID
    """

  /// Where the projections of the journal at `path` are kept.
  package static func path(for journal: String) -> String { journal + "-projections" }

  /// Opens the file, and makes it anew if it is no projections file of this journal.
  ///
  /// - Parameters:
  ///   - path: where the file is; its folder may be one that the system clears.
  ///   - journal: the id of the journal.
  /// - Throws: ``JournalError`` with code `storage` if the device refuses.
  package convenience init(_ path: String, of journal: [UInt8]) throws(JournalError) {
    try self.init(path, journal, isAnew: false)
  }

  /// An empty file in the place of this one, which is damaged: a copy of what the journal has.
  func remade() throws(JournalError) -> ProjectionsFile {
    try ProjectionsFile(path, journal, isAnew: true)
  }

  private init(_ path: String, _ journal: [UInt8], isAnew: Bool) throws(JournalError) {
    self.path = path
    self.journal = journal
    if isAnew { Files.removeDatabase(path) }
    do throws(SQLiteError) {
      database = try ProjectionsFile.opened(path, journal)
      (insertion, deletion, selection) = try ProjectionsFile.statements(database)
    } catch {
      throw JournalError(.storage, "cannot open the projections at \(path): \(error)", cause: error)
    }
  }

  /// Opens the file of somebody else, for reading alone: nothing is made, cleared or written.
  ///
  /// - Throws: ``JournalError`` with code `foreign` if it is no projections file of this journal,
  ///   or cannot be read as one.
  package init(reading path: String, of journal: [UInt8]) throws(JournalError) {
    self.path = path
    self.journal = journal
    do throws(SQLiteError) {
      database = try ProjectionsFile.openedForReading(path)
      guard try ProjectionsFile.isOfJournal(database, journal) else {
        throw SQLiteError.malformed("it is not of this journal")
      }
      (insertion, deletion, selection) = try ProjectionsFile.statements(database)
    } catch {
      throw JournalError(.foreign, error.message, cause: error)
    }
  }

  private static func openedForReading(_ path: String) throws(SQLiteError) -> Database {
    do throws(SQLiteError) {
      let database = try Database(path: path, access: .read)
      _ = try database.integer("PRAGMA schema_version")
      return database
    } catch {
      guard Files.byteCount(of: path + "-wal") ?? 0 == 0 else { throw error }
      // A folder that may not be written: without a write-ahead log nothing is missed.
      return try Database(path: path, access: .immutable)
    }
  }

  private static func statements(
    _ database: Database
  ) throws(SQLiteError) -> (insertion: Statement, deletion: Statement, selection: Statement) {
    (
      try database.prepare(
        "INSERT OR REPLACE INTO rows(projection, key, value, fingerprint) VALUES (?, ?, ?, ?)"
      ),
      try database.prepare("DELETE FROM rows WHERE projection = ? AND key = ?"),
      try database.prepare("SELECT fingerprint FROM rows WHERE projection = ? AND key = ?")
    )
  }

  private static func opened(_ path: String, _ journal: [UInt8]) throws(SQLiteError) -> Database {
    do throws(SQLiteError) {
      let database = try Database(path: path, access: .write(creating: true))
      try setUp(database)
      guard try isOurs(database, journal) else {
        throw SQLiteError.malformed("not of this journal")
      }
      // Tables that are not ours any more do not take them.
      _ = try statements(database)
      return database
    } catch {
      guard error.code == .damaged || error.code == .notADatabase || error.code == .other else {
        throw error
      }
    }
    // A copy of what the journal has: nothing is lost with it.
    Files.removeDatabase(path)
    let database = try Database(path: path, access: .write(creating: true))
    try setUp(database)
    try make(database, journal)
    return database
  }

  private static func setUp(_ database: Database) throws(SQLiteError) {
    try database.execute(
      """
      PRAGMA cell_size_check = ON;
      PRAGMA mmap_size = 0;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL
      """
    )
  }

  private static func isOurs(_ database: Database, _ journal: [UInt8]) throws(SQLiteError) -> Bool {
    if try database.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      try make(database, journal)
    }
    return try isOfJournal(database, journal)
  }

  private static func isOfJournal(
    _ database: Database,
    _ journal: [UInt8]
  ) throws(SQLiteError) -> Bool {
    guard try database.integer("PRAGMA application_id") == applicationID else { return false }
    let about = try database.prepare("SELECT journal FROM about")
    return try about.step() && about.bytes(0) == journal
  }

  private static func make(_ database: Database, _ journal: [UInt8]) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      try database.execute(schema)
      try database.execute("PRAGMA application_id = \(applicationID)")
      let about = try database.prepare("INSERT INTO about(journal) VALUES (?)")
      about.bind(1, journal)
      try about.run()
    } mapping: {
      $0
    }
  }

  // MARK: Reading

  /// Reads the rows of `part` into `states`.
  ///
  /// - Complexity: O(*n*) in the rows.
  package func load(_ part: StatePart, into states: inout States) -> Loaded {
    do throws(SQLiteError) {
      guard let known = try standing(of: part) else { return .missing }
      guard known.version == part.version else { return .outdated }
      let (rows, sum) = try self.rows(of: part)
      guard sum == known.sum else { return .damaged("the rows are not all that were written") }
      do throws(EntryError) { try part.load(&states, rows) } catch {
        return .damaged(error.message)
      }
      return .whole(known.standing)
    } catch {
      return .damaged(error.message)
    }
  }

  /// What there is of `part`; its rows are looked at on request.
  func find(_ part: StatePart, withRows: Bool) -> FoundProjection {
    do throws(SQLiteError) {
      guard let known = try standing(of: part) else {
        return FoundProjection(name: part.name, loaded: .missing)
      }
      var loaded = Loaded.outdated
      if known.version == part.version {
        var states = States()
        loaded = withRows ? load(part, into: &states) : .whole(known.standing)
      }
      return FoundProjection(name: part.name, version: known.version, loaded: loaded)
    } catch {
      return FoundProjection(name: part.name, loaded: .damaged(error.message))
    }
  }

  private func standing(
    of part: StatePart
  ) throws(SQLiteError) -> (version: Int, standing: Standing, sum: Int64)? {
    let query = try database.prepare(
      "SELECT version, position, leaf, sum FROM projections WHERE name = ?"
    )
    query.bind(1, part.name)
    guard try query.step() else { return nil }
    let standing = Standing(
      position: Seq(UInt64(clamping: query.integer(1))),
      leaf: query.isNull(2) ? nil : Digest(query.bytes(2))
    )
    return (Int(query.integer(0)), standing, query.integer(3))
  }

  private func rows(
    of part: StatePart
  ) throws(SQLiteError) -> (rows: [(key: RowKey, value: [UInt8])], sum: Int64) {
    let query = try database.prepare(
      "SELECT key, value, fingerprint FROM rows WHERE projection = ? ORDER BY key"
    )
    query.bind(1, part.name)
    var rows: [(key: RowKey, value: [UInt8])] = []
    var sum: Int64 = 0
    while try query.step() {
      let (bytes, value) = (query.bytes(0), query.bytes(1))
      guard let key = try? RowKey(bytes),
        query.integer(2) == ProjectionsFile.fingerprint(bytes, value)
      else { throw SQLiteError.malformed("a row is not what was written") }
      rows.append((key, value))
      sum &+= query.integer(2)
    }
    return (rows, sum)
  }

  private static func fingerprint(_ key: [UInt8], _ value: [UInt8]) -> Int64 {
    Int64(bitPattern: Fingerprint.of(key + value, seed: UInt64(key.count)))
  }

  // MARK: Writing

  /// Writes the rows in `changed` as they are in `states`, which go up to `standing`.
  ///
  /// All of it or nothing; a key without a row takes it away.
  ///
  /// - Throws: ``JournalError`` with code `storage`; what was there stays.
  /// - Complexity: O(*k* log *n*) for *k* keys among *n* rows.
  package func save(
    _ states: States,
    _ changed: ChangedRows,
    _ standing: Standing
  ) throws(JournalError) {
    do throws(SQLiteError) {
      try database.transaction { () throws(SQLiteError) in
        for part in ProjectionCatalogue.parts {
          try write(part, states, changed.keys[part.name] ?? [], standing)
        }
      } mapping: {
        $0
      }
    } catch {
      throw JournalError(.storage, "cannot save the projections: \(error)", cause: error)
    }
  }

  /// Writes all rows of `states`, which go up to `standing`, in the place of those that are there.
  ///
  /// - Throws: ``JournalError`` with code `storage`; what was there stays.
  /// - Complexity: O(*n* log *n*) in the rows.
  package func saveAll(_ states: States, _ standing: Standing) throws(JournalError) {
    do throws(SQLiteError) {
      try database.transaction { () throws(SQLiteError) in
        for part in ProjectionCatalogue.parts {
          try deleteRows(of: part)
          var sum: Int64 = 0
          for (key, bytes) in RowKey.inOrder(part.rowKeys(states)) {
            guard let value = part.row(states, key) else { continue }
            sum &+= try insert(bytes, value, of: part)
          }
          try note(part, sum, standing)
        }
      } mapping: {
        $0
      }
    } catch {
      throw JournalError(.storage, "cannot save the projections: \(error)", cause: error)
    }
  }

  private func write(
    _ part: StatePart,
    _ states: States,
    _ keys: Set<RowKey>,
    _ standing: Standing
  ) throws(SQLiteError) {
    var sum = try self.standing(of: part)?.sum ?? 0
    for key in keys { sum &+= try write(key, of: part, states) }
    try self.note(part, sum, standing)
  }

  private func note(
    _ part: StatePart,
    _ sum: Int64,
    _ standing: Standing
  ) throws(SQLiteError) {
    let note = try database.prepare(
      """
      INSERT OR REPLACE INTO projections(name, version, position, leaf, sum)
      VALUES (?, ?, ?, ?, ?)
      """
    )
    note.bind(1, part.name)
    note.bind(2, Int64(part.version))
    note.bind(3, Int64(clamping: standing.position.value))
    if let leaf = standing.leaf { note.bind(4, leaf.bytes) } else { note.bindNull(4) }
    note.bind(5, sum)
    try note.run()
  }

  /// Writes one row, or takes it away.
  ///
  /// - Returns: by how much the sum of the fingerprints has changed, by which a lost row is found.
  private func write(
    _ key: RowKey,
    of part: StatePart,
    _ states: States
  ) throws(SQLiteError) -> Int64 {
    let bytes = key.bytes
    selection.bind(1, part.name)
    selection.bind(2, bytes)
    let before = try selection.step() ? selection.integer(0) : nil
    selection.reset()
    guard let value = part.row(states, key) else {
      guard let before else { return 0 }
      deletion.bind(1, part.name)
      deletion.bind(2, bytes)
      try deletion.run()
      return 0 &- before
    }
    guard ProjectionsFile.fingerprint(bytes, value) != before else { return 0 }
    return try insert(bytes, value, of: part) &- (before ?? 0)
  }

  /// - Returns: the fingerprint of the row.
  private func insert(
    _ key: [UInt8],
    _ value: [UInt8],
    of part: StatePart
  ) throws(SQLiteError) -> Int64 {
    let fingerprint = ProjectionsFile.fingerprint(key, value)
    insertion.bind(1, part.name)
    insertion.bind(2, key)
    insertion.bind(3, value)
    insertion.bind(4, fingerprint)
    try insertion.run()
    return fingerprint
  }

  /// Takes away all rows of a projection, before it is written anew.
  package func clear(_ part: StatePart) throws(JournalError) {
    do throws(SQLiteError) {
      try deleteRows(of: part)
      let deletion = try database.prepare("DELETE FROM projections WHERE name = ?")
      deletion.bind(1, part.name)
      try deletion.run()
    } catch {
      throw JournalError(.storage, "cannot clear \(part.name): \(error)", cause: error)
    }
  }

  private func deleteRows(of part: StatePart) throws(SQLiteError) {
    let deletion = try database.prepare("DELETE FROM rows WHERE projection = ?")
    deletion.bind(1, part.name)
    try deletion.run()
  }
}
