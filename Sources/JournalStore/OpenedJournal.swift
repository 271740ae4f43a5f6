internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkSQLite

/// What a journal has open, and what it has read of it: made anew when a commit has failed.
final class OpenedJournal {
  let database: Database
  let blocks: BlockTable
  let bodies: BodyTable
  let lookup: EntryLookup
  let identity: Identity
  var index: JournalIndex
  var heads = Heads()

  /// The tree over the entries that the index holds.
  var indexedRange = CompactRange()
  var findings: [Finding] = []

  /// Whether something is damaged or missing that was acknowledged.
  var isDamaged = false

  /// The last block, if it is torn: nothing whole follows and nobody was told of it.
  var torn: Block?

  /// - Throws: ``JournalError`` if the file is not one that this build can write to.
  init(_ path: String) throws(JournalError) {
    database = try JournalFile.openForWriting(path)
    identity = try Identity(reading: database)
    (blocks, bodies, index) = try sqlite("cannot open \(path)") {
      [database, seed = identity.seed] () throws(SQLiteError) in
      (
        try BlockTable(database, writable: true), try BodyTable(database, writable: true),
        try JournalIndex(database, seed: seed)
      )
    }
    lookup = EntryLookup(blocks)
  }

  /// Looks at the pages before anything is written to them.
  func checkContainer() throws(JournalError) {
    guard let finding = try ContainerCheck.finding(in: database) else { return }
    refuse(finding)
  }

  /// Keeps everything as it is from now on.
  func refuse(_ finding: Finding) {
    isDamaged = true
    database.keepLog()
    // That pages contradict each other is told once.
    guard !findings.contains(where: { $0.code == finding.code }) else { return }
    findings.append(finding)
  }

  private var synchronous = Durability.authored

  /// Whether the next commit waits for the medium.
  func setSynchronous(_ durability: Durability) throws(JournalError) {
    guard durability != synchronous else { return }
    try sqlite("cannot set up the commit") { () throws(SQLiteError) in
      try database.execute("PRAGMA synchronous = \(durability == .authored ? "FULL" : "NORMAL")")
    }
    synchronous = durability
  }

  /// Brings the write-ahead log into the file.
  ///
  /// A reader may keep it from being emptied.
  func checkpoint() throws(JournalError) {
    let doing = "all entries are on disk, but cannot be brought from the log into the file"
    try sqlite(doing) { () throws(SQLiteError) in
      _ = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}
