internal import TidemarkEntries
internal import TidemarkSQLite

/// The rows of `blocks`: read one by one, in order.
final class BlockTable {
  private let insertion: Statement?
  private let atOrBefore: Statement
  private let after: Statement
  private let placeAfter: Statement

  /// The columns of a block, in the order in which ``block(of:)`` reads them.
  static let columns =
    "first_seq, entry_count, codec, dictionary, raw_bytes, subtrees, checksum, frames"
  static let columnCount: Int32 = 8

  init(_ database: Database, writable: Bool) throws(SQLiteError) {
    let columns = BlockTable.columns
    atOrBefore = try database.prepare(
      """
      SELECT \(columns) FROM blocks WHERE first_seq <= ? AND first_seq > 0
      ORDER BY first_seq DESC LIMIT 1
      """
    )
    after = try database.prepare(
      "SELECT \(columns) FROM blocks WHERE first_seq > ? ORDER BY first_seq LIMIT 1"
    )
    placeAfter = try database.prepare(
      "SELECT first_seq FROM blocks WHERE first_seq > ? ORDER BY first_seq LIMIT 1"
    )
    insertion =
      writable
      ? try database.prepare("INSERT INTO blocks(\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)") : nil
  }

  func insert(_ block: Block) throws(SQLiteError) {
    guard let insertion else { preconditionFailure("the journal is open for reading only") }
    insertion.bind(1, Int64(block.first.value))
    insertion.bind(2, Int64(block.entryCount))
    insertion.bind(3, block.codec)
    if let dictionary = block.dictionary {
      insertion.bind(4, dictionary)
    } else {
      insertion.bindNull(4)
    }
    insertion.bind(5, Int64(block.rawBytes))
    insertion.bind(6, block.subtrees)
    insertion.bind(7, block.checksum)
    insertion.bind(8, block.frames)
    try insertion.run()
  }

  /// The block that holds `seq`, or would hold it: the last one that begins at or before it.
  func block(atOrBefore seq: Seq) throws(SQLiteError) -> Block? {
    try first(of: atOrBefore, Int64(clamping: seq.value))
  }

  /// The first block that begins behind `seq`.
  func block(after seq: Seq) throws(SQLiteError) -> Block? {
    let block = try first(of: after, Int64(clamping: seq.value))
    // A page that is damaged may lead back, and a walk would never end.
    if let block, block.first <= seq { throw .disorder }
    return block
  }

  /// Where the first block begins that begins behind `seq`; its row is not read.
  func firstSeq(after seq: Seq) throws(SQLiteError) -> Seq? {
    defer { placeAfter.reset() }
    placeAfter.bind(1, Int64(clamping: seq.value))
    return try placeAfter.step() ? Seq(UInt64(clamping: placeAfter.integer(0))) : nil
  }

  /// The last block of all.
  func lastBlock() throws(SQLiteError) -> Block? { try first(of: atOrBefore, .max) }

  private func first(of query: Statement, _ seq: Int64) throws(SQLiteError) -> Block? {
    defer { query.reset() }
    query.bind(1, seq)
    guard try query.step() else { return nil }
    return BlockTable.block(of: query)
  }

  /// The row that `query` stands on.
  ///
  /// A row over a limit comes without its bytes: it is damaged.
  static func block(of query: Statement) -> Block {
    let fits =
      query.byteCount(7) <= Limits.blockBytesMax && query.byteCount(5) <= Limits.blockBytesMax
    return Block(
      first: Seq(UInt64(clamping: query.integer(0))),
      entryCount: Int(query.integer(1)),
      codec: query.integer(2),
      dictionary: query.isNull(3) ? nil : query.integer(3),
      rawBytes: fits ? Int(query.integer(4)) : .max,
      subtrees: fits ? query.bytes(5) : [],
      checksum: query.integer(6),
      frames: fits ? query.bytes(7) : []
    )
  }
}
