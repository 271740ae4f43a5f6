internal import TidemarkEntries
internal import TidemarkSQLite

/// The index of a journal as a reader has it: what the writer left, and the entries behind that.
struct ReaderIndex {
  /// Nothing if it is damaged, or too much stands behind it: then the entries are asked.
  private(set) var index: JournalIndex?

  /// The tree and the stores as they stand behind the last entry that can be read from the first
  /// on.
  private(set) var heads: Heads

  /// The tree as the index has it: where a shorter one may begin.
  let indexedRange: CompactRange

  /// What ends the tree before the last entry.
  private(set) var damage: Finding?

  // A journal whose index was deleted is asked itself, or the memory would have no bound.
  private static let tailEntriesMax = 1 << 16

  /// - Complexity: O(*t*) in the entries behind the index; in all entries if it is damaged.
  init(_ reader: JournalReader) throws(JournalError) {
    let index = try sqlite("cannot read the index") { () throws(SQLiteError) in
      try JournalIndex(reader.database, seed: reader.identity.seed)
    }
    do throws(IndexFailure) {
      heads = try index.load() ?? Heads()
      self.index = index
    } catch {
      guard error.isDamage else { throw error.asJournalError }
      heads = Heads()
    }
    indexedRange = heads.range
    try readTail(of: reader)
  }

  private mutating func readTail(of reader: JournalReader) throws(JournalError) {
    let first = Seq(heads.range.end + 1)
    if reader.last.value - heads.range.end > UInt64(ReaderIndex.tailEntriesMax) { index = nil }
    var (heads, index, damage) = (self.heads, self.index, self.damage)
    try reader.forEachPart(from: first, through: reader.last) {
      (block, part) throws(JournalError) in
      switch part {
      case .damage(let finding, _): damage = damage ?? finding
      case .entries(let entries):
        if damage == nil {
          if block.first.value == heads.range.end + 1, let stored = block.storedRange {
            heads.range.append(stored)
          } else {
            damage = Finding(.rootDiffers, "the nodes of the tree do not meet", at: block.first)
          }
        }
        for entry in entries where entry.seq >= first {
          heads.note(entry)
          index?.note(entry)
        }
      }
      return true
    } mapping: {
      $0
    }
    (self.heads, self.index, self.damage) = (heads, index, damage)
  }
}
