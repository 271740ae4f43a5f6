package import TidemarkCompression
package import TidemarkEntries
internal import TidemarkHashing

/// The entries of one commit, as one row of the file.
///
///       2 bytes    n bytes              2 bytes    n bytes
///      ┌──────────┬────────────────────┬──────────┬────────────────────┐
///      │ length,  │ entry,             │ length   │ entry              │ …   the frames,
///      │ little-  │ deterministic CBOR │          │                    │     perhaps packed
///      │ endian   │                    │          │                    │
///      └──────────┴────────────────────┴──────────┴────────────────────┘
///
/// Beside the frames stand their number, the nodes of the tree that cover them, and a checksum of
/// all that. See `Journal/FORMAT.md`, Block.
package struct Block: Sendable {
  package var first: Seq
  package var entryCount: Int
  package var codec: Int64
  package var dictionary: Int64?
  package var rawBytes: Int
  package var subtrees: [UInt8]
  package var checksum: Int64
  package var frames: [UInt8]

  /// The seq of the last entry.
  ///
  /// Never before ``first`` nor beyond what a seq may be, whatever number the row holds.
  package var last: Seq {
    let count = UInt64(min(max(entryCount, 1), Limits.blockEntriesMax))
    return Seq(max(first.value, min(first.value + count - 1, Limits.numberMax)))
  }
}

/// What is known of a block while its entries are staged.
struct BlockBuilder {
  let first: Seq

  /// Where its frames begin among those that are staged.
  let start: Int
  private(set) var entryCount = 0
  private(set) var range: CompactRange

  init(first: Seq, start: Int) {
    self.first = first
    self.start = start
    range = CompactRange(start: first.value - 1)
  }

  mutating func add(_ leaf: Digest) {
    range.append(leaf)
    entryCount += 1
  }

  func finish(_ frames: ArraySlice<UInt8>, _ compressor: Compressor) -> Block {
    var subtrees: [UInt8] = []
    for digest in range.digests { digest.append(to: &subtrees) }
    // One entry or two do not get smaller without a dictionary, and trying takes longer than the
    // rest.
    let packed =
      frames.count < Limits.packedBytesMin
      ? nil : frames.withUnsafeBytes { compressor.compress($0) }
    var block = Block(
      first: first,
      entryCount: entryCount,
      codec: (packed == nil ? Codec.stored : .zstd).number,
      dictionary: nil,
      rawBytes: frames.count,
      subtrees: subtrees,
      checksum: 0,
      frames: packed ?? Array(frames)
    )
    block.checksum = block.computedChecksum
    return block
  }
}

extension Block {
  /// The bytes before each entry that hold its length.
  static let lengthBytes = 2

  /// The first eight bytes of SHA-256 over all columns of the row.
  var computedChecksum: Int64 {
    var hash = SHA256Hash()
    // Fixed places and both lengths, so that no two rows give the same bytes.
    let numbers: [UInt64] = [
      first.value, UInt64(entryCount), UInt64(bitPattern: codec),
      UInt64(bitPattern: dictionary ?? 0),
      UInt64(rawBytes), UInt64(subtrees.count), UInt64(frames.count),
    ]
    for number in numbers { withUnsafeBytes(of: number.bigEndian) { hash.update($0) } }
    hash.update(subtrees)
    hash.update(frames)
    return Int64(bitPattern: hash.finish().0)
  }

  /// Why a block cannot be read.
  package struct Fault: Error {
    package var code: FindingCode
    package var message: String

    /// The entry that is wrong, if the block itself is whole.
    package var seq: Seq?
  }

  /// Unpacks the frames, having compared every number with its limit and the checksum with the row.
  package func unpacked(_ decompressor: Decompressor) throws(Fault) -> [UInt8] {
    guard (1...Limits.blockEntriesMax).contains(entryCount),
      (1...Limits.blockBytesMax).contains(rawBytes), frames.count <= Limits.blockBytesMax,
      first.value + UInt64(entryCount) - 1 <= Limits.numberMax
    else {
      throw Fault(
        code: .blockDamaged,
        message: "a block of \(entryCount) entries from \(first) on and \(rawBytes) bytes"
      )
    }
    guard checksum == computedChecksum else {
      throw Fault(code: .blockDamaged, message: "the checksum of the block differs")
    }
    if let dictionary {
      throw Fault(code: .newerFormat, message: "the block is packed with dictionary \(dictionary)")
    }
    switch Codec(number: codec) {
    case .stored where frames.count == rawBytes: return frames
    case .stored:
      throw Fault(
        code: .blockDamaged,
        message: "\(frames.count) bytes are stored, \(rawBytes) announced"
      )
    case .zstd:
      do throws(CompressionError) {
        return try decompressor.decompress(frames, byteCount: rawBytes)
      } catch { throw Fault(code: .blockDamaged, message: error.description) }
    case nil:
      throw Fault(code: .newerFormat, message: "the block is packed by codec \(codec)")
    }
  }

  /// Unpacks the block without reading its entries: those that stand before the next block.
  func frames(
    _ decompressor: Decompressor,
    before next: Seq?
  ) throws(Fault) -> BlockFrames {
    let bytes = try unpacked(decompressor)
    let count = next.map { min(entryCount, Int(clamping: $0.value - first.value)) } ?? entryCount
    var entries: [Range<Int>] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      let seq = Seq(first.value + UInt64(index))
      entries.append(try Block.frame(in: bytes, at: entries.last?.upperBound ?? 0, seq))
    }
    return BlockFrames(first: first, bytes: bytes, entries: entries)
  }

  /// The entries of the block, in order.
  package func entries(_ decompressor: Decompressor) throws(Fault) -> [Entry] {
    // What the row says of their number is not to be believed yet.
    var entries: [Entry] = []
    entries.reserveCapacity(min(max(entryCount, 0), Limits.blockEntriesMax))
    try forEachEntry(decompressor) { entries.append($0) }
    return entries
  }

  /// Goes through the entries of the block, in order.
  ///
  /// - Throws: ``Fault``, perhaps behind entries that could be read.
  func forEachEntry(
    _ decompressor: Decompressor,
    _ body: (Entry) -> Void
  ) throws(Fault) {
    let bytes = try unpacked(decompressor)
    var offset = 0
    for index in 0..<entryCount {
      let seq = Seq(first.value + UInt64(index))
      let range = try Block.frame(in: bytes, at: offset, seq)
      do throws(EntryError) { body(try Entry(bytes, in: range, at: seq)) } catch {
        throw Fault(code: .entryMalformed, message: error.message, seq: seq)
      }
      offset = range.upperBound
    }
    guard offset == bytes.count else {
      throw Fault(
        code: .blockDamaged,
        message: "\(bytes.count - offset) bytes behind the last entry"
      )
    }
  }

  /// Why the block cannot be read to its end; nothing if it can.
  func fault(_ decompressor: Decompressor) -> Fault? {
    do throws(Fault) { try forEachEntry(decompressor) { _ in } } catch { return error }
    return nil
  }

  private static func frame(
    in bytes: [UInt8],
    at offset: Int,
    _ seq: Seq
  ) throws(Fault) -> Range<Int> {
    guard offset + 2 <= bytes.count else {
      throw Fault(code: .blockDamaged, message: "the block ends before entry \(seq)")
    }
    let start = offset + 2
    let end = start + Int(bytes[offset]) + Int(bytes[offset + 1]) << 8
    guard end > start, end <= bytes.count else {
      throw Fault(code: .blockDamaged, message: "entry \(seq) has no bytes, or more than are there")
    }
    return start..<end
  }

  /// The nodes that the row says cover its entries; nothing if their number is another.
  package var storedRange: CompactRange? {
    guard subtrees.count % Digest.byteCount == 0,
      (1...Limits.blockEntriesMax).contains(entryCount)
    else { return nil }
    let digests = stride(from: 0, to: subtrees.count, by: Digest.byteCount)
      .map { Digest(subtrees, at: $0) }
    let start = first.value - 1
    return CompactRange(start: start, end: start + UInt64(entryCount), digests: digests)
  }

  /// The nodes that `entries` give; `verify` compares them with ``storedRange``.
  package func range(of entries: [Entry]) -> CompactRange {
    var range = CompactRange(start: first.value - 1)
    for entry in entries { range.append(Tree.leaf(of: entry)) }
    return range
  }
}

/// A block that is unpacked, and where its entries stand.
struct BlockFrames {
  let first: Seq
  let bytes: [UInt8]
  let entries: [Range<Int>]

  /// The entry at `seq`; nothing if it is in another block.
  func entry(at seq: Seq) throws(Block.Fault) -> Entry? {
    guard seq >= first, seq.value - first.value < UInt64(entries.count) else { return nil }
    let range = entries[Int(seq.value - first.value)]
    do throws(EntryError) { return try Entry(bytes, in: range, at: seq) } catch {
      throw Block.Fault(code: .entryMalformed, message: error.message, seq: seq)
    }
  }
}
