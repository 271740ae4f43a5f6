import CTidemarkPeer
import TidemarkEntries

/// Entries that an app would write: reads that begin and land, over some thousand paths.
///
/// The same seed gives the same entries. They are given as drafts for the journal and as the bytes
/// that they become, for the peer; a benchmark compares the two at its end.
struct Workload {
  /// What keys look like.
  enum Keys: Sendable {
    /// Each is above the one before, as in UUID version 7.
    case ordered

    /// As in UUID version 4.
    case random
  }

  static let pathCount = 5000

  private let keys: Keys
  private var chance: SplitMix64
  private var next = Seq(1)
  private var begin = Seq(0)
  private var pathIndex = 0
  private let paths: [Path]
  private var heads: [Seq?]

  init(seed: UInt64, keys: Keys, paths count: Int = Workload.pathCount) throws {
    self.keys = keys
    chance = SplitMix64(seed: seed)
    paths = try (0..<count).map {
      try Path("/api/v2/projects/\($0 % 40)/items/\($0 + 10_000)")
    }
    heads = [Seq?](repeating: nil, count: paths.count)
  }

  /// The next `count` entries.
  ///
  /// The first of all opens the store.
  mutating func load(_ count: Int) throws -> Load {
    var load = Load()
    load.drafts.reserveCapacity(count)
    load.rows.reserveCapacity(count)
    load.bytes.reserveCapacity(count * 128)
    for _ in 0..<count {
      let (draft, placement) = try entry()
      load.append(draft, at: placement)
      next = Seq(next.value + 1)
    }
    return load
  }

  private mutating func entry() throws -> (Draft, Placement) {
    let key = IdempotencyKey(unchecked: keyBytes())
    let time = DeviceTime(milliseconds: 1_767_225_600_000 + Int64(next.value) * 7)
    guard next.value > 1 else {
      let opened = StoreOpened(scope: try Scope("https://api.example.org", account: "u-17"))
      return (
        Draft(opened, key: key, store: .opening, time: time),
        Placement(store: Seq(1), cause: nil, previousFence: nil, links: [])
      )
    }
    return begin.value == 0 ? began(key, time) : landed(key, time)
  }

  private mutating func began(_ key: IdempotencyKey, _ time: DeviceTime) -> (Draft, Placement) {
    pathIndex = Int(chance.next() % UInt64(paths.count))
    begin = next
    let draft = Draft(
      ReadBegan(generation: 0),
      key: key,
      store: .opened(Seq(1)),
      time: time,
      paths: [(paths[pathIndex], .begin)]
    )
    return (draft, place(cause: nil))
  }

  private mutating func landed(_ key: IdempotencyKey, _ time: DeviceTime) -> (Draft, Placement) {
    let commitment = Digest(words: (chance.next(), chance.next(), chance.next(), chance.next()))
    let body = BodyReference(
      id: next.value / 2,
      commitment: commitment,
      byteCount: chance.next() % 20_000
    )
    let draft = Draft(
      ReadLanded(begin: begin, body: body, status: 200),
      key: key,
      store: .opened(Seq(1)),
      time: time,
      cause: .entry(begin),
      paths: [(paths[pathIndex], .write)]
    )
    let placement = place(cause: begin)
    begin = Seq(0)
    return (draft, placement)
  }

  private mutating func place(cause: Seq?) -> Placement {
    let previous = heads[pathIndex]
    heads[pathIndex] = next
    return Placement(
      store: Seq(1),
      cause: cause,
      previousFence: Seq(1),
      links: [(previous, previous)]
    )
  }

  private mutating func keyBytes() -> [UInt8] {
    let first = keys == .ordered ? next.value : chance.next()
    var bytes: [UInt8] = []
    for word in [first, chance.next()] {
      withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
    }
    return bytes
  }
}

/// Entries for both sides: drafts for the journal, rows for the peer.
struct Load {
  var drafts: [Draft] = []
  var bytes: [UInt8] = []
  var rows: [tidemark_peer_row] = []

  /// The bytes of the entries, without the keys that the peer keeps beside them.
  var entryBytes: Int { rows.reduce(0) { $0 + Int($1.payload_bytes) } }

  /// Lends the rows to C.
  func withRows(
    _ body: (UnsafePointer<UInt8>?, UnsafePointer<tidemark_peer_row>?, Int) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBufferPointer { bytes in
      rows.withUnsafeBufferPointer { body(bytes.baseAddress, $0.baseAddress, $0.count) }
    }
  }

  fileprivate mutating func append(_ draft: Draft, at placement: Placement) {
    var writer = CBORWriter(capacity: 256)
    draft.encoded(at: placement, into: &writer)
    let start = bytes.count
    bytes += draft.key.bytes
    bytes += writer.bytes
    drafts.append(draft)
    rows.append(
      tidemark_peer_row(
        key_start: UInt32(start),
        key_bytes: UInt32(draft.key.bytes.count),
        payload_start: UInt32(start + draft.key.bytes.count),
        payload_bytes: UInt32(writer.bytes.count)
      )
    )
  }

  mutating func append(_ other: Load) {
    drafts += other.drafts
    rows += other.rows.map { row in
      var row = row
      row.key_start += UInt32(bytes.count)
      row.payload_start += UInt32(bytes.count)
      return row
    }
    bytes += other.bytes
  }

  /// The entries at `places`, in that order.
  func picking(_ places: [Int]) -> Load {
    var load = Load()
    load.bytes = bytes
    load.drafts = places.map { drafts[$0] }
    load.rows = places.map { rows[$0] }
    return load
  }

  /// The drafts, cut into commits.
  func commits(of size: Int) -> [[Draft]] {
    stride(from: 0, to: drafts.count, by: size).map {
      Array(drafts[$0..<min($0 + size, drafts.count)])
    }
  }
}

/// Chance that can be had again (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
