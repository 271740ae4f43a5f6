internal import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections
internal import TidemarkSQLite

/// Does to a journal what nobody may who keeps to its format.
enum Tampering {
  /// Runs SQL that the triggers of a journal refuse.
  static func run(_ journal: String, _ sql: String) throws {
    let database = try Database(path: journal, access: .write(creating: false))
    try database.execute(
      """
      BEGIN IMMEDIATE;
      INSERT INTO maintenance VALUES ('erase');
      \(sql);
      DELETE FROM maintenance;
      COMMIT
      """
    )
  }

  /// Leaves a block behind the last one of which only a part was written.
  static func tearTail(_ journal: String) throws {
    try run(
      journal,
      """
      INSERT INTO blocks(first_seq, entry_count, codec, raw_bytes, subtrees, checksum, frames)
      SELECT first_seq + entry_count, 1, 0, 64, zeroblob(32), 0, zeroblob(16)
      FROM blocks ORDER BY first_seq DESC LIMIT 1
      """
    )
  }

  /// Makes the block that holds an entry unreadable.
  static func breakEntry(_ seq: UInt64, of journal: String) throws {
    try run(
      journal,
      """
      UPDATE blocks SET frames = zeroblob(length(frames)) WHERE first_seq =
        (SELECT max(first_seq) FROM blocks WHERE first_seq <= \(Int64(clamping: seq)))
      """
    )
  }

  /// Changes a row of each projection, so that none is what was written.
  static func breakProjections(_ journal: String) throws {
    let database = try Database(
      path: ProjectionsFile.path(for: journal),
      access: .write(creating: true)
    )
    guard try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else { return }
    try database.execute("UPDATE projections SET sum = sum + 1")
  }

  /// Writes the journal anew, with one entry in the shape that an earlier build gave it.
  ///
  /// Nothing if the entry is of a kind that never had another shape.
  static func age(
    _ seq: UInt64,
    of journal: String,
    _ chance: inout some RandomNumberGenerator
  ) throws {
    let reader = try JournalReader(journal)
    let side = journal + ".aged"
    let copy = try Journal(side, create: true, as: reader.identity, chance: &chance)
    try copy.atomically(
      { () throws(JournalError) in
        var next = Seq(1)
        while let entry = try reader.entry(at: next) {
          for body in entry.readableBodies {
            let (kept, salt) = try reader.saltedBody(body, of: next)
            guard case .kept(let content) = kept else { continue }
            try copy.stage(verbatim: content, id: body.id, salt: salt)
          }
          let bytes = entry.seq.value == seq ? entry.agedBytes : Array(entry.bytes)
          _ = try copy.stage(verbatim: bytes, at: next)
          next = next.next
        }
      },
      mapping: { $0 }
    )
    try copy.close()
    for part in ["", "-wal", "-anchor"] {
      Folder.remove(journal + part)
      guard let bytes = Folder.read(side + part) else { continue }
      Folder.write(bytes, to: journal + part)
    }
  }
}

extension Entry {
  /// The bytes of the entry in the first shape of its kind.
  fileprivate var agedBytes: [UInt8] {
    guard kind == OutboxEnqueued.number, case .map(let fields)? = try? CBORValue(Array(bytes))
    else { return Array(bytes) }
    let aged = fields.map { field in
      guard case .unsigned(15) = field.key, case .map(let payload) = field.value else {
        return field
      }
      // The first shape had no method.
      return CBORValue.Pair(field.key, .map(payload.filter { $0.key != .unsigned(1) }))
    }
    return CBORValue.map(aged).encoded
  }
}
