internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkSQLite

extension OpenedJournal {
  /// Reads the entries that the index does not hold, compares the anchor, and says what is wrong.
  ///
  /// If they are many, the runs take them in part by part: memory holds no more of them than of the
  /// tail. That is one transaction, and what is damaged stays as it is: then nothing of it is kept.
  ///
  /// - Parameter anchor: the head that was acknowledged, if there is an anchor.
  /// - Returns: how the two stand to each other.
  /// - Throws: ``JournalError`` if the file cannot be read; what is wrong in it is a finding.
  /// - Complexity: O(*n*) in the entries behind the index: those of the tail, or all of them if the
  ///   index was lost.
  func readTail(_ anchor: Anchor?) throws(JournalError) -> Anchor.Standing {
    let isPartOfMore = database.isInTransaction
    defer { if !isPartOfMore, database.isInTransaction { database.rollBack() } }
    let standing = try readRest(anchor)
    if !isPartOfMore, database.isInTransaction, !isDamaged {
      try sqlite("cannot keep the index") { () throws(SQLiteError) in try database.commit() }
    }
    return standing
  }

  private func readRest(_ anchor: Anchor?) throws(JournalError) -> Anchor.Standing {
    do throws(JournalError) {
      try loadIndex()
      repeat { try readBlocks(anchor) } while try !readBodies()
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

  private func readBlocks(_ anchor: Anchor?) throws(JournalError) {
    let decompressor = Decompressor()
    var before: Block?
    while let block = try next(after: before?.first ?? Seq(heads.range.end)) {
      do throws(Block.Fault) {
        try checkPlace(of: block, behind: before)
        try take(block, decompressor)
      } catch {
        return try stop(at: block, error, anchor)
      }
      try spill()
      // Where the index was damaged, all is read again.
      before = heads.range.end == 0 ? nil : block
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

  private func take(_ block: Block, _ decompressor: Decompressor) throws(Block.Fault) {
    let entries = try block.entries(decompressor)
    guard let stored = block.storedRange, stored == block.range(of: entries) else {
      throw Block.Fault(code: .rootDiffers, message: "the entries give other nodes of the tree")
    }
    heads.range.append(stored)
    for entry in entries {
      heads.note(entry)
      // Nobody appends to what is damaged, nor asks for its keys.
      if !isDamaged { index.note(entry) }
    }
  }

  /// A block that cannot be read ends what can be appended to.
  ///
  /// Only a last one that was never acknowledged may be left out.
  private func stop(
    at block: Block,
    _ fault: Block.Fault,
    _ anchor: Anchor?
  ) throws(JournalError) {
    let isLast = try next(after: block.first) == nil
    let finding =
      isLast
      ? LastBlock.finding(for: block, fault, anchor, of: identity.journal)
      : Finding(fault.code, fault.message, at: fault.seq ?? block.first)
    if finding.code == .tornTail, StoreRule.journalTail.isOn {
      torn = block
    } else {
      isDamaged = true
    }
    // All is read twice if the index turns out to be damaged on the way.
    if !findings.contains(finding) { findings.append(finding) }
  }

  /// The root over the first `size` entries.
  ///
  /// - Complexity: O(1) for the size of the journal; else O(*b*) in the blocks before it.
  private func root(over size: UInt64) throws(JournalError) -> Digest? {
    if size == heads.range.end { return heads.range.root }
    let start = size >= indexedRange.end ? indexedRange : CompactRange()
    return try TreeReader(blocks).range(over: size, from: start)?.root
  }

  private func note(_ standing: Anchor.Standing, _ anchor: Anchor?) {
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
