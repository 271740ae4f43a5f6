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

  fileprivate struct Run {
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

  /// Whether `fingerprint` may be there, by the filters.
  func mayHold(_ fingerprint: UInt64) -> Bool {
    runs.contains { $0.filter.mayContain(fingerprint) }
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

  private static func bucket(of fingerprint: UInt64, _ bits: UInt64) -> Int64 {
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
    // About 200 items, or 3 kB, a bucket: a row that fits into one page.
    let buckets = max(1, count / 200)
    let bits = UInt64(Int.bitWidth - 1 - buckets.leadingZeroBitCount)
    var filter = BloomFilter(capacity: count)
    let (id, insert) = try IndexFailure.mapping { () throws(SQLiteError) in
      // Newer runs have higher ids, over all families: places never collide.
      let last = try database.integer("SELECT max(id) FROM runs") ?? 0
      return (
        last + 1, try database.prepare("INSERT INTO run_buckets(place, items) VALUES (?, ?)")
      )
    }
    var pending: [IndexItem] = []
    var place: Int64 = 0
    func flush(before end: Int64) throws(IndexFailure) {
      while place < end {
        insert.bind(1, id << 32 | place)
        insert.bind(2, IndexBucket.encode(pending))
        try IndexFailure.mapping { () throws(SQLiteError) in try insert.run() }
        pending.removeAll(keepingCapacity: true)
        place += 1
      }
    }
    while let part = try next() {
      for item in part {
        try flush(before: RunIndex.bucket(of: item.fingerprint, bits))
        pending.append(item)
        filter.insert(item.fingerprint)
      }
    }
    try flush(before: 1 << Int64(bits))
    try IndexFailure.mapping { () throws(SQLiteError) in
      let row = try database.prepare(
        """
        INSERT INTO runs(id, family, level, item_count, bucket_bits, filter)
        VALUES (?, ?, ?, ?, ?, ?)
        """
      )
      for (column, value) in [id, family.rawValue, level, Int64(count), Int64(bits)].enumerated() {
        row.bind(Int32(column + 1), value)
      }
      row.bind(6, filter.checkedBytes)
      try row.run()
    }
    runs.append(Run(id: id, level: level, itemCount: count, bucketBits: bits, filter: filter))
  }
}

/// Why an index did not answer.
enum IndexFailure: Error {
  /// SQLite said no.
  case sqlite(SQLiteError)

  /// What is there is not what was written: make the index anew.
  case damaged

  /// What the value leads to cannot be read.
  case journal(JournalError)

  /// Whether the index is to blame, and not the entries or the disk.
  var isDamage: Bool {
    switch self {
    case .damaged: true
    case .sqlite(let error): error.code == .damaged
    case .journal: false
    }
  }

  var asJournalError: JournalError {
    switch self {
    case .journal(let error): error
    case .sqlite(let error): JournalError(error, doing: "cannot use the index")
    case .damaged:
      JournalError(.damaged, "the index is not what was written", finding: .containerDamaged)
    }
  }

  static func mapping<Result>(
    _ call: () throws(SQLiteError) -> Result
  ) throws(IndexFailure) -> Result {
    do throws(SQLiteError) { return try call() } catch { throw .sqlite(error) }
  }
}

/// The items of a few runs in ascending order, part by part; memory holds one bucket of each.
private struct RunParts {
  private let runs: [RunIndex.Run]

  /// A part is all items with the same first bits; so many that each run has whole buckets.
  private let bits: UInt64
  private var number: Int64 = 0

  init(of runs: [RunIndex.Run]) {
    self.runs = runs
    bits = runs.map(\.bucketBits).min() ?? 0
  }

  mutating func next(
    _ appendBucket: (RunIndex.Run, Int64, inout [IndexItem]) throws(IndexFailure) -> Void
  ) throws(IndexFailure) -> [IndexItem]? {
    guard number < 1 << bits else { return nil }
    var items: [IndexItem] = []
    for run in runs {
      let finer = run.bucketBits - bits
      for place in (number << finer)..<((number + 1) << finer) {
        try appendBucket(run, place, &items)
      }
    }
    number += 1
    // Each run gives its items in ascending order, which makes this a merge.
    items.sort()
    return items
  }
}
