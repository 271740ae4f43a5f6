package import TidemarkEntries
internal import TidemarkSQLite

extension Journal {
  /// Runs `work`, which stages entries: all of them are appended in one transaction, or none.
  ///
  /// Memory stays flat, however many they are: what is gathered goes to disk inside the
  /// transaction.
  ///
  /// - Parameters:
  ///   - work: stages by ``stage(verbatim:at:)`` and nothing else.
  ///   - mapping: makes an error of the journal one of the caller's.
  /// - Throws: what `work` throws, or an error of the journal. Nothing was appended then.
  package func atomically<Failure: Error>(
    _ work: () throws(Failure) -> Void,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    do throws(JournalError) {
      try commit(.authored)
      try opened.setSynchronous(.authored)
    } catch { throw mapping(error) }
    do throws(Failure) {
      try transact(
        { () throws(Failure) in
          try work()
          do throws(JournalError) { try writeStaged() } catch { throw mapping(error) }
        },
        mapping: mapping
      )
    } catch {
      do throws(JournalError) { try reopen() } catch { throw mapping(error) }
      throw error
    }
    do throws(JournalError) { try acknowledge() } catch { throw mapping(error) }
  }

  /// Gives an entry that another copy of this journal has at `seq` the same place here.
  ///
  /// The bytes are taken as they are; they must be deterministic CBOR, and their key new. Pointers
  /// are not judged: they are part of what is copied. Inside ``atomically(_:mapping:)``.
  ///
  /// - Returns: that it was appended, or that the journal has this very entry there.
  /// - Throws: ``JournalError`` with code `invalid`: the journal has another entry there
  ///   (`stream-diverged`), ends before (`seq-gap`), has the key elsewhere (`key-repeated`), or the
  ///   bytes are no entry (`entry-malformed`).
  package func stage(verbatim bytes: [UInt8], at seq: Seq) throws(JournalError) -> AppendOutcome {
    guard seq > last else {
      guard let known = try entry(at: seq), known.bytes.elementsEqual(bytes) else {
        throw JournalError(
          .invalid,
          "the journal has another entry at \(seq)",
          finding: .streamDiverged,
          at: seq
        )
      }
      return .alreadyAppended(at: seq)
    }
    guard seq == last.next else {
      throw JournalError(.invalid, "entry \(last.next) is missing", finding: .seqGap, at: seq)
    }
    let entry = try Journal.parsed(bytes, seq)
    do throws(EntryError) { try entry.checkCanonical() } catch {
      throw JournalError(.invalid, error.message, finding: .entryMalformed, at: seq)
    }
    if let prior = try self.entry(for: entry.key) {
      throw JournalError(
        .invalid,
        "entry \(prior.seq) has the same key",
        finding: .keyRepeated,
        at: seq
      )
    }
    staging.add(verbatim: bytes)
    opened.heads.note(entry)
    opened.index.note(entry)
    if staging.isLarge { try writeStaged() }
    return .appended(at: seq)
  }

  /// Keeps a content under the id and the salt that it has in another copy of this journal.
  ///
  /// Comes before the entry that names it. Inside ``atomically(_:mapping:)``.
  ///
  /// - Throws: ``JournalError`` with code `invalid` if it is beyond a limit, or the journal has
  ///   another content under this id (`stream-diverged`).
  package func stage(
    verbatim content: [UInt8],
    id: UInt64,
    salt: [UInt8]
  ) throws(JournalError) {
    guard (1...Journal.copiedBodyIDMax).contains(id), salt.count == Limits.saltBytes,
      content.count <= Limits.bodyBytesMax
    else { throw JournalError(.invalid, "body \(id) is beyond a limit", finding: .inputMalformed) }
    if id < nextBodyID, try holdsBody(id) {
      guard let known = try keptBody(id), known.salt == salt, known.content == content else {
        throw JournalError(
          .invalid,
          "the journal has another content as body \(id), or has erased it",
          finding: .streamDiverged
        )
      }
      return
    }
    let fingerprint = opened.index.fingerprint(ofContent: content)
    staging.add(Staging.Body(id: id, content: content, salt: salt, fingerprint: fingerprint))
    opened.index.noteBody(fingerprint, id: id)
    if staging.isLarge { try writeStaged() }
  }

  /// Whether the content of this id can be had.
  package func keepsBody(_ id: UInt64) throws(JournalError) -> Bool { try keptBody(id) != nil }

  /// Ids are counted from 1, and are exact in JSON.
  private static let copiedBodyIDMax: UInt64 = 1 << 53 - 1

  /// Whether there is a body of this id, perhaps erased.
  private func holdsBody(_ id: UInt64) throws(JournalError) -> Bool {
    if staging.body(id) != nil { return true }
    return try sqlite("cannot read body \(id)") { () throws(SQLiteError) in
      try opened.database.integer("SELECT 1 FROM bodies WHERE id = \(id)") != nil
    }
  }
}
