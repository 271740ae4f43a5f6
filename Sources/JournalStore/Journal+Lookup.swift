package import TidemarkEntries

extension Journal {
  /// The entry at `seq`, staged ones included; nothing if the journal ends before it.
  package func entry(at seq: Seq) throws(JournalError) -> Entry? {
    guard seq.value > 0 else { return nil }
    if seq <= committed { return try opened.lookup.entry(at: seq) }
    return try staging.entry(at: seq).map { (bytes) throws(JournalError) in
      try Journal.parsed(bytes, seq)
    }
  }

  static func parsed(_ bytes: [UInt8], _ seq: Seq) throws(JournalError) -> Entry {
    do throws(EntryError) { return try Entry(bytes, in: 0..<bytes.count, at: seq) } catch {
      throw JournalError(.invalid, error.message, finding: .entryMalformed, at: seq)
    }
  }

  /// The entry that has `key`, staged ones included.
  ///
  /// - Throws: ``JournalError``; of a journal that is damaged, as appending: it keeps no index.
  /// - Complexity: O(log *n*)
  package func entry(for key: IdempotencyKey) throws(JournalError) -> Entry? {
    try checkWritable()
    return try entry(for: key, opened.index.fingerprint(of: key.bytes))
  }

  func entry(for key: IdempotencyKey, _ fingerprint: UInt64) throws(JournalError) -> Entry? {
    var found: Entry?
    _ = try indexed { () throws(IndexFailure) in
      try opened.index.seq(of: fingerprint) { seq throws(JournalError) in
        guard let entry = try entry(at: seq), entry.holds(key.bytes, in: entry.keyRange) else {
          return false
        }
        found = entry
        return true
      }
    }
    return found
  }

  /// Runs `work` on the index; if the index is damaged it is made anew from the entries.
  func indexed<Result>(
    _ work: () throws(IndexFailure) -> Result
  ) throws(JournalError) -> Result {
    do throws(IndexFailure) { return try work() } catch {
      guard error.isDamage else { throw error.asJournalError }
    }
    try remakeIndex()
    do throws(IndexFailure) { return try work() } catch { throw error.asJournalError }
  }

  func remakeIndex() throws(JournalError) {
    do throws(JournalError) { try opened.dropIndex(after: .damaged) } catch {
      noteDamage(error)
      throw error
    }
    anchorStanding = try opened.readTail(anchor.last)
    // With entries that cannot be read there is no index of them all, and no append.
    try checkWritable()
    var seq = committed.next
    while let bytes = staging.entry(at: seq) {
      let entry = try Journal.parsed(bytes, seq)
      opened.heads.note(entry)
      opened.index.note(entry)
      seq = seq.next
    }
    for body in staging.bodies { opened.index.noteBody(body.fingerprint, id: body.id) }
  }
}
