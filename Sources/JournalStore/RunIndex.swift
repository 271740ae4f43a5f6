internal import TidemarkHashing
internal import TidemarkSQLite

/// An index by fingerprints that are as good as random, made of sorted runs.
///
/// A random key in a B-tree costs a page of its own; here it costs 14 bytes at the end of the file
/// and as many again each time its run is merged into a larger one (O'Neil and others, "The
/// Log-Structured Merge-Tree", 1996). A run is cut into buckets by the first bits of the
/// fingerprint, so that a look-up reads one row; a filter keeps most look-ups from reading at all.
///
/// It only ever says "perhaps": the caller looks at what the value leads to. Damage is noticed by
/// checksum and thrown, and the caller makes the index anew. See `Journal/FORMAT.md`, Index.
final class RunIndex {
  /// What is looked up; each family has its own runs.
  enum Family: Int64, CaseIterable {
    /// Idempotency keys; the value is a seq.
    case keys = 1

    /// Paths of stores; the value is the seq of an entry that names it.
    case paths = 2

    /// Contents; the value is the id of a body.
    case bodies = 3
  }

  struct Run {
    var id: Int64
    var level: Int64
    var itemCount: Int
    var bucketBits: UInt64
    var filter: BloomFilter
  }

  /// How many runs of one level are merged into one of the next.
  static let runsPerMerge = 8

  private let database: Database
  private let family: Family
  private let bucket: Statement
  private var runs: [Run] = []

  init(_ database: Database, _ family: Family) throws(SQLiteError) {
    self.database = database
    self.family = family
    bucket = try database.prepare("SELECT items FROM run_buckets WHERE place = ?")
  }

  /// Reads what runs there are, oldest first.
  func load() throws(IndexFailure) {
    runs = []
    let rows = try IndexFailure.mapping { () throws(SQLiteError) in
      try database.prepare(
        """
        SELECT id, level, item_count, bucket_bits, filter FROM runs
        WHERE family = \(family.rawValue) ORDER BY id
        """
      )
    }
    while try IndexFailure.mapping({ () throws(SQLiteError) in try rows.step() }) {
      guard let filter = BloomFilter(checked: rows.bytes(4)), (0...24).contains(rows.integer(3)),
        (0...RunIndex.itemsMax).contains(rows.integer(2)),
        (1...RunIndex.idMax).contains(rows.integer(0))
      else { throw .damaged }
      runs.append(
        Run(
          id: rows.integer(0),
          level: rows.integer(1),
          itemCount: Int(rows.integer(2)),
          bucketBits: UInt64(rows.integer(3)),
          filter: filter
        )
      )
    }
  }

  /// More items than any journal has keys, and more runs than are ever made.
  private static let itemsMax: Int64 = 1 << 40
  private static let idMax: Int64 = 1 << 30

  var isEmpty: Bool { runs.isEmpty }

  /// What tells these runs from any others.
  var numbers: [UInt64] {
    runs.flatMap { run in
      [
        UInt64(bitPattern: run.id), UInt64(bitPattern: run.level), UInt64(run.itemCount),
        run.bucketBits,
      ]
    }
  }

  /// Notes which of `fingerprints` may be there, by the filters; those that may are not looked for.
  ///
  /// One filter after the other: each is in the cache while all fingerprints pass by it.
  func mayHold(_ fingerprints: [UInt64], _ may: inout [Bool]) {
    for run in runs {
      for (index, fingerprint) in fingerprints.enumerated()
      where !may[index] && run.filter.mayContain(fingerprint) {
        may[index] = true
      }
    }
  }

  /// The values under `fingerprint`, newest run first, each run from the highest value down.
  ///
  /// - Complexity: O(log *n*) filters in memory; a row is read for each that says "perhaps".
  func values(of fingerprint: UInt64, _ body: (UInt64) throws(IndexFailure) -> Bool)
    throws(IndexFailure)
  {
    for run in runs.reversed() where run.filter.mayContain(fingerprint) {
      let values = try withBucket(RunIndex.bucket(of: fingerprint, run.bucketBits), of: run) {
        $0.values(of: fingerprint)
      }
      for value in values.reversed() {
        if try !body(value) { return }
      }
    }
  }

  /// Takes in `items` as a new run, and merges runs of one size.
  ///
  /// Inside the caller's transaction.
  func add(_ items: [IndexItem]) throws(IndexFailure) {
    guard !items.isEmpty else { return }
    var sorted: [IndexItem]? = items.sorted()
    try write(level: 0, count: items.count) { () throws(IndexFailure) in sorted.take() }
    try mergeFullLevels()
  }

  private func mergeFullLevels() throws(IndexFailure) {
    var level: Int64 = 0
    while true {
      let full = runs.filter { $0.level == level }
      guard full.count >= RunIndex.runsPerMerge else { return }
      var parts = RunParts(of: full)
      let count = full.reduce(0) { $0 + $1.itemCount }
      try write(level: level + 1, count: count) { () throws(IndexFailure) in
        try parts.next { run, number, items throws(IndexFailure) in
          try withBucket(number, of: run) { $0.append(to: &items) }
        }
      }
      try IndexFailure.mapping { () throws(SQLiteError) in
        for run in full {
          try database.execute(
            """
            DELETE FROM run_buckets
            WHERE place >= \(run.id << 32) AND place < \((run.id + 1) << 32);
            DELETE FROM runs WHERE id = \(run.id)
            """
          )
        }
      }
      runs.removeAll { run in full.contains { $0.id == run.id } }
      level += 1
    }
  }

  // MARK: Rows

  /// The bucket that holds a fingerprint, of 2^`bits`.
  static func bucket(of fingerprint: UInt64, _ bits: UInt64) -> Int64 {
    bits == 0 ? 0 : Int64(fingerprint >> (64 - bits))
  }

  /// Lends a bucket of `run`, whose checksum has been compared.
  private func withBucket<Result>(
    _ number: Int64,
    of run: Run,
    _ body: (IndexBucket) -> Result
  ) throws(IndexFailure) -> Result {
    defer { bucket.reset() }
    bucket.bind(1, run.id << 32 | number)
    // Every bucket is written, also one without items: one that is not there was lost.
    guard try IndexFailure.mapping({ () throws(SQLiteError) in try bucket.step() }) else {
      throw .damaged
    }
    return try bucket.withBytes(0) { bytes throws(IndexFailure) in
      guard let bucket = IndexBucket(checked: bytes) else { throw .damaged }
      return body(bucket)
    }
  }

  /// Writes a run of `count` ascending items that `next` gives part by part.
  private func write(
    level: Int64,
    count: Int,
    _ next: () throws(IndexFailure) -> [IndexItem]?
  ) throws(IndexFailure) {
    // Newer runs have higher ids, over all families: places never collide.
    let last = try IndexFailure.mapping { () throws(SQLiteError) in
      try database.integer("SELECT max(id) FROM runs") ?? 0
    }
    var writer = try RunWriter(database, id: last + 1, capacity: count)
    while let part = try next() {
      for item in part { try writer.append(item) }
    }
    try writer.finish()
    let run = Run(
      id: last + 1,
      level: level,
      itemCount: count,
      bucketBits: writer.bucketBits,
      filter: writer.filter
    )
    try insert(run)
    runs.append(run)
  }

  private func insert(_ run: Run) throws(IndexFailure) {
    try IndexFailure.mapping { () throws(SQLiteError) in
      let row = try database.prepare(
        """
        INSERT INTO runs(id, family, level, item_count, bucket_bits, filter)
        VALUES (?, ?, ?, ?, ?, ?)
        """
      )
      let numbers = [
        run.id, family.rawValue, run.level, Int64(run.itemCount), Int64(run.bucketBits),
      ]
      for (column, number) in numbers.enumerated() { row.bind(Int32(column + 1), number) }
      row.bind(6, run.filter.checkedBytes)
      try row.run()
    }
  }
}
