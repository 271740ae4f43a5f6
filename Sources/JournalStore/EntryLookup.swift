internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkSQLite

/// Reads single entries that are committed, and keeps the blocks of the last few.
final class EntryLookup {
  private let blocks: BlockTable
  private let decompressor = Decompressor()

  /// Unpacked blocks, the one that was read last behind the others.
  private var cache: [BlockFrames] = []
  private static let cachedBlocks = 16

  init(_ blocks: BlockTable) {
    self.blocks = blocks
  }

  /// The entry at `seq`, or nothing if the journal ends before it.
  ///
  /// - Throws: ``JournalError`` with code `damaged` if its block cannot be read.
  /// - Complexity: O(log *n*)
  func entry(at seq: Seq) throws(JournalError) -> Entry? {
    do throws(Block.Fault) {
      for frames in cache.reversed() {
        if let entry = try frames.entry(at: seq) { return entry }
      }
    } catch { throw EntryLookup.error(error, seq) }
    guard let block = try block(holding: seq) else { return nil }
    do throws(Block.Fault) {
      let frames = try block.frames(decompressor, before: next(after: block))
      if cache.count >= EntryLookup.cachedBlocks { cache.removeFirst() }
      cache.append(frames)
      return try frames.entry(at: seq)
    } catch { throw EntryLookup.error(error, block.first) }
  }

  private func block(holding seq: Seq) throws(JournalError) -> Block? {
    let found = try sqlite("cannot read entry \(seq)") { () throws(SQLiteError) in
      try blocks.readable(atOrBefore: seq)
    }
    if let block = found.block, block.last >= seq { return block }
    if let error = found.error { throw JournalError(error, doing: "cannot read entry \(seq)") }
    return nil
  }

  /// Where the next block begins, from where on entries are its own.
  ///
  /// What cannot be read there is told by who asks for it.
  private func next(after block: Block) -> Seq? { try? blocks.firstSeq(after: block.first) }

  private static func error(_ fault: Block.Fault, _ seq: Seq) -> JournalError {
    JournalError(.damaged, fault.message, finding: fault.code, at: fault.seq ?? seq)
  }

  func forget() { cache = [] }
}
