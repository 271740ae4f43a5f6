internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkSQLite

extension OpenedJournal {
  /// Reads the entries that the index does not hold, compares the anchor, and says what is wrong.
  ///
  /// - Parameter anchor: the head that was acknowledged, if there is an anchor.
  /// - Returns: how the two stand to each other.
  /// - Throws: ``JournalError`` if the file cannot be read; what is wrong in it is a finding.
  /// - Complexity: O(*n*) in the entries behind the index, at most some 8,192 of them.
  mutating func readTail(_ anchor: Anchor?) throws(JournalError) -> Anchor.Standing {
    do throws(JournalError) {
      try loadIndex()
      try readBlocks(anchor)
      try readBodies()
    } catch {
      // What SQLite cannot read forbids appending, and not to open the rest.
      guard let cause = error.cause as? SQLiteError, cause.code == .damaged else { throw error }
      refuse(Finding(.containerDamaged, error.message, at: error.seq))
    }
    let standing = try Anchor.standing(
      of: anchor,
      to: identity.journal,
      size: heads.range.end,
      isWhole: !isDamaged,
      root: root(over:)
    )
    note(standing, anchor)
    return standing
  }

  private mutating func loadIndex() throws(JournalError) {
    do throws(IndexFailure) {
      heads = try index.load() ?? Heads()
      indexedRange = heads.range
    } catch {
      // Losing an index changes the speed of an answer, never the answer.
      try dropIndex(after: error)
    }
  }

  mutating func dropIndex(after failure: IndexFailure) throws(JournalError) {
    switch failure {
    case .journal(let error): throw error
    case .sqlite(let error) where error.code != .damaged:
      throw JournalError(error, doing: "cannot read the index")
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

  private mutating func readBlocks(_ anchor: Anchor?) throws(JournalError) {
    let decompressor = Decompressor()
    var before: Block?
    while let block = try next(after: before?.first ?? Seq(heads.range.end)) {
      do throws(Block.Fault) {
        try checkPlace(of: block, behind: before)
        try take(block, decompressor)
      } catch {
        return try stop(at: block, error, anchor)
      }
      before = block
    }
  }

  /// Takes the contents that the index does not hold into its tail.
  private mutating func readBodies() throws(JournalError) {
    try sqlite("cannot read the bodies") { () throws(SQLiteError) in
      let rows = try database.prepare(
        "SELECT id, fingerprint FROM bodies WHERE id > ? AND fingerprint IS NOT NULL ORDER BY id"
      )
      rows.bind(1, Int64(clamping: heads.bodiesThrough))
      while try rows.step() {
        index.noteBody(UInt64(bitPattern: rows.integer(1)), id: UInt64(clamping: rows.integer(0)))
      }
    }
  }

  private func checkPlace(of block: Block, behind before: Block?) throws(Block.Fault) {
    let next = Seq(heads.range.end).next
    if let before, block.first < next {
      let overlap = Finding.overlap(of: before, with: block.first)
      throw Block.Fault(code: overlap.code, message: overlap.message, seq: overlap.seq)
    }
    guard block.first == next else {
      throw Block.Fault(
        code: .seqGap,
        message: "entry \(next) is missing; the next block begins with \(block.first)"
      )
    }
  }

  private func next(after seq: Seq) throws(JournalError) -> Block? {
    try sqlite("cannot read the blocks") { () throws(SQLiteError) in try blocks.block(after: seq) }
  }

  private mutating func take(_ block: Block, _ decompressor: Decompressor) throws(Block.Fault) {
    let entries = try block.entries(decompressor)
    guard let stored = block.storedRange, stored == block.range(of: entries) else {
      throw Block.Fault(code: .rootDiffers, message: "the entries give other nodes of the tree")
    }
    heads.range.append(stored)
    for entry in entries {
      heads.note(entry)
      index.note(entry)
    }
  }

  /// A block that cannot be read ends what can be appended to.
  ///
  /// Only a last one that was never acknowledged may be left out.
  private mutating func stop(
    at block: Block,
    _ fault: Block.Fault,
    _ anchor: Anchor?
  ) throws(JournalError) {
    let isLast = try next(after: block.first) == nil
    let finding =
      isLast
      ? LastBlock.finding(for: block, fault, anchor, of: identity.journal)
      : Finding(fault.code, fault.message, at: fault.seq ?? block.first)
    if finding.code == .tornTail { torn = block } else { isDamaged = true }
    findings.append(finding)
  }

  /// The root over the first `size` entries.
  ///
  /// - Complexity: O(1) for the size of the journal; else O(*b*) in the blocks before it.
  private func root(over size: UInt64) throws(JournalError) -> Digest? {
    if size == heads.range.end { return heads.range.root }
    let start = size >= indexedRange.end ? indexedRange : CompactRange()
    return try TreeReader(blocks).range(over: size, from: start)?.root
  }

  private mutating func note(_ standing: Anchor.Standing, _ anchor: Anchor?) {
    guard let finding = standing.finding(anchor, size: Seq(heads.range.end)) else { return }
    isDamaged = true
    // Where damage stopped the reading, that is the finding, and not what it hides.
    let isHidden = standing == .ahead && findings.contains { !$0.code.isNote }
    if !isHidden { findings.append(finding) }
  }
}

extension JournalIndex {
  /// Takes an entry into the tail.
  func note(_ entry: Entry) {
    noteKey(fingerprint(of: Array(entry.storage[entry.keyRange])), at: entry.seq)
    guard let store = entry.store else { return }
    entry.forEachPathPlace { place in
      let path = Path(canonical: Array(entry.storage[place.bytes]))
      notePath(
        storePath(store, path),
        PathHead(naming: entry.seq, as: place.role, previous: place.previous)
      )
    }
  }
}
