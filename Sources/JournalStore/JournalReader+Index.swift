package import TidemarkEntries

extension JournalReader {
  /// What the index says, read when it is first asked for.
  func index() throws(JournalError) -> ReaderIndex {
    if let knownIndex { return knownIndex }
    let read = try ReaderIndex(self)
    knownIndex = read
    return read
  }

  /// The entry that has `key`.
  ///
  /// - Returns: the entry; nothing if none has it.
  /// - Throws: ``JournalError`` with code `damaged` if entries are lost and one may have had it.
  /// - Complexity: O(log *n*) where there is an index, else O(*n*).
  package func entry(for key: IdempotencyKey) throws(JournalError) -> Entry? {
    let found = try asking { index throws(IndexFailure) in
      try index.seq(of: index.fingerprint(of: key.bytes)) { (seq) throws(JournalError) in
        try self.entry(at: seq)?.has(key) ?? false
      }
    }
    if let seq = found?.seq { return try entry(at: seq) }
    if found == nil {
      let (entry, lost) = try lastEntry { $0.has(key) }
      if let entry { return entry }
      if let first = lost.first { throw JournalReader.uncertain(key, first) }
    }
    if let loss = try loss() { throw JournalReader.uncertain(key, loss) }
    return nil
  }

  private static func uncertain(_ key: IdempotencyKey, _ loss: Finding) -> JournalError {
    JournalError(
      .damaged,
      "no entry that can be read has the key '\(key)', and others are lost: \(loss.message)",
      finding: loss.code,
      at: loss.seq
    )
  }

  /// That entries behind the index cannot be read, or are gone with the end of the journal.
  private func loss() throws(JournalError) -> Finding? {
    if let damage = try damage() { return damage }
    return try lostTail
  }

  /// That the anchor names entries behind the last one, if it does.
  package var lostTail: Finding? {
    get throws(JournalError) {
      let standing = try anchorStanding()
      return standing == .ahead ? standing.finding(anchor, size: last) : nil
    }
  }

  /// The last entry that names `path` in the store that was opened at `store`.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - store: the seq of the opening.
  ///   - end: the last entry that counts; the last one of all if none is given.
  /// - Returns: the entry, if one names it.
  /// - Throws: ``JournalError`` with code `damaged` or `storage`.
  /// - Complexity: O(log *n*) and a step for each naming behind `end`; O(*n*) without an index.
  package func lastNaming(
    of path: Path,
    in store: Seq,
    through end: Seq? = nil
  ) throws(JournalError) -> Entry? {
    let found = try asking { index throws(IndexFailure) in
      let key = index.storePath(store, path)
      if let head = index.headInMemory(of: key) { return head.naming }
      return try index.lastNaming(key) { (seq) throws(JournalError) in
        try self.entry(at: seq)?.link(to: path, in: store) != nil
      }
    }
    guard let found else {
      return try lastEntry(through: end) { $0.link(to: path, in: store) != nil }.entry
    }
    var entry = try found.seq.flatMap { (seq) throws(JournalError) in try self.entry(at: seq) }
    while let naming = entry, let end, naming.seq > end {
      let before = naming.link(to: path, in: store)?.previousMention
      entry = try before.flatMap { (seq) throws(JournalError) in try self.entry(at: seq) }
    }
    return entry
  }

  /// The last fence of the store that was opened at `store`.
  ///
  /// - Parameters:
  ///   - store: the seq of the opening.
  ///   - end: the last entry that counts.
  /// - Returns: the fence; nothing if the store was opened behind `end`.
  /// - Throws: ``JournalError`` with code `damaged` or `storage`.
  /// - Complexity: O(log *n*) if no fence came behind `end`; else O(*k*) in the entries before it,
  ///   up to the last one of the store.
  package func lastFence(of store: Seq, through end: Seq) throws(JournalError) -> Entry? {
    if let last = try index().heads.lastFence(of: store), last <= end {
      return try entry(at: last)
    }
    var found: Seq?
    try forEachReversed(from: store, through: end) { (entry) throws(JournalError) in
      guard entry.store == store else { return true }
      found = KindRegistry.isFence(entry.kind) ? entry.seq : entry.previousFence
      return false
    } mapping: {
      $0
    }
    return try found.flatMap { (seq) throws(JournalError) in try entry(at: seq) }
  }

  private struct Answer {
    /// Nothing if no entry is the one that was asked for.
    var seq: Seq?
  }

  /// What the index says; nothing if there is none that can be asked.
  private func asking(
    _ question: (JournalIndex) throws(IndexFailure) -> Seq?
  ) throws(JournalError) -> Answer? {
    guard let index = try index().index else { return nil }
    do throws(IndexFailure) { return Answer(seq: try question(index)) } catch {
      guard error.isDamage else { throw error.asJournalError }
      return nil
    }
  }

  /// The last entry for which `isIt` says yes, and what could not be asked on the way to it.
  private func lastEntry(
    through end: Seq? = nil,
    where isIt: (Entry) -> Bool
  ) throws(JournalError) -> (entry: Entry?, lost: [Finding]) {
    var found: Entry?
    let lost = try forEachReversed(through: end) { (entry) throws(JournalError) in
      if isIt(entry) { found = entry }
      return found == nil
    } mapping: {
      $0
    }
    return (found, lost)
  }
}

extension Entry {
  /// Whether this is the entry of `key`.
  func has(_ key: IdempotencyKey) -> Bool { storage[keyRange].elementsEqual(key.bytes) }

  /// How the entry names `path` in `store`, if it does.
  package func link(to path: Path, in store: Seq) -> PathLink? {
    guard self.store == store, let links = try? paths else { return nil }
    return links.first { $0.path == path }
  }
}
