internal import TidemarkEntries
internal import TidemarkSQLite

/// Finds entries by key, the last entry of a path, and bodies by content.
///
/// What came since the runs were last written is kept in memory: the *tail*. Both answer "perhaps",
/// and the caller looks.
final class JournalIndex {
  /// What came since the runs were last written.
  struct Tail {
    fileprivate var keys = FingerprintTable()
    fileprivate var bodies = FingerprintTable()

    /// The heads of the tail, and of many a path that was named before: it is named again, and
    /// looking it up in the runs means to unpack a block.
    fileprivate var heads = PathHeads()

    /// Up to which entry the runs hold everything.
    fileprivate(set) var through = Seq(0)
  }

  private let seed: UInt64
  private let database: Database
  private let keyRuns: RunIndex
  private let pathRuns: RunIndex
  private let bodyRuns: RunIndex
  private(set) var tail = Tail()

  /// Up to which entry the runs hold everything.
  var through: Seq { tail.through }

  init(_ database: Database, seed: UInt64) throws(SQLiteError) {
    self.seed = seed
    self.database = database
    keyRuns = try RunIndex(database, .keys)
    pathRuns = try RunIndex(database, .paths)
    bodyRuns = try RunIndex(database, .bodies)
  }

  /// Reads what there is of the index, and the heads that stand with it.
  ///
  /// - Returns: the heads, or nothing if there is no index yet.
  /// - Throws: ``IndexFailure``; with `damaged`, ``drop()`` it.
  func load() throws(IndexFailure) -> Heads? {
    let row = try IndexFailure.mapping { () throws(SQLiteError) in
      let statement = try database.prepare("SELECT through, content FROM heads WHERE id = 1")
      return try statement.step() ? (statement.integer(0), statement.bytes(1)) : nil
    }
    guard let (through, content) = row else { return nil }
    tail.through = Seq(UInt64(clamping: through))
    for runs in [keyRuns, pathRuns, bodyRuns] { try runs.load() }
    guard let heads = Heads(content, through: tail.through, with: numbers),
      try endsBlock(at: tail.through)
    else { throw .damaged }
    return heads
  }

  /// What the heads are written with: an index of which a part is lost would hide entries.
  private var numbers: [UInt64] {
    [seed] + [keyRuns, pathRuns, bodyRuns].flatMap { [UInt64($0.numbers.count)] + $0.numbers }
  }

  /// Whether a block ends with the entry at `seq`: the index may tell of no more than there is.
  private func endsBlock(at seq: Seq) throws(IndexFailure) -> Bool {
    try IndexFailure.mapping { () throws(SQLiteError) in
      let last = try database.integer(
        """
        SELECT first_seq + entry_count - 1 FROM blocks WHERE first_seq <= \(seq)
        ORDER BY first_seq DESC LIMIT 1
        """
      )
      return last.map { UInt64(clamping: $0) } == seq.value
    }
  }

  /// Throws the index away; the entries give another one.
  ///
  /// Inside the caller's transaction.
  func drop() throws(SQLiteError) {
    try database.execute("DELETE FROM heads; DELETE FROM runs; DELETE FROM run_buckets")
  }

  // MARK: Keys

  func fingerprint(of key: [UInt8]) -> UInt64 { Fingerprint.of(key, seed: seed) }

  func fingerprints(of drafts: [Draft]) -> [UInt64] {
    let span = drafts.span
    return span.indices.map { fingerprint(of: span[$0].key.bytes) }
  }

  /// Whether keys with these fingerprints may be there, by what is in memory.
  func mayHoldKeys(_ fingerprints: [UInt64]) -> [Bool] {
    var may = fingerprints.map { tail.keys.holds($0) }
    keyRuns.mayHold(fingerprints, &may)
    return may
  }

  /// The first seq under `fingerprint` for which `isIt` says yes.
  func seq(
    of fingerprint: UInt64,
    where isIt: (Seq) throws(JournalError) -> Bool
  ) throws(IndexFailure) -> Seq? {
    try JournalIndex.first(in: tail.keys, keyRuns, fingerprint) { value throws(JournalError) in
      try isIt(Seq(value))
    }.map { Seq($0) }
  }

  func noteKey(_ fingerprint: UInt64, at seq: Seq) {
    tail.keys.insert(fingerprint, seq.value)
  }

  // MARK: Paths

  func storePath(_ store: Seq, _ path: Path) -> StorePath {
    StorePath(
      store: store,
      path: path,
      fingerprint: Fingerprint.of(path.bytes, seed: seed ^ (store.value &* 0x9e37_79b9_7f4a_7c15))
    )
  }

  /// What memory knows of the last entries that name the path.
  func headInMemory(of key: StorePath) -> PathHead? { tail.heads[key] }

  /// The last entry of the runs that names the path in its store, if one does.
  func lastNaming(
    _ key: StorePath,
    where isIt: (Seq) throws(JournalError) -> Bool
  ) throws(IndexFailure) -> Seq? {
    try JournalIndex.first(in: FingerprintTable(), pathRuns, key.fingerprint) {
      value throws(JournalError) in try isIt(Seq(value))
    }.map { Seq($0) }
  }

  func notePath(_ key: StorePath, _ head: PathHead) {
    tail.heads.note(key, head)
  }

  // MARK: Bodies

  func body(
    of fingerprint: UInt64,
    where isIt: (UInt64) throws(JournalError) -> Bool
  ) throws(IndexFailure) -> UInt64? {
    try JournalIndex.first(in: tail.bodies, bodyRuns, fingerprint, where: isIt)
  }

  func fingerprint(ofContent content: [UInt8]) -> UInt64 {
    Fingerprint.of(content, seed: ~seed)
  }

  /// Takes a content into the tail; under an id that no writer gives it is not found again.
  func noteBody(_ fingerprint: UInt64, id: UInt64) {
    guard id <= IndexItem.greatestValue else { return }
    tail.bodies.insert(fingerprint, id)
  }

  private static func first(
    in tail: FingerprintTable,
    _ runs: RunIndex,
    _ fingerprint: UInt64,
    where isIt: (UInt64) throws(JournalError) -> Bool
  ) throws(IndexFailure) -> UInt64? {
    func test(_ value: UInt64) throws(IndexFailure) -> Bool {
      do throws(JournalError) { return try isIt(value) } catch { throw .journal(error) }
    }
    if let value = try tail.value(of: fingerprint, where: test) { return value }
    guard !runs.isEmpty else { return nil }
    var found: UInt64?
    try runs.values(of: fingerprint) { value throws(IndexFailure) in
      if try test(value) { found = value }
      return found == nil
    }
    return found
  }

  // MARK: Runs

  /// Whether the tail is long enough to be written into the runs.
  var isTailFull: Bool {
    max(tail.keys.count, tail.bodies.count) >= Limits.indexTailEntriesMax
  }

  /// Writes the tail into the runs.
  ///
  /// Inside the caller's transaction.
  ///
  /// The tail stays until ``forgetTail(through:)``, behind the commit.
  func writeTail(_ heads: Heads) throws(IndexFailure) {
    try keyRuns.add(tail.keys.items)
    try pathRuns.add(tail.heads.items(after: tail.through))
    try bodyRuns.add(tail.bodies.items)
    try IndexFailure.mapping { () throws(SQLiteError) in
      let row = try database.prepare(
        "INSERT OR REPLACE INTO heads(id, through, content) VALUES (1, ?, ?)"
      )
      row.bind(1, Int64(heads.range.end))
      row.bind(2, heads.encoded(with: numbers))
      try row.run()
    }
  }

  /// Takes back what came into the tail since it was `tail`.
  func restore(_ tail: Tail) {
    self.tail = tail
  }

  func forgetTail(through: Seq) {
    tail.keys = FingerprintTable(capacity: Limits.indexTailEntriesMax)
    tail.bodies = FingerprintTable()
    if tail.heads.count > Limits.cachedPathsMax { tail.heads = PathHeads() }
    tail.through = through
  }
}
