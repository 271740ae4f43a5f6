public import TidemarkEntries
public import TidemarkJournalStore

/// An open journal without stores: entries are appended as they are, and nothing is decided.
///
/// For tools, and for apps that have stores of their own. Any number of tasks may append at once:
/// what waits while the medium is busy goes to it together, in one commit with one sync, in the
/// order of the calls.
public final class JournalWriter: Sendable {
  private let live: LiveJournal

  init(_ live: LiveJournal) {
    self.live = live
  }

  package convenience init(_ journal: sending Journal) {
    self.init(LiveJournal(journal))
  }

  /// Opens the journal at `path`, and makes it if there is none.
  ///
  /// Keep it where the system neither clears nor synchronises files: in Application Support, not
  /// in a cache folder.
  ///
  /// - Throws: ``JournalError`` with code `busy` if another writer has it, `foreign`, `newer` or
  ///   `storage`. A journal that is damaged opens all the same, and refuses to be appended to: see
  ///   ``findings``.
  public static func open(_ path: String) async throws(JournalError) -> JournalWriter {
    var chance = SystemRandomNumberGenerator()
    return JournalWriter(try Journal(path, create: true, chance: &chance))
  }

  /// What is known to be wrong: it was found on opening, or since.
  ///
  /// Findings that are no notes forbid appending.
  public var findings: [Finding] {
    get async { await live.findings }
  }

  /// The seq of the last entry; 0 if there is none.
  public var last: Seq {
    get async { await live.last }
  }

  /// Appends `drafts`, all of them or none, and tells of each what became of it.
  ///
  /// When this returns, authored entries are on the medium: show them now, not before. Appending
  /// the same drafts again adds nothing, whether the first call was answered or not.
  ///
  /// - Parameters:
  ///   - drafts: what to append, in this order and without others between them.
  ///   - guards: what the drafts rest on; compared in the transaction that appends them.
  ///   - durability: whether to wait for the medium.
  /// - Returns: one outcome a draft, in their order.
  /// - Throws: ``JournalError`` with code `storage`, `damaged`, `stale` or `invalid`; nothing was
  ///   appended then.
  @discardableResult
  public nonisolated(nonsending) func append(
    _ drafts: [Draft],
    resting guards: [AppendGuard] = [],
    durability: Durability = .authored
  ) async throws(JournalError) -> [AppendOutcome] {
    try await live.submit(durability, mapping: { $0 }) { (turn) throws(JournalError) in
      try turn.append(drafts, resting: guards)
    }
  }

  /// Puts everything on the medium and lets the next writer in.
  ///
  /// - Throws: ``JournalError`` with code `storage`.
  public func close() async throws(JournalError) { try await live.close() }
}
