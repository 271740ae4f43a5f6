internal import Synchronization
public import TidemarkEntries
public import TidemarkJournalStore

/// The one owner of an open journal in an app.
///
/// Any number of tasks may append at once: what waits while the medium is busy goes to it together,
/// in one commit with one sync, in the order of the calls.
public actor JournalWriter {
  fileprivate struct Waiting {
    var drafts: [Draft]
    var guards: [AppendGuard]
    var durability: Durability
    var answer: CheckedContinuation<Result<[AppendOutcome], JournalError>, Never>
  }

  /// The calls that wait for the next commit.
  fileprivate struct Queue {
    var waiting: [Waiting] = []

    /// Whether a commit is on its way that takes all of them.
    var isDraining = false
  }

  private let journal: Journal
  private let queue = Mutex(Queue())

  package init(_ journal: sending Journal) {
    self.journal = journal
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
  public var findings: [Finding] { journal.findings }

  /// The seq of the last entry; 0 if there is none.
  public var last: Seq { journal.committed }

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
    let result = await withCheckedContinuation { answer in
      let call = Waiting(drafts: drafts, guards: guards, durability: durability, answer: answer)
      guard queue.withLock({ $0.add(call) }) else { return }
      // While this task comes to its turn, others have the time to join.
      Task { await drain() }
    }
    return try result.get()
  }

  private func drain() {
    let group = queue.withLock { $0.take() }
    guard !group.isEmpty else { return }
    var staged: [(Waiting, [AppendOutcome])] = []
    var reopenings = journal.reopenings
    for call in group {
      do throws(JournalError) {
        staged.append((call, try journal.stage(call.drafts, resting: call.guards)))
      } catch {
        call.answer.resume(returning: .failure(error))
        // A refusal of the one call leaves the others' entries where they are; a failure does not.
        guard journal.reopenings != reopenings else { continue }
        reopenings = journal.reopenings
        for (other, _) in staged { other.answer.resume(returning: .failure(error)) }
        staged = []
      }
    }
    let isAuthored = staged.contains { $0.0.durability == .authored }
    do throws(JournalError) {
      try journal.commit(isAuthored ? .authored : .lazy)
      for (call, outcomes) in staged { call.answer.resume(returning: .success(outcomes)) }
    } catch {
      for (call, _) in staged { call.answer.resume(returning: .failure(error)) }
    }
  }

  /// Puts everything on the medium and lets the next writer in.
  ///
  /// - Throws: ``JournalError`` with code `storage`.
  public func close() async throws(JournalError) {
    drain()
    try journal.close()
  }
}

extension JournalWriter.Queue {
  /// Lets `call` wait; says whether nobody else is on the way to take it.
  mutating func add(_ call: JournalWriter.Waiting) -> Bool {
    waiting.append(call)
    defer { isDraining = true }
    return !isDraining
  }

  mutating func take() -> [JournalWriter.Waiting] {
    defer { self = JournalWriter.Queue() }
    return waiting
  }
}
