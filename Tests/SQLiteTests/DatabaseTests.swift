import Foundation
import TestSupport
import Testing
import TidemarkSQLite

/// What the journal relies on in SQLite.
@Suite struct DatabaseTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("test.db")
  }

  private func table(_ schema: String = "CREATE TABLE t(v INTEGER UNIQUE)") throws -> Database {
    let database = try Database(path: path, access: .write(creating: true))
    try database.execute(schema)
    return database
  }

  /// Why `work` was refused; nothing if it was not.
  private func code(_ work: () throws(SQLiteError) -> Void) -> SQLiteError.Code? {
    do throws(SQLiteError) {
      try work()
      return nil
    } catch {
      return error.code
    }
  }

  private struct Refusal: Error {}

  // MARK: Transactions

  @Test func `a transaction is kept, and seen by others`() throws {
    let database = try table()
    let other = try Database(path: path, access: .read)
    let answer = try database.transaction { () throws(SQLiteError) in
      try database.execute("INSERT INTO t VALUES (1)")
      #expect(database.isInTransaction)
      return 42
    } mapping: {
      $0
    }
    #expect(answer == 42)
    #expect(!database.isInTransaction)
    #expect(try other.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `nothing is kept of a transaction that fails, and the next one works`() throws {
    let database = try table()
    #expect(throws: Refusal.self) {
      try database.transaction { () throws(Refusal) in
        guard (try? database.execute("INSERT INTO t VALUES (1)")) != nil else { return }
        throw Refusal()
      } mapping: { _ in
        Refusal()
      }
    }
    #expect(!database.isInTransaction)
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try database.transaction { () throws(SQLiteError) in
      try database.execute("INSERT INTO t VALUES (2)")
    } mapping: {
      $0
    }
    #expect(try database.integer("SELECT v FROM t") == 2)
  }

  // MARK: Errors

  @Test func `a second writer finds the database busy`() throws {
    let first = try table()
    let second = try Database(path: path, access: .write(creating: false))
    try first.execute("BEGIN IMMEDIATE")
    var isMapped = false
    let error = #expect(throws: SQLiteError.self) {
      try second.transaction { () throws(SQLiteError) in
        Issue.record("two writers at one time")
      } mapping: {
        isMapped = true
        return $0
      }
    }
    #expect(error?.code == .busy)
    #expect(isMapped)
    #expect(!second.isInTransaction)
  }

  @Test func `a file that is no database is refused as such`() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let database = try Database(path: path, access: .read)
    #expect(
      code { () throws(SQLiteError) in
        _ = try database.integer("SELECT count(*) FROM sqlite_schema")
      } == .notADatabase
    )
  }

  @Test func `a database whose pages are overwritten is damaged`() throws {
    try table().execute("INSERT INTO t VALUES (1)")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 100..<bytes.count { bytes[index] = 0xff }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let database = try Database(path: path, access: .read)
    #expect(
      code { () throws(SQLiteError) in
        _ = try database.integer("SELECT count(*) FROM t")
      } == .damaged
    )
  }

  @Test func `a file that is not there cannot be opened, unless it may be made`() throws {
    for access in [Database.Access.read, .immutable, .write(creating: false)] {
      #expect(
        code { () throws(SQLiteError) in
          _ = try Database(path: path, access: access)
        } == .cannotOpen
      )
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try table()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a constraint and a trigger say no, with the extended code`() throws {
    let database = try table(
      """
      CREATE TABLE t(v INTEGER UNIQUE);
      CREATE TRIGGER never BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'append only'); END;
      INSERT INTO t VALUES (1);
      """
    )
    let double = #expect(throws: SQLiteError.self) {
      try database.execute("INSERT INTO t VALUES (1)")
    }
    #expect(double?.code == .constraint)
    #expect(double?.resultCode == 2067, "SQLITE_CONSTRAINT_UNIQUE")
    let deletion = #expect(throws: SQLiteError.self) { try database.execute("DELETE FROM t") }
    #expect(deletion?.code == .constraint)
    #expect(deletion?.message == "append only")
    #expect(code { () throws(SQLiteError) in try database.execute("nonsense") } == .other)
  }

  @Test(
    arguments: [
      (5, .busy), (261, .busy), (6, .busy), (11, .damaged), (267, .damaged), (26, .notADatabase),
      (13, .storage), (10, .storage), (266, .storage), (8, .storage), (3, .storage),
      (14, .cannotOpen), (19, .constraint), (1811, .constraint), (1, .other), (21, .other),
    ] as [(Int32, SQLiteError.Code)]
  )
  func `result codes, plain and extended, have their remedies`(
    resultCode: Int32,
    code: SQLiteError.Code
  ) {
    let error = SQLiteError(resultCode: resultCode, message: "no")
    #expect(error.code == code)
    #expect(error.description == "no (SQLite \(resultCode))")
  }

  // MARK: Reading

  @Test func `who opens for reading cannot write`() throws {
    try table().execute("INSERT INTO t VALUES (1)")
    for access in [Database.Access.read, .immutable] {
      let reader = try Database(path: path, access: access)
      for sql in ["INSERT INTO t VALUES (2)", "DELETE FROM t", "CREATE TABLE u(v)"] {
        #expect(code { () throws(SQLiteError) in try reader.execute(sql) } == .storage)
      }
      #expect(try reader.integer("SELECT sum(v) FROM t") == 1)
    }
  }

  @Test(arguments: [
    "a?b", "a#b", "a%b", "a%41", "a b", "?mode=memory", "#", "%", "%00", "a&b=c", "é東😀", "a'b\"c",
    ":memory:", "file:a", "a?immutable=1", "a\\b", "+",
  ])
  func `a file may have any name`(name: String) throws {
    let odd = folder.file(name)
    try Database(path: odd, access: .write(creating: true))
      .execute("CREATE TABLE t(v); INSERT INTO t VALUES (7)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    for access in [Database.Access.read, .immutable, .write(creating: false)] {
      let again = try Database(path: odd, access: access)
      #expect(try again.integer("SELECT v FROM t") == 7)
    }
  }

  @Test func `a copy has all that was committed`() throws {
    let database = try table()
    try database.execute("INSERT INTO t VALUES (1), (2)")
    let target = folder.file("copy ?.db")
    try database.copy(to: target)
    let copy = try Database(path: target, access: .read)
    #expect(try copy.integer("SELECT sum(v) FROM t") == 3)
  }

  // MARK: Values

  @Test(arguments: [[], [0], [0, 1, 255], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]])
  func `a blob comes back as it went, and one of no bytes is not NULL`(bytes: [UInt8]) throws {
    let database = try table("CREATE TABLE t(v BLOB NOT NULL)")
    let insert = try database.prepare("INSERT INTO t VALUES (?)")
    insert.bind(1, bytes)
    try insert.run()
    let select = try database.prepare("SELECT v, typeof(v) FROM t")
    try #require(try select.step())
    #expect(!select.isNull(0))
    #expect(select.bytes(0) == bytes)
    #expect(select.byteCount(0) == bytes.count)
    #expect(select.text(1) == "blob")
    #expect(try !select.step())
  }

  @Test func `numbers, texts and NULL come back as they went`() throws {
    let database = try table("CREATE TABLE t(n, s, e, z)")
    let insert = try database.prepare("INSERT INTO t VALUES (?, ?, ?, ?)")
    insert.bind(1, Int64.min)
    insert.bind(2, "é\u{0}東")
    insert.bind(3, "")
    insert.bindNull(4)
    try insert.run()
    let select = try database.prepare("SELECT n, s, e, z, typeof(e) FROM t")
    try #require(try select.step())
    #expect(select.integer(0) == Int64.min)
    #expect(select.text(1) == "é\u{0}東")
    #expect(select.text(2).isEmpty && !select.isNull(2))
    #expect(select.isNull(3))
    #expect(select.text(4) == "text")
  }
}
