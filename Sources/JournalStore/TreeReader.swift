internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkSQLite

/// Reads the tree from what stands beside the blocks.
struct TreeReader {
  private let blocks: BlockTable
  private let decompressor = Decompressor()

  init(_ blocks: BlockTable) {
    self.blocks = blocks
  }

  /// The compact range over the first `size` entries, or nothing if they are not all whole.
  ///
  /// - Parameters:
  ///   - size: how many entries.
  ///   - start: what is known already of the first of them.
  /// - Returns: the nodes that cover them.
  /// - Throws: ``JournalError`` with code `storage`.
  /// - Complexity: O(*b*) in the blocks behind `start`; only the last of them is unpacked.
  func range(
    over size: UInt64,
    from start: CompactRange = CompactRange()
  ) throws(JournalError) -> CompactRange? {
    var range = start
    while range.end < size {
      let after = Seq(range.end)
      let read = try sqlite("cannot read the tree") { () throws(SQLiteError) in
        try blocks.block(after: after)
      }
      guard let block = read, block.first == after.next, let stored = block.storedRange else {
        return nil
      }
      if stored.end <= size {
        range.append(stored)
      } else {
        guard let entries = try? block.entries(decompressor) else { return nil }
        for entry in entries.prefix(Int(size - range.end)) { range.append(Tree.leaf(of: entry)) }
      }
    }
    return range
  }
}
