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

  /// Opens the file anew if a failure left it unknown; what keeps it from that is told by the next
  /// append.
  package func settle() {
    if mustReopen { try? reopen() }
  }

  /// Forgets what is staged, as after a failure of the device.
  package func dropStaged() {
    mustReopen = true
    reopenings += 1
    staging = Staging(after: opened.heads.range.end)
  }

  func commitStaged(_ durability: Durability) throws(JournalError) {
    guard !staging.isEmpty else {
      if durability == .authored, !isSynced {
        try settling { () throws(JournalError) in try syncLazyEntries() }
      }
      return
    }
    try anchor.checkIsInPlace()
    try settling { () throws(JournalError) in
      try opened.setSynchronous(durability)
      try transact { () throws(JournalError) in
        try writeStaged()
      } mapping: {
        $0
      }
    }
    isSynced = durability == .authored
    guard isSynced else { return }
    // The entries are durable: that the anchor could not say so is told when the journal closes,
    // unless a later one says it.
    do throws(JournalError) {
      try acknowledge()
      anchorFailure = nil
    } catch { anchorFailure = error }
  }

  /// Runs `work` in one transaction; if it fails, what is known of the journal is as it was before.
  func transact<Failure: Error>(
    _ work: () throws(Failure) -> Void,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    let before = (opened.heads, opened.index.tail, staging)
    isIndexDamaged = false
    do throws(Failure) {
      try opened.database.transaction(work) { mapping(JournalError($0, doing: "cannot append")) }
    } catch {
      opened.index.restore(before.1)
      (opened.heads, staging) = (before.0, before.2)
      throw error
    }
    guard isIndexDamaged else { return }
    do throws(JournalError) { try remakeIndex() } catch { throw mapping(error) }
  }

  /// Writes what is staged, and what follows from it; inside ``transact(_:mapping:)``.
  func writeStaged() throws(JournalError) {
    let blocks = staging.finish(compressor)
    for builder in staging.builders { opened.heads.range.append(builder.range) }
    let end = opened.heads.range.end
    let isIndexed = opened.index.isTailFull
    if isIndexed { opened.heads.bodiesThrough = nextBodyID - 1 }
    try sqlite("cannot append") { () throws(SQLiteError) in
      for body in staging.bodies { try opened.bodies.insert(body) }
      for block in blocks { try opened.blocks.insert(block) }
    }
    if isIndexed {
      do throws(IndexFailure) {
        try opened.index.writeTail(opened.heads)
        opened.index.forgetTail(through: Seq(end))
      } catch {
        // Losing an index costs time, never an append: it is made anew behind the transaction.
        guard error.isDamage else { throw error.asJournalError }
        isIndexDamaged = true
      }
    }
    staging = Staging(after: end, asLargeAs: staging)
  }

  /// Waits until what was committed is on the medium: the write-ahead log holds all of it.
  ///
  /// A checkpoint would not do: it syncs the log only if there is something that it may copy.
  func syncLazyEntries() throws(JournalError) {
    try Files.sync(path + "-wal")
    isSynced = true
    try acknowledge()
  }

  /// Writes the head into the anchor: only what is on the medium, and never a smaller one.
  func acknowledge() throws(JournalError) {
    precondition(isSynced, "a head is acknowledged when it is durable")
    guard !isReadOnly, committed.value >= anchor.last?.size ?? 0 else { return }
    guard anchor.last?.size != committed.value || anchor.last?.root != root else { return }
    try anchor.acknowledge(committed.value, root, of: identity)
  }

  /// Runs `work`; if it fails, everything is read again from the disk, and only the disk counts.
  func settling<Result>(
    _ work: () throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    do throws(JournalError) { return try work() } catch {
      // What the disk says to this is told by the next call: the first failure is what happened.
      dropStaged()
      noteDamage(error)
      try? reopen()
      throw error
    }
  }

  /// Remembers that SQLite has called the file malformed: nothing is appended to it any more.
  func noteDamage(_ error: JournalError) {
    guard let cause = error.cause as? SQLiteError, cause.code == .damaged else { return }
    let finding = Finding(.containerDamaged, error.message, at: error.seq)
    containerFinding = finding
    opened.refuse(finding)
  }

  /// Drops what is staged and opens the file anew: after a failed sync nobody knows what is there.
  ///
  /// - Throws: ``JournalError``; until it succeeds, nothing is appended.
  func reopen() throws(JournalError) {
    (opened, anchorStanding) = try Journal.open(path, anchor.last)
    if let containerFinding { opened.refuse(containerFinding) }
    staging = Staging(after: opened.heads.range.end)
    isSynced = false
    mustReopen = false
  }

  /// Takes a torn block out of the way; its row stays in the file, to be read by whoever can.
  func setAside(_ block: Block) throws(JournalError) {
    try sqlite("cannot set the torn block aside") { () throws(SQLiteError) in
      try opened.database.transaction { () throws(SQLiteError) in
        try opened.database.execute("INSERT INTO maintenance VALUES ('cut')")
        // The bytes go from row to row, whatever they are and however many.
        try opened.database.execute(
          """
          INSERT INTO set_aside(\(BlockTable.columns), reason)
          SELECT \(BlockTable.columns), 'torn-tail' FROM blocks WHERE first_seq = \(block.first);
          DELETE FROM blocks WHERE first_seq = \(block.first);
          DELETE FROM maintenance
          """
        )
      } mapping: {
        $0
      }
    }
    opened.torn = nil
  }
}
