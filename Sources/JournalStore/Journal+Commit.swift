internal import TidemarkEntries
internal import TidemarkSQLite

extension Journal {
  /// Puts what is staged on disk, in one transaction.
  ///
  /// - Throws: ``JournalError`` with code `storage` if the device refused: nothing of it is in the
  ///   journal then, and the journal is usable again when there is room.
  package func commit(_ durability: Durability) throws(JournalError) {
    try checkWritable()
    try commitStaged(durability)
  }

  func commitStaged(_ durability: Durability) throws(JournalError) {
    guard !staging.isEmpty else {
      if durability == .authored, !isSynced {
        try settling { () throws(JournalError) in try syncLazyEntries() }
      }
      return
    }
    try settling { () throws(JournalError) in
      let blocks = staging.finish(compressor)
      var heads = opened.heads
      for builder in staging.builders { heads.range.append(builder.range) }
      if opened.index.isTailFull {
        heads.bodiesThrough = opened.bodies.nextID + UInt64(staging.bodies.count) - 1
      }
      let isIndexed = try write(blocks, heads, durability)
      opened.heads = heads
      if isIndexed { opened.index.forgetTail(through: Seq(heads.range.end)) }
      staging.clear(after: heads.range.end)
    }
    isSynced = durability == .authored
    if isSynced { try acknowledge() }
  }

  /// Whether the index took in its tail.
  func write(
    _ blocks: [Block],
    _ heads: Heads,
    _ durability: Durability
  ) throws(JournalError) -> Bool {
    try opened.setSynchronous(durability)
    return try opened.database.transaction { () throws(JournalError) in
      try sqlite("cannot append") { () throws(SQLiteError) in
        for body in staging.bodies {
          _ = try opened.bodies.insert(
            body.content,
            salt: body.salt,
            fingerprint: body.fingerprint
          )
        }
        for block in blocks { try opened.blocks.insert(block) }
      }
      guard opened.index.isTailFull else { return false }
      do throws(IndexFailure) { try opened.index.writeTail(heads) } catch {
        throw error.asJournalError
      }
      return true
    } mapping: {
      JournalError($0, doing: "cannot append")
    }
  }

  func syncLazyEntries() throws(JournalError) {
    // A checkpoint syncs the write-ahead log first, which is what is wanted here.
    try opened.setSynchronous(.authored)
    try sqlite("cannot sync") { () throws(SQLiteError) in
      _ = try opened.database.integer("PRAGMA wal_checkpoint(PASSIVE)")
    }
    isSynced = true
    try acknowledge()
  }

  func acknowledge() throws(JournalError) {
    guard anchor.last?.size != committed.value || anchor.last?.root != root else { return }
    try anchor.acknowledge(committed.value, root, of: identity)
  }

  /// Runs `work`; if it fails, everything is read again from the disk, and only the disk counts.
  func settling<Result>(
    _ work: () throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    do throws(JournalError) { return try work() } catch {
      try reopen(after: error)
      throw error
    }
  }

  /// Drops what is staged and opens the file anew: after a failed sync nobody knows what is there.
  func reopen(after failure: JournalError) throws(JournalError) {
    (opened, anchorStanding) = try Journal.open(path, anchor.last)
    staging = Staging(after: opened.heads.range.end)
    isSynced = false
  }

  /// Takes a torn block out of the way; its bytes stay in the file.
  func setAside(_ block: Block) throws(JournalError) {
    try sqlite("cannot set the torn block aside") { () throws(SQLiteError) in
      try opened.database.transaction { () throws(SQLiteError) in
        try opened.database.execute("INSERT INTO maintenance VALUES ('cut')")
        let insert = try opened.database.prepare(
          "INSERT INTO set_aside(first_seq, reason, content) VALUES (?, 'torn-tail', ?)"
        )
        insert.bind(1, Int64(block.first.value))
        insert.bind(2, block.frames)
        try insert.run()
        try opened.database.execute("DELETE FROM blocks WHERE first_seq = \(block.first)")
        try opened.database.execute("DELETE FROM maintenance")
      } mapping: {
        $0
      }
    }
    opened.torn = nil
  }
}
