internal import TidemarkEntries
internal import TidemarkSQLite

/// What is wrong with the pages that SQLite keeps the rows in.
///
/// An append to pages that contradict each other may write over what nobody knows to be there. All
/// of them are looked at where that takes a few milliseconds; of a larger file those that an append
/// builds on.
enum ContainerCheck {
  /// What SQLite finds wrong with all pages, at most `max` findings.
  ///
  /// - Throws: ``JournalError`` if it is no damage.
  /// - Complexity: O(*n*) in the pages.
  static func findings(
    in database: Database,
    atMost max: Int
  ) throws(JournalError) -> [Finding] {
    var findings: [Finding] = []
    do throws(SQLiteError) {
      let rows = try database.prepare("PRAGMA quick_check(\(max))")
      while try rows.step() {
        let message = rows.text(0)
        if message != "ok" { findings.append(Finding(.containerDamaged, "SQLite: \(message)")) }
      }
    } catch {
      guard error.code == .damaged else { throw JournalError(error, doing: "cannot check pages") }
      if findings.isEmpty { findings.append(Finding(.containerDamaged, "SQLite: \(error)")) }
    }
    return findings
  }

  /// What a writer finds wrong before it trusts the file; nothing if it may append.
  ///
  /// - Complexity: O(1): at most ``Limits/checkedPagesMax`` pages are read.
  static func finding(in database: Database) throws(JournalError) -> Finding? {
    do throws(SQLiteError) {
      let pages = try database.integer("PRAGMA page_count") ?? 0
      if pages > Int64(Limits.checkedPagesMax) { return try disorder(in: database) }
    } catch {
      guard error.code == .damaged else { throw JournalError(error, doing: "cannot check pages") }
      return Finding(.containerDamaged, "SQLite: \(error)")
    }
    return try findings(in: database, atMost: 1).first
  }

  /// Whether the last rows, behind which others will be put, are not in order.
  private static func disorder(in database: Database) throws(SQLiteError) -> Finding? {
    for (table, id) in [("bodies", "id"), ("blocks", "first_seq")] {
      let rows = try database.prepare(
        "SELECT \(id) FROM \(table) ORDER BY \(id) DESC LIMIT \(Limits.checkedRowsMax)"
      )
      var next = Int64.max
      var isFirst = true
      while try rows.step() {
        let found = rows.integer(0)
        guard isFirst || found < next else {
          return Finding(.containerDamaged, "SQLite: the rows of \(table) are out of order")
        }
        (next, isFirst) = (found, false)
      }
    }
    return nil
  }

  /// Has SQLite look at all pages, before some of them are given up.
  ///
  /// - Throws: ``JournalError`` with code `damaged` if something is wrong with one.
  static func checkAll(_ database: Database) throws(JournalError) {
    guard let finding = try findings(in: database, atMost: 1).first else { return }
    throw JournalError(SQLiteError.malformed(finding.message), doing: "nothing is dropped")
  }
}
