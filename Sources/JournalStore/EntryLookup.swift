internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkSQLite

/// Reads single entries that are committed, and keeps the blocks of the last few.
final class EntryLookup {
  private let blocks: BlockTable
  private let decompressor = Decompressor()
  private var cache: [(first: Seq, entries: [Entry])] = []
  private static let cachedBlocks = 16

  init(_ blocks: BlockTable) {
    self.blocks = blocks
  }

  /// The entry at `seq`, or nothing if the journal ends before it.
  ///
  /// - Throws: ``JournalError`` with code `damaged` if its block cannot be read.
  /// - Complexity: O(log *n*)
  func entry(at seq: Seq) throws(JournalError) -> Entry? {
    if let entries = cached(seq) { return entries[Int(seq.value - entries[0].seq.value)] }
    guard
      let block = try sqlite(
        "cannot read entry \(seq)",
        { () throws(SQLiteError) in
          try blocks.block(atOrBefore: seq)
        }
      ), block.last >= seq
    else { return nil }
    do throws(Block.Fault) {
      let entries = try block.entries(decompressor)
      if cache.count >= EntryLookup.cachedBlocks { cache.removeFirst() }
      cache.append((block.first, entries))
      return entries[Int(seq.value - block.first.value)]
    } catch {
      throw JournalError(.damaged, error.message, finding: error.code, at: error.seq ?? block.first)
    }
  }

  private func cached(_ seq: Seq) -> [Entry]? {
    cache.last { $0.first <= seq && seq.value < $0.first.value + UInt64($0.entries.count) }?.entries
  }

  func forget() { cache = [] }
}
