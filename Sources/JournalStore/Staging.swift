internal import TidemarkCompression
internal import TidemarkEntries

/// What has its place in the journal and is not yet on disk.
struct Staging {
  /// Content that goes to disk with the entries that name it.
  struct Body {
    var id: UInt64
    var content: [UInt8]
    var salt: [UInt8]
    var fingerprint: UInt64

    /// The form in which it goes to disk, if that was made before.
    var packed: PackedContent?
  }

  private let first: Seq

  /// The frames of all blocks, one behind the other.
  private var frames: CBORWriter

  /// Where the frame of each entry ends.
  private var ends: [Int] = []

  private(set) var builders: [BlockBuilder] = []
  private(set) var bodies: [Body] = []
  private var bodyPlaces: [UInt64: Int] = [:]
  private var bodyBytes = 0

  /// The highest id of these bodies; 0 if there are none.
  private(set) var lastBodyID: UInt64 = 0

  /// - Parameters:
  ///   - size: the number of entries that are committed.
  ///   - other: what was staged before; as much is likely to come again.
  init(after size: UInt64, asLargeAs other: Staging? = nil) {
    first = Seq(size + 1)
    frames = CBORWriter(capacity: min(other?.frames.bytes.count ?? 0, Limits.blockBytesMax))
    ends.reserveCapacity(min(other?.ends.count ?? 0, Limits.blockEntriesMax))
  }

  var isEmpty: Bool { ends.isEmpty }

  /// Whether so much is gathered that a long append puts it into its transaction.
  var isLarge: Bool { ends.count >= Limits.blockEntriesMax || bodyBytes >= Staging.bodyBytesAim }

  private static let bodyBytesAim = 8 << 20

  /// The seq of the next entry.
  var next: Seq { Seq(first.value + UInt64(ends.count)) }

  /// The bytes of the entry at `seq`, if it is one of these.
  func entry(at seq: Seq) -> [UInt8]? {
    guard seq >= first, seq < next else { return nil }
    let index = Int(seq.value - first.value)
    return Array(
      frames.bytes[((index == 0 ? 0 : ends[index - 1]) + Block.lengthBytes)..<ends[index]]
    )
  }

  /// Adds the entry that `draft` becomes at `placement`.
  mutating func add(_ draft: Draft, at placement: Placement) {
    let start = frames.bytes.count
    beginFrame()
    draft.encoded(at: placement, into: &frames)
    endFrame(from: start)
  }

  /// Adds an entry that has its place in its bytes already.
  mutating func add(verbatim entry: [UInt8]) {
    let start = frames.bytes.count
    beginFrame()
    frames.bytes.append(contentsOf: entry)
    endFrame(from: start)
  }

  /// Makes room for the length, which has two bytes.
  private mutating func beginFrame() {
    frames.bytes.append(0)
    frames.bytes.append(0)
  }

  private mutating func endFrame(from start: Int) {
    let length = frames.bytes.count - start - Block.lengthBytes
    precondition(length <= Entry.bytesMax, "the length of an entry has two bytes")
    frames.bytes[start] = UInt8(truncatingIfNeeded: length)
    frames.bytes[start + 1] = UInt8(length >> 8)
    if builders.last.map({ isFull($0) }) ?? true {
      builders.append(BlockBuilder(first: next, start: start))
    }
    frames.bytes.withUnsafeBytes { bytes in
      let entry = bytes[(start + Block.lengthBytes)...]
      builders[builders.count - 1].add(Tree.leaf(UnsafeRawBufferPointer(rebasing: entry)))
    }
    ends.append(frames.bytes.count)
  }

  /// The body of that id, if it is one of these.
  func body(_ id: UInt64) -> Body? { bodyPlaces[id].map { bodies[$0] } }

  mutating func add(_ body: Body) {
    bodyPlaces[body.id] = bodies.count
    bodyBytes += body.content.count
    lastBodyID = max(lastBodyID, body.id)
    bodies.append(body)
  }

  /// Whether the entry that stands last in ``frames`` is too much for the block.
  private func isFull(_ builder: BlockBuilder) -> Bool {
    builder.entryCount >= Limits.blockEntriesMax
      || frames.bytes.count - builder.start > Limits.blockBytesAim
  }

  func finish(_ compressor: Compressor) -> [Block] {
    builders.indices.map { index in
      let end = index + 1 < builders.count ? builders[index + 1].start : frames.bytes.count
      return builders[index].finish(frames.bytes[builders[index].start..<end], compressor)
    }
  }
}
