package import TidemarkEntries
package import TidemarkJournalStore

/// Writes entries as it is told, whether they keep the rules or not.
///
/// The journal gives them their places and pointers; nothing decides. What comes between two calls
/// of ``commit()`` is one block.
package final class Scribe {
  package let place: TemporaryJournal
  package let journal: Journal
  private var count = 0

  package init() throws {
    place = try TemporaryJournal()
    journal = try place.open()
  }

  /// Ends a block.
  package func commit() throws { try journal.commit(.lazy) }

  /// Commits, closes, and opens for reading.
  package func finish() throws -> JournalReader {
    try journal.close()
    return try place.read()
  }

  @discardableResult
  package func write(
    _ kind: some EntryKind,
    in store: UInt64? = 1,
    cause: UInt64? = nil,
    _ paths: [(String, PathLink.Role)] = [],
    key: String? = nil
  ) throws -> UInt64 {
    count += 1
    return try stage(
      Draft(
        kind,
        key: IdempotencyKey(key ?? "k\(count)"),
        store: store.map { .opened(Seq($0)) } ?? .journal,
        time: DeviceTime(milliseconds: Int64(count)),
        cause: cause.map { .entry(Seq($0)) },
        paths: paths.map { (try Path($0), $1) }
      )
    )
  }

  @discardableResult
  package func stage(_ draft: Draft) throws -> UInt64 {
    guard case .appended(let seq) = try journal.stage([draft])[0] else {
      throw Refusal()
    }
    return seq.value
  }

  package struct Refusal: Error {}

  // MARK: Stores

  @discardableResult
  package func open(_ address: String = "https://a.example") throws -> UInt64 {
    count += 1
    return try stage(
      Draft(
        StoreOpened(scope: Scope(address)),
        key: IdempotencyKey("k\(count)"),
        store: .opening,
        time: DeviceTime(milliseconds: Int64(count))
      )
    )
  }

  @discardableResult
  package func retire(_ store: UInt64 = 1) throws -> UInt64 {
    try write(StoreRetired(reason: .closed), in: store)
  }

  @discardableResult
  package func bump(
    _ reason: GenerationBumped.Reason = .requested,
    cause: UInt64? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(GenerationBumped(from: 0, to: 1, reason: reason), in: store, cause: cause)
  }

  // MARK: Reads

  @discardableResult
  package func begin(_ path: String = "/notes", in store: UInt64 = 1) throws -> UInt64 {
    try write(ReadBegan(generation: 0), in: store, [(path, .begin)])
  }

  @discardableResult
  package func land(
    _ begin: UInt64,
    _ path: String = "/notes",
    revision: UInt64? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(
      ReadLanded(begin: Seq(begin), body: .sample(), status: 200, revision: revision),
      in: store,
      cause: begin,
      [(path, .write)]
    )
  }

  @discardableResult
  package func refuse(
    _ begin: UInt64,
    _ reason: ReadRefused.Reason,
    witness: UInt64? = nil,
    _ path: String = "/notes",
    revision: UInt64? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(
      ReadRefused(
        begin: Seq(begin),
        reason: reason,
        witness: witness.map { Seq($0) },
        revision: revision
      ),
      in: store,
      cause: begin,
      [(path, .mention)]
    )
  }

  // MARK: Changes

  @discardableResult
  package func send(
    _ path: String = "/notes/41",
    touches: [Touch]? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(MutationSent(method: "PUT", touches: touches), in: store, [(path, .mention)])
  }

  /// An answer that writes `copies` and removes `removals`, without its bump.
  @discardableResult
  package func answerAlone(
    _ mutation: UInt64,
    copies: [(String, UInt64?)] = [],
    removals: [String] = [],
    in store: UInt64 = 1
  ) throws -> UInt64 {
    let answered = MutationAnswered(
      mutation: Seq(mutation),
      status: 200,
      copies: copies.enumerated().map { index, copy in
        .init(path: UInt64(index), body: .sample(), revision: copy.1)
      },
      removals: removals.indices.map { UInt64(copies.count + $0) }
    )
    let writes = copies.map(\.0) + removals
    return try write(
      answered,
      in: store,
      cause: mutation,
      writes.isEmpty ? [("/notes/41", .mention)] : writes.map { ($0, .write) }
    )
  }

  /// An answer, and its bump behind it.
  @discardableResult
  package func answer(
    _ mutation: UInt64,
    copies: [(String, UInt64?)] = [],
    removals: [String] = [],
    in store: UInt64 = 1
  ) throws -> UInt64 {
    let seq = try answerAlone(mutation, copies: copies, removals: removals, in: store)
    try bump(.answer, cause: seq, in: store)
    return seq
  }

  /// A suppressed answer, without its bump.
  @discardableResult
  package func suppress(
    _ mutation: UInt64,
    _ reason: MutationSuppressed.Reason,
    witness: UInt64,
    _ path: String = "/notes/41",
    revision: UInt64? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(
      MutationSuppressed(
        mutation: Seq(mutation),
        status: 200,
        reason: reason,
        witness: Seq(witness),
        revision: revision
      ),
      in: store,
      cause: mutation,
      [(path, .mention)]
    )
  }

  @discardableResult
  package func fail(
    _ mutation: UInt64,
    _ path: String = "/notes/41",
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(
      MutationFailed(mutation: Seq(mutation), reason: .lost),
      in: store,
      cause: mutation,
      [(path, .mention)]
    )
  }

  // MARK: Copies without a ticket

  @discardableResult
  package func remove(_ path: String = "/notes", in store: UInt64 = 1) throws -> UInt64 {
    try write(CopyRemoved(reason: .requested), in: store, [(path, .mention)])
  }
}

extension BodyReference {
  /// A body that was not kept.
  package static func sample(_ digit: UInt64 = 1) -> BodyReference {
    BodyReference(id: 0, commitment: Digest(words: (digit, 0, 0, 0)), byteCount: 5)
  }
}
