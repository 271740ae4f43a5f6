internal import TidemarkCompression
package import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkSQLite

/// An open journal, and its one writer.
///
/// Not `Sendable`, and no call suspends: between a decision and its append there is no gap. Entries
/// are *staged* (they have their seq, and decisions may rest on them) and then *committed*: on
/// disk, all of them or none. ``append(_:resting:durability:)`` does both.
package final class Journal {
  package let path: String
  let anchor: AnchorFile
  /// Blocks are packed while the writer waits: at level -2 in two thirds of the time of level 1,
  /// for a twelfth more bytes.
  let compressor = Compressor(level: -2)

  /// How the anchor stood on opening.
  package internal(set) var anchorStanding: Anchor.Standing

  var opened: OpenedJournal
  var staging: Staging

  /// Whether everything that is committed is on the medium; nobody knows on opening.
  package internal(set) var isSynced = false

  /// Whether the file must be opened anew before anything is appended: a failure left it unknown.
  var mustReopen = false

  /// Why the newest head could not be written into the anchor, if it could not.
  var anchorFailure: JournalError?

  /// How often what was staged was dropped because of a failure.
  package internal(set) var reopenings = 0

  var isIndexDamaged = false

  /// That SQLite has called the file malformed since it was opened: nothing is appended any more.
  var containerFinding: Finding?
  private var isClosed = false

  /// What is known to be wrong: it was found on opening, or since.
  ///
  /// Findings that are no notes forbid appending.
  package var findings: [Finding] { opened.findings }

  /// Whether appends are refused because something that was acknowledged is damaged or missing.
  package var isReadOnly: Bool { opened.isDamaged }

  package var identity: Identity { opened.identity }

  /// The seq of the last entry that is committed; 0 if there is none.
  package var committed: Seq { Seq(opened.heads.range.end) }

  /// The seq of the last entry, staged ones included; 0 if there is none.
  package var last: Seq { Seq(staging.next.value - 1) }

  /// The root of the tree over the committed entries.
  package var root: Digest { opened.heads.range.root }

  /// Opens the journal at `path` for appending, and makes it if `create` says so.
  ///
  /// A torn tail that nobody was told of is set aside. Anything else that is wrong leaves the file
  /// as it is: the journal opens, ``isReadOnly``, and appending is refused.
  ///
  /// - Parameters:
  ///   - path: where the journal is.
  ///   - create: whether to make it if there is none.
  ///   - identity: that of a new journal, if it is to be a copy of another one.
  ///   - chance: gives a new journal its identity, if it has one of its own.
  /// - Throws: ``JournalError`` with code `missing`, `foreign`, `newer`, `busy`, `damaged` or
  ///   `storage`.
  package init(
    _ path: String,
    create: Bool = false,
    as identity: Identity? = nil,
    chance: inout some RandomNumberGenerator
  ) throws(JournalError) {
    let path = try Files.resolved(path)
    self.path = path
    let isThere = try Files.kind(of: path) != .nothing
    guard isThere || create else {
      throw JournalError(.missing, "there is no journal at \(path)", finding: .noSuchJournal)
    }
    // The checks come before the anchor is made: nothing is left beside a stranger.
    try Journal.checkForWriting(path)
    anchor = try AnchorFile(beside: path)
    if isThere {
      try Files.checkHasOneName(path, besides: JournalFile.side(of: path))
    } else {
      try Journal.checkIsNew(path, anchor.last)
      try JournalFile.create(at: path, identity ?? Identity(chance: &chance))
    }
    (opened, anchorStanding) = try Journal.open(path, anchor.last)
    staging = Staging(after: opened.heads.range.end)
    if let torn = opened.torn, !opened.isDamaged { try setAside(torn) }
    // What stands in the write-ahead log may never have reached the medium.
    if !isReadOnly { try syncLazyEntries() }
  }

  /// Looks whether a writer could open the journal at `path`, or make it; nothing is written.
  ///
  /// - Throws: ``JournalError``, as opening it would; but nobody's lock is looked at.
  package static func checkForWriting(_ path: String) throws(JournalError) {
    let path = try Files.resolved(path)
    guard try Files.kind(of: path) != .nothing else {
      return try checkIsNew(path, Anchor.read(beside: path))
    }
    try JournalFile.checkForWriting(path)
    try Files.checkHasOneName(path, besides: JournalFile.side(of: path), removing: false)
  }

  /// Where a journal was, a new one would hide that it is gone.
  private static func checkIsNew(_ path: String, _ anchor: Anchor?) throws(JournalError) {
    if let anchor, anchor.size > 0 {
      throw JournalError(
        .damaged,
        "the anchor names \(anchor.size) entries, but there is no journal at \(path)",
        finding: .tailLost
      )
    }
    guard Files.byteCount(of: path + "-wal") ?? 0 == 0 else {
      throw JournalError(
        .damaged,
        "there is a write-ahead log, but no journal at \(path)",
        finding: .tailLost
      )
    }
  }

  static func open(
    _ path: String,
    _ anchor: Anchor?
  ) throws(JournalError) -> (OpenedJournal, Anchor.Standing) {
    let opened = try OpenedJournal(path)
    try opened.checkContainer()
    let standing = try opened.readTail(anchor)
    // What is damaged stays as it is, the write-ahead log too: something may be got out of it.
    if opened.isDamaged { opened.database.keepLog() }
    return (opened, standing)
  }

  deinit {
    // A journal that was not closed loses no entry that was promised; see `close`.
    try? close()
  }

  /// Commits what is staged, syncs what is lazy, and lets the next writer in.
  ///
  /// The file is whole by itself then, unless a reader keeps the write-ahead log. Appending to a
  /// journal that is closed is refused.
  package func close() throws(JournalError) {
    guard !isClosed else { return }
    defer { anchor.unlock() }
    isClosed = true
    guard !isReadOnly else { return }
    // After a failure only the disk counts: nothing of before it is committed on the way out.
    if mustReopen { try reopen() }
    try commitStaged(.authored)
    try opened.checkpoint()
    try anchor.sync()
    if let anchorFailure { throw anchorFailure }
  }

  /// Commits what is staged, and brings the write-ahead log into the file.
  package func checkpoint() throws(JournalError) {
    try commitStaged(.authored)
    try opened.checkpoint()
  }

  // MARK: Appending

  /// Appends `drafts`, all of them or none, and tells of each what became of it.
  ///
  /// An authored entry is on the medium when this returns. A key is looked at before any guard, so
  /// a retry is answered and never refused. If a key stands for other content, nothing of the batch
  /// is appended but a record of the incident.
  ///
  /// - Throws: ``JournalError`` with code `storage`, `damaged`, `stale` or `invalid`; nothing was
  ///   appended then.
  /// - Complexity: O(*k* log *n*) for *k* drafts and *n* entries of the journal.
  @discardableResult
  package func append(
    _ drafts: [Draft],
    resting guards: [AppendGuard] = [],
    durability: Durability = .authored
  ) throws(JournalError) -> [AppendOutcome] {
    let outcomes = try stage(drafts, resting: guards)
    try commit(durability)
    return outcomes
  }

  /// Gives `drafts` their places.
  ///
  /// They are in the journal, for everybody, after ``commit(_:)``.
  ///
  /// - Throws: as ``append(_:resting:durability:)``. What was staged before stays, unless
  ///   ``reopenings`` has gone up: then it is gone.
  @discardableResult
  package func stage(
    _ drafts: [Draft],
    resting guards: [AppendGuard] = []
  ) throws(JournalError) -> [AppendOutcome] {
    try checkWritable()
    let fingerprints = opened.index.fingerprints(of: drafts)
    try Journal.check(drafts, fingerprints)
    var outcomes = [AppendOutcome](repeating: .withheld, count: drafts.count)
    try findRepetitions(drafts, fingerprints, &outcomes)
    if outcomes.contains(where: { $0.isConflict }) { return try withhold(drafts, outcomes) }
    guard outcomes.contains(where: { $0.isWithheld }) else { return outcomes }
    try check(guards)
    try checkPlaces(drafts, outcomes)
    try settling { () throws(JournalError) in try place(drafts, fingerprints, &outcomes) }
    return outcomes
  }

  private func findRepetitions(
    _ drafts: [Draft],
    _ fingerprints: [UInt64],
    _ outcomes: inout [AppendOutcome]
  ) throws(JournalError) {
    let span = drafts.span
    // What comes again comes in the order in which it came before.
    var expected: Seq?
    let may = opened.index.mayHoldKeys(fingerprints)
    for index in span.indices where expected != nil || may[index] {
      let outcome = try repetition(
        of: span[index],
        fingerprints[index],
        expected: expected,
        opening: span[index].opening(in: span, at: index)
      )
      expected = outcome?.seq?.next
      if let outcome { outcomes[index] = outcome }
    }
  }

  /// Nothing of a batch with a conflict is appended; each conflict is recorded, once.
  private func withhold(
    _ drafts: [Draft],
    _ outcomes: [AppendOutcome]
  ) throws(JournalError) -> [AppendOutcome] {
    for (draft, outcome) in zip(drafts, outcomes) {
      guard case .conflict(let conflict) = outcome else { continue }
      let incident = conflict.incident(of: draft)
      let fingerprint = opened.index.fingerprint(of: incident.key.bytes)
      guard try repetition(of: incident, fingerprint) == nil else { continue }
      _ = try settling { () throws(JournalError) in
        var place = Place()
        return try self.place(incident, fingerprint, 0, [], &place)
      }
    }
    return outcomes
  }

  private static func check(_ drafts: [Draft], _ fingerprints: [UInt64]) throws(JournalError) {
    let span = drafts.span
    for index in span.indices {
      let bound = span[index].byteCountBound
      guard bound <= Entry.bytesMax else {
        throw JournalError(
          .invalid,
          "an entry has at most \(Entry.bytesMax) bytes; this one may have \(bound)"
        )
      }
      guard span[index].paths.count <= Entry.pathsMax else {
        throw JournalError(
          .invalid,
          "an entry names at most \(Entry.pathsMax) paths, not \(span[index].paths.count)"
        )
      }
    }
    guard drafts.count > 1, FingerprintTable.holdsOneTwice(fingerprints) else { return }
    guard Set(drafts.map(\.key)).count == drafts.count else {
      throw JournalError(.invalid, "a batch holds one key twice")
    }
  }

  func checkWritable() throws(JournalError) {
    guard !isClosed else { throw JournalError(.invalid, "the journal is closed") }
    if mustReopen { try reopen() }
    guard isReadOnly else { return }
    let finding = findings.first { !$0.code.isNote }
    throw JournalError(
      .damaged,
      "appending is refused: \(finding?.message ?? "the journal is damaged")",
      finding: finding?.code ?? .containerDamaged,
      at: finding?.seq
    )
  }
}
