internal import TidemarkSQLite

/// Writes the buckets of one run, from items in ascending order.
struct RunWriter {
  /// The run has 2^`bucketBits` buckets.
  let bucketBits: UInt64
  private(set) var filter: BloomFilter

  private let id: Int64
  private let insertion: Statement

  /// The items of the bucket that is next to be written.
  private var pending: [IndexItem] = []
  private var bucket: Int64 = 0

  /// - Parameters:
  ///   - database: where to write, inside the caller's transaction.
  ///   - id: that of the run.
  ///   - capacity: how many items there will be.
  /// - Throws: ``IndexFailure`` if SQLite says no.
  init(_ database: Database, id: Int64, capacity: Int) throws(IndexFailure) {
    // About 200 items, or 3 kB, a bucket: a row that fits into one page.
    let buckets = max(1, capacity / 200)
    bucketBits = UInt64(Int.bitWidth - 1 - buckets.leadingZeroBitCount)
    filter = BloomFilter(capacity: capacity)
    self.id = id
    insertion = try IndexFailure.mapping { () throws(SQLiteError) in
      try database.prepare("INSERT INTO run_buckets(place, items) VALUES (?, ?)")
    }
  }

  mutating func append(_ item: IndexItem) throws(IndexFailure) {
    guard item.value <= IndexItem.greatestValue else { throw .damaged }
    try flush(before: RunIndex.bucket(of: item.fingerprint, bucketBits))
    pending.append(item)
    filter.insert(item.fingerprint)
  }

  /// Writes what is left; the run is whole then.
  mutating func finish() throws(IndexFailure) {
    try flush(before: 1 << Int64(bucketBits))
  }

  /// Writes the buckets before `end`, those without items too: one that is missing was lost.
  private mutating func flush(before end: Int64) throws(IndexFailure) {
    while bucket < end {
      insertion.bind(1, id << 32 | bucket)
      insertion.bind(2, IndexBucket.encode(pending))
      try IndexFailure.mapping { () throws(SQLiteError) in try insertion.run() }
      pending.removeAll(keepingCapacity: true)
      bucket += 1
    }
  }
}
