internal import TidemarkEntries
internal import TidemarkSQLite

/// The index of a journal that is opened: it is read, written behind the entries, or made anew.
extension OpenedJournal {
  func loadIndex() throws(JournalError) {
    do throws(IndexFailure) {
      heads = try index.load() ?? Heads()
      indexedRange = heads.range
    } catch {
      // Losing an index changes the speed of an answer, never the answer.
      try dropIndex(after: error)
    }
  }

  func dropIndex(after failure: IndexFailure) throws(JournalError) {
    switch failure {
    case .journal(let error): throw error
    case .sqlite(let error) where error.code != .damaged:
      throw JournalError(error, doing: "cannot use the index")
    case .sqlite, .damaged: break
    }
    heads = Heads()
    // What is damaged stays as it is.
    if !isDamaged {
      // Dropping rows frees their pages, and these must be the index's own.
      try ContainerCheck.checkAll(database)
      try sqlite("cannot drop the index") { () throws(SQLiteError) in try dropRows() }
    }
    index = try sqlite("cannot make the index anew") {
      [database, seed = identity.seed] () throws(SQLiteError) in
      try JournalIndex(database, seed: seed)
    }
  }

  private func dropRows() throws(SQLiteError) {
    guard !database.isInTransaction else { return try index.drop() }
    try database.transaction { () throws(SQLiteError) in
      try index.drop()
    } mapping: {
      $0
    }
  }

  /// Has the runs take in the tail if it is full; all is read again if they are damaged.
  ///
  /// Begins the transaction that ``readTail(_:)`` ends.
  func spill() throws(JournalError) {
    guard !isDamaged, index.isTailFull else { return }
    do throws(IndexFailure) {
      if !database.isInTransaction {
        try IndexFailure.mapping { () throws(SQLiteError) in try database.begin() }
      }
      try index.writeTail(heads)
      index.forgetTail(through: Seq(heads.range.end))
    } catch {
      try dropIndex(after: error)
    }
  }

  /// Takes in the contents that the index does not hold, part by part.
  ///
  /// - Returns: whether they are all in; if not, the index was damaged, and all is read again.
  func readBodies() throws(JournalError) -> Bool {
    guard !isDamaged else { return true }
    while true {
      let part = try bodies(after: heads.bodiesThrough)
      for body in part { index.noteBody(body.fingerprint, id: body.id) }
      guard let last = part.last, part.count == Limits.indexTailEntriesMax else { return true }
      heads.bodiesThrough = last.id
      try spill()
      guard heads.bodiesThrough == last.id else { return false }
    }
  }

  private func bodies(
    after id: UInt64
  ) throws(JournalError) -> [(id: UInt64, fingerprint: UInt64)] {
    try sqlite("cannot read the bodies") { () throws(SQLiteError) in
      let rows = try database.prepare(
        """
        SELECT id, fingerprint FROM bodies WHERE id > ? AND fingerprint IS NOT NULL
        ORDER BY id LIMIT \(Limits.indexTailEntriesMax)
        """
      )
      rows.bind(1, Int64(clamping: id))
      var found: [(id: UInt64, fingerprint: UInt64)] = []
      while try rows.step() {
        found.append((UInt64(clamping: rows.integer(0)), UInt64(bitPattern: rows.integer(1))))
      }
      return found
    }
  }
}
