package import TidemarkEntries
internal import TidemarkSQLite

extension JournalReader {
  /// The tree over all entries; nothing if it is damaged before its end.
  ///
  /// - Complexity: O(*t*) in the entries behind the index.
  package func head() throws(JournalError) -> StoredHead? {
    let index = try index()
    guard index.damage == nil else { return nil }
    return StoredHead(size: index.heads.range.end, root: index.heads.range.root)
  }

  /// The root of the tree over all entries, as by ``head()``.
  package func root() throws(JournalError) -> Digest? { try head()?.root }

  /// How the anchor beside the journal stands to it.
  package func anchorStanding() throws(JournalError) -> Anchor.Standing {
    let index = try index()
    return try Anchor.standing(
      of: anchor,
      to: identity.journal,
      size: index.heads.range.end,
      isWhole: index.damage == nil
    ) { size throws(JournalError) in
      if size == index.heads.range.end { return index.heads.range.root }
      let start = index.indexedRange.end <= size ? index.indexedRange : CompactRange()
      return try TreeReader(blocks).range(over: size, from: start)?.root
    }
  }

  /// What ends the tree before the last entry, if something does.
  package func damage() throws(JournalError) -> Finding? { try index().damage }

  /// What is found on opening: what is wrong with the journal as a whole, whichever part is read.
  ///
  /// That there are other tables and triggers, that the last block is torn, that something ends the
  /// tree behind the index, and that the anchor names other entries than there are. Damage before
  /// that is told by who reads it.
  ///
  /// - Complexity: O(*t*) in the entries behind the index.
  package func findings() throws(JournalError) -> [Finding] {
    let damage = try damage()
    let standing: Finding?
    do throws(JournalError) {
      standing = try anchorStanding().finding(anchor, size: Seq(index().heads.range.end))
    } catch {
      guard error.code == .damaged else { throw error }
      standing = Finding(error.finding ?? .containerDamaged, error.message, at: error.seq)
    }
    // Where damage stops the reading, that is the finding, and not what it hides.
    let isHidden = damage != nil && standing?.code == .tailLost
    return [schemaFinding, torn, damage, isHidden ? nil : standing].compactMap(\.self)
  }

  /// An incarnation of a scope that entries may still come for.
  package struct StoreHead: Sendable {
    /// The seq of its opening.
    package var opening: Seq
    package var scope: Scope

    /// The last entry that makes reads of it late.
    package var lastFence: Seq
  }

  /// The last few incarnations of every scope, by their opening.
  ///
  /// - Complexity: O(*t*) in the entries behind the index.
  package func stores() throws(JournalError) -> [StoreHead] {
    try index().heads.stores.map {
      StoreHead(opening: $0.opening, scope: $0.scope, lastFence: $0.lastFence)
    }
  }

  /// The block that holds the entry at `seq`, if there is one.
  package func block(holding seq: Seq) throws(JournalError) -> Block? {
    let block = try sqlite("cannot read the block of entry \(seq)") { () throws(SQLiteError) in
      try blocks.block(atOrBefore: seq)
    }
    return block.flatMap { $0.last >= seq ? $0 : nil }
  }

  /// That the block of the entry at `seq` and the one beside it both claim entries, if they do.
  package func overlaps(at seq: Seq) throws(JournalError) -> [Finding] {
    try sqlite("cannot read the blocks beside entry \(seq)") { () throws(SQLiteError) in
      guard let block = try blocks.block(atOrBefore: seq) else { return [] }
      let before = try blocks.block(atOrBefore: Seq(block.first.value - 1))
      let next = try blocks.firstSeq(after: block.first)
      let isLate = before.map { $0.last >= block.first } ?? false
      let isCut = next.map { block.last >= $0 } ?? false
      return [
        isLate ? before.map { .overlap(of: $0, with: block.first) } : nil,
        isCut ? next.map { .overlap(of: block, with: $0) } : nil,
      ].compactMap(\.self)
    }
  }

  /// Why no block says that it holds the entry at `seq`, which was there.
  func loss(at seq: Seq) throws(JournalError) -> Finding {
    let (before, behind) = try sqlite("cannot read entry \(seq)") { () throws(SQLiteError) in
      (try blocks.block(atOrBefore: seq), try blocks.block(after: seq))
    }
    let next = behind?.first
    if let before {
      // One that is damaged may have held more than it says.
      let walked = WalkedBlock(block: before, number: 0, next: seq.next)
      if case .damage(let finding, _) = unpacking.unpacker().part(of: walked) { return finding }
    }
    return .hole(
      from: before?.last.next ?? Seq(1),
      through: next.map { Seq($0.value - 1) } ?? last,
      before: next
    )
  }

  /// A block that was taken out of the way, as it lay in the file.
  package struct SetAside {
    package var block: Block
    package var reason: String
  }

  /// What was set aside, oldest first.
  package func setAside() throws(JournalError) -> [SetAside] {
    try sqlite("cannot read what was set aside") { () throws(SQLiteError) in
      let rows = try database.prepare(
        "SELECT \(BlockTable.columns), reason FROM set_aside ORDER BY id"
      )
      var found: [SetAside] = []
      while try rows.step() {
        let reason = rows.text(BlockTable.columnCount)
        found.append(SetAside(block: BlockTable.block(of: rows), reason: reason))
      }
      return found
    }
  }

  /// The bytes of the file.
  package var fileBytes: UInt64 { Files.byteCount(of: path) ?? 0 }

  /// The bytes of the write-ahead log beside it: none after a writer has closed it.
  package var logBytes: UInt64 { Files.byteCount(of: path + "-wal") ?? 0 }
}
