internal import TidemarkCompression
package import TidemarkEntries
internal import TidemarkSQLite

/// Reads a journal, beside its writer or without one.
///
/// Never writes to it, never checkpoints it.
///
/// What it reads is a snapshot: entries that come later are seen after ``refresh()``.
package final class JournalReader {
  package let path: String
  package let identity: Identity

  /// The anchor beside the journal, if there is one that is whole.
  package private(set) var anchor: Anchor?

  /// The seq of the last entry of the snapshot, damaged ones included; 0 if there is none.
  ///
  /// A torn tail is no part of the journal and does not count.
  package private(set) var last = Seq(0)

  /// That the last block is torn, if it is.
  package private(set) var torn: Finding?

  /// That the file has other tables and triggers than those that are read, or rows where there are
  /// none in this format.
  package let schemaFinding: Finding?
  let database: Database
  let blocks: BlockTable
  let bodies: BodyTable
  private let lookup: EntryLookup

  // What the last look at the file saw: which file it was, and SQLite's count of its changes.
  private let file: Files.FileID?
  private var dataVersion: Int64?

  /// Whether somebody asks for the work to stop; looked at before each block of a walk.
  package var isStopped: () -> Bool = { false }

  /// What is read of the index when it is first asked; see ``index()``.
  var knownIndex: ReaderIndex?

  /// - Throws: ``JournalError`` with code `missing`, `foreign`, `newer`, `damaged` or `storage`.
  package init(_ path: String) throws(JournalError) {
    let path = try Files.resolved(path)
    self.path = path
    file = Files.FileID(of: path)
    // The anchor comes first: one that is read behind the snapshot could be ahead of it.
    anchor = try Anchor.read(beside: path)
    (database, schemaFinding) = try JournalFile.openForReading(path)
    (blocks, bodies, dataVersion) = try sqlite("cannot open \(path)") {
      [database] () throws(SQLiteError) in
      let version = try database.integer("PRAGMA data_version")
      try database.execute("BEGIN")
      return (
        try BlockTable(database, writable: false), try BodyTable(database, writable: false), version
      )
    }
    identity = try Identity(reading: database)
    lookup = EntryLookup(blocks)
    try readLast()
  }

  private func readLast() throws(JournalError) {
    do throws(SQLiteError) {
      let block = try blocks.lastBlock()
      torn = try block.flatMap { (block) throws(SQLiteError) in try tornTail(block) }
      last = block.map { torn == nil ? $0.last : Seq($0.first.value - 1) } ?? Seq(0)
    } catch {
      // The end of the table cannot be read. The anchor says how far it went, and the walk goes on
      // where it can.
      guard error.code == .damaged, let anchor, anchor.journal == identity.journal else {
        throw JournalError(error, doing: "cannot read the last block")
      }
      torn = nil
      last = Seq(anchor.size)
    }
  }

  private func tornTail(_ block: Block) throws(SQLiteError) -> Finding? {
    guard let fault = block.fault(Decompressor()) else { return nil }
    let finding = LastBlock.finding(for: block, fault, anchor, of: identity.journal)
    let before = Seq(block.first.value - 1)
    // Behind a gap it is damage like the gap.
    guard finding.code == .tornTail,
      try (blocks.block(atOrBefore: before)?.last ?? Seq(0)) == before
    else { return nil }
    return finding
  }

  /// Ends what takes long if somebody asks for it.
  ///
  /// - Throws: ``JournalError`` with code `stopped`.
  package func checkStop() throws(JournalError) {
    if isStopped() { throw JournalError(.stopped, "the reading was stopped") }
  }

  /// Writes a copy of the file as it is now, and of its anchor, where nothing is yet.
  ///
  /// - Throws: ``JournalError`` with code `storage`.
  package func copy(to target: String) throws(JournalError) {
    try Files.createPrivate(target)
    try sqlite("cannot copy \(path) to \(target)") { () throws(SQLiteError) in
      try database.copy(to: target)
    }
    guard let anchor else { return }
    try LockedFile.lock(Anchor.path(for: target)).write(anchor.slot, at: 0)
  }

  /// Turns to what is in the journal now.
  ///
  /// - Returns: whether anything has changed since.
  /// - Throws: ``JournalError`` with code `missing` or `invalid` if another file has the path now,
  ///   or the journal was written over: what was read of it says nothing of what is there.
  package func refresh() throws(JournalError) -> Bool {
    guard let found = Files.FileID(of: path) else {
      throw JournalError(.missing, "the journal at \(path) is gone", finding: .noSuchJournal)
    }
    guard found == file else {
      throw JournalError(.invalid, "the journal at \(path) was replaced by another file")
    }
    let before = last
    let version = try sqlite("cannot read \(path)") { () throws(SQLiteError) in
      try database.execute("COMMIT")
      let version = try database.integer("PRAGMA data_version")
      try database.execute("BEGIN")
      return version
    }
    guard version != dataVersion else { return false }
    dataVersion = version
    lookup.forget()
    knownIndex = nil
    anchor = try Anchor.read(beside: path)
    try readLast()
    guard last >= before, try Identity(reading: database) == identity else {
      throw JournalError(.invalid, "the journal at \(path) was written over by another history")
    }
    return last != before
  }

  /// A part of the journal as it was found.
  package enum Part: Sendable {
    /// A block that could be read.
    case entries([Entry])

    /// A range of entries that could not, and why.
    case damage(Finding, through: Seq)

    var isDamage: Bool { if case .damage = self { true } else { false } }

    /// The last entry that `block` holds, if this was found in it.
    func end(in block: Block) -> Seq {
      switch self {
      case .entries: block.last
      case .damage(_, let last): last
      }
    }
  }

  /// Unpacks the blocks of this journal.
  package var unpacking: BlockUnpacking {
    BlockUnpacking(isAnchored: anchor?.journal == identity.journal)
  }

  /// Goes through the entries from `first` to `last`, in order.
  ///
  /// - Returns: what could not be read on the way.
  /// - Complexity: O(*n*) in the entries; memory holds ``BlocksAhead/countMax`` blocks twice.
  @discardableResult
  package func forEach<Failure: Error>(
    from first: Seq = Seq(1),
    through last: Seq? = nil,
    _ body: (Entry) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) -> [Finding] {
    var findings: [Finding] = []
    let through = min(last ?? self.last, self.last)
    try forEachPart(
      from: first,
      through: through,
      { (_, part) throws(Failure) in
        switch part {
        case .damage(let finding, _): findings.append(finding)
        case .entries(let entries):
          // A span lends each entry; an array would copy it.
          let span = entries.span
          for index in span.indices where span[index].seq >= first && span[index].seq <= through {
            guard try body(span[index]) else { return false }
          }
        }
        return true
      },
      mapping: mapping
    )
    return findings
  }

  /// The entry at `seq`; nothing if the journal ends before it.
  ///
  /// - Throws: ``JournalError`` with code `damaged` if its block cannot be read, or is not there.
  /// - Complexity: O(log *n*)
  package func entry(at seq: Seq) throws(JournalError) -> Entry? {
    guard seq.value > 0, seq <= last else { return nil }
    if let entry = try lookup.entry(at: seq) { return entry }
    let loss = try loss(at: seq)
    throw JournalError(.damaged, loss.message, finding: loss.code, at: loss.seq)
  }

  /// The cursor that stands on the entry at `seq`; 0 stands before the first.
  package func cursor(at seq: Seq) throws(JournalError) -> Cursor {
    let leaf = try entry(at: seq).map { Tree.leaf(of: $0).short }
    return Cursor(
      journal: identity.shortID,
      term: identity.term,
      seq: seq.value,
      leaf: leaf ?? "00000000"
    )
  }

  /// Where `cursor` stands.
  ///
  /// - Throws: ``JournalError`` with code `invalid` if it belongs to another journal or history.
  package func seq(of cursor: Cursor) throws(JournalError) -> Seq {
    guard cursor.journal == identity.shortID, cursor.term == identity.term else {
      throw JournalError(.invalid, "the cursor \(cursor) belongs to another journal")
    }
    guard cursor.seq <= last.value, try self.cursor(at: Seq(cursor.seq)) == cursor else {
      throw JournalError(
        .invalid,
        "the cursor \(cursor) belongs to another history of this journal"
      )
    }
    return Seq(cursor.seq)
  }
}
