internal import TidemarkCompression
internal import TidemarkEntries

/// What has its place in the journal and is not yet on disk.
struct Staging {
  /// Content that goes to disk with the entries that name it.
  struct Body {
    var content: [UInt8]
    var salt: [UInt8]
    var fingerprint: UInt64
  }

  private let first: Seq
  private var entries: [[UInt8]] = []
  private(set) var builders: [BlockBuilder] = []
  var bodies: [Body] = []

  /// - Parameter size: the number of entries that are committed.
  init(after size: UInt64) {
    first = Seq(size + 1)
  }

  var isEmpty: Bool { entries.isEmpty }

  /// The seq of the next entry.
  var next: Seq { Seq(first.value + UInt64(entries.count)) }

  /// The bytes of the entry at `seq`, if it is one of these.
  func entry(at seq: Seq) -> [UInt8]? {
    guard seq >= first, seq < next else { return nil }
    return entries[Int(seq.value - first.value)]
  }

  mutating func add(_ entry: [UInt8]) {
    if builders.last.map({ Staging.isFull($0, before: entry) }) ?? true {
      builders.append(BlockBuilder(first: next))
    }
    _ = builders[builders.count - 1].add(entry)
    entries.append(entry)
  }

  private static func isFull(_ builder: BlockBuilder, before entry: [UInt8]) -> Bool {
    builder.entryCount >= Limits.blockEntriesMax
      || builder.frames.count + entry.count + 2 > Limits.blockBytesAim
  }

  func finish(_ compressor: Compressor) -> [Block] { builders.map { $0.finish(compressor) } }
}
