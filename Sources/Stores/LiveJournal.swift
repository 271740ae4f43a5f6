internal import Synchronization
package import TidemarkEntries
package import TidemarkJournalStore
package import TidemarkProjections

/// The one owner of an open journal and of what is folded from it.
///
/// Calls that come while the medium is busy take their turns one after the other and go to it
/// together, in one commit with one sync. Each turn decides on what the turns before it have
/// staged; what is staged is shown to nobody before it is on disk.
package actor LiveJournal {
  fileprivate struct Waiting: Sendable {
    var durability: Durability

    /// Takes the turn; what it returns answers the caller when the commit is through, or has
    /// failed.
    var take: @Sendable (Turn) -> @Sendable (JournalError?) -> Void
  }

  /// The calls that wait for the next commit.
  fileprivate struct Queue {
    var waiting: [Waiting] = []

    /// Whether a commit is on its way that takes all of them.
    var isDraining = false
  }

  /// What readers see: only what is committed.
  package nonisolated let view: LiveView
  private let turn: Turn
  private var saver: ProjectionSaver?
  private let queue = Mutex(Queue())

  /// - Parameters:
  ///   - journal: the open journal.
  ///   - states: what its entries give.
  ///   - file: where the projections are kept; nothing keeps them in memory alone.
  ///   - options: the clock and the chance of the device.
  package init(
    _ journal: sending Journal,
    _ states: States,
    saving file: sending ProjectionSaver?,
    _ options: Stores.Options
  ) {
    view = LiveView(states, at: journal.committed, options.clock)
    turn = Turn(journal, states, options)
    saver = file
  }

  /// Without stores: nothing is folded.
  package init(_ journal: sending Journal) {
    let options = Stores.Options()
    view = LiveView(States(), at: journal.committed, options.clock)
    turn = Turn(journal, nil, options)
  }

  package var findings: [Finding] { turn.journal.findings }
  package var last: Seq { turn.journal.committed }
  package var isReadOnly: Bool { turn.journal.isReadOnly }

  /// Whether all that is committed is on the medium.
  package var isSynced: Bool { turn.journal.isSynced }

  package var identity: Identity { turn.journal.identity }

  /// Runs `work` at its turn, and returns what it gives when all that it staged is committed.
  ///
  /// Nothing of another call is staged while `work` runs. It runs once.
  @discardableResult
  package nonisolated(nonsending) func submit<Answer: Sendable, Failure: Error>(
    _ durability: Durability,
    mapping: @escaping @Sendable (JournalError) -> Failure,
    _ work: @escaping @Sendable (Turn) throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let result: Result<Answer, Failure> = await withCheckedContinuation { continuation in
      let call = Waiting(durability: durability) { turn in
        let result = Result { () throws(Failure) in try work(turn) }
        return { failure in
          continuation.resume(returning: failure.map { .failure(mapping($0)) } ?? result)
        }
      }
      guard queue.withLock({ $0.add(call) }) else { return }
      // While this task comes to its turn, others have the time to join.
      Task { await drain() }
    }
    return try result.get()
  }

  private func drain() {
    let group = queue.withLock { $0.take() }
    guard !group.isEmpty else { return }
    turn.journal.settle()
    turn.catchUp(behind: view.position)
    var answers: [@Sendable (JournalError?) -> Void] = []
    for call in group {
      let answer = call.take(turn)
      if let failure = turn.takeFailure() {
        // What was staged before is gone with it; a refusal of the one call leaves it where it is.
        for other in answers { other(failure) }
        answers = []
        turn.forget(view.states)
      }
      answers.append(answer)
    }
    let isAuthored =
      StoreRule.durableAuthored.isOn && group.contains { $0.durability == .authored }
    var failure: JournalError?
    do throws(JournalError) { try turn.commit(isAuthored ? .authored : .lazy) } catch {
      failure = error
      if !StoreRule.diskBeforeScreen.isOn {
        publish()
        failure = nil
      }
      turn.forget(view.states)
      // What the disk has of it all the same is shown, although its callers are told of a failure.
      turn.journal.settle()
      turn.catchUp(behind: view.position)
    }
    publish()
    for answer in answers { answer(failure) }
  }

  /// Shows what was committed, and keeps it in the projections file from time to time.
  private func publish() {
    let (entries, changed) = turn.takeStaged()
    guard !entries.isEmpty else { return }
    view.publish(entries, changed)
    saver?.note(changed)
    guard saver?.isDue == true else { return }
    // A projections file that cannot be written costs a replay on opening; see ``LiveView``.
    do throws(JournalError) { try save() } catch { view.note(error) }
  }

  /// Writes all that is committed to a new file; as it is while everything goes on.
  package func copy(to path: String) throws(JournalError) { try turn.copy(to: path) }

  /// Brings the write-ahead log into the file.
  package func checkpoint() throws(JournalError) { try turn.journal.checkpoint() }

  /// Writes the projections as they are now.
  ///
  /// - Throws: ``JournalError`` with code `storage`; the journal has all of it anyway.
  package func save() throws(JournalError) {
    try saver?.save(turn.states, turn.journal)
  }

  /// Puts everything on the medium and lets the next writer in.
  ///
  /// - Throws: ``JournalError`` with code `storage`.
  package func close() throws(JournalError) {
    drain()
    view.finish()
    // What the file lacks is replayed on opening: it is no reason not to close.
    do throws(JournalError) { try save() } catch { view.note(error) }
    saver = nil
    try turn.journal.close()
  }
}

extension LiveJournal.Queue {
  /// Lets `call` wait; says whether nobody else is on the way to take it.
  fileprivate mutating func add(_ call: LiveJournal.Waiting) -> Bool {
    waiting.append(call)
    defer { isDraining = true }
    return !isDraining
  }

  fileprivate mutating func take() -> [LiveJournal.Waiting] {
    defer { self = LiveJournal.Queue() }
    return waiting
  }
}

/// What a call has while it is its turn: the journal, and the states that its decision rests on.
///
/// Used by the actor that owns it, one call at a time.
package final class Turn {
  package let journal: Journal

  /// With all that is staged.
  package private(set) var states: States
  private let folds: Bool
  package let options: Stores.Options
  private var staged: [Entry] = []
  private var changed = ChangedRows()
  private var reopenings: Int
  private var failure: JournalError?
  private var chance: any RandomNumberGenerator & Sendable

  fileprivate init(_ journal: Journal, _ states: States?, _ options: Stores.Options) {
    self.journal = journal
    self.states = states ?? States()
    folds = states != nil
    self.options = options
    reopenings = journal.reopenings
    chance = options.chance
  }

  /// What the device's clock says.
  package var now: DeviceTime { options.clock.now() }

  /// A key that no entry has: 16 bytes of chance behind a word.
  package func freshKey(_ word: String) -> IdempotencyKey {
    let draws = (chance.next(), chance.next())
    return IdempotencyKey(
      unchecked: Array("\(word)/".utf8) + withUnsafeBytes(of: draws) { Array(Hex.encode($0).utf8) }
    )
  }

  fileprivate func copy(to path: String) throws(JournalError) {
    try journal.copy(to: path, chance: &chance)
  }

  /// A number from 0 to 1.
  package func fraction() -> Double { Double.random(in: 0...1, using: &chance) }

  /// Keeps content for an entry of this turn.
  package func body(_ content: [UInt8], isWhole: Bool = true) throws(JournalError) -> BodyReference
  {
    try noting { () throws(JournalError) in
      try journal.body(content, isWhole: isWhole, chance: &chance)
    }
  }

  /// Stages `drafts` and takes them into the states.
  package func append(
    _ drafts: [Draft],
    resting guards: [AppendGuard] = []
  ) throws(JournalError) -> [AppendOutcome] {
    try noting { () throws(JournalError) in
      let before = journal.last
      let outcomes = try journal.stage(drafts, resting: guards)
      var seq = before.next
      while folds, seq <= journal.last {
        guard let entry = try journal.entry(at: seq) else { break }
        take(entry)
        seq = seq.next
      }
      return outcomes
    }
  }

  private func take(_ entry: Entry) {
    // What this build has drafted it can fold: a kind of its own is never malformed.
    changed.note(entry, before: states)
    let failures = states.evolve(by: entry)
    assert(failures.isEmpty, "an entry of this build does not fold: \(failures)")
    staged.append(entry)
  }

  private func noting<Result>(
    _ work: () throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    do throws(JournalError) { return try work() } catch {
      if journal.reopenings != reopenings { failure = error }
      throw error
    }
  }

  fileprivate func commit(_ durability: Durability) throws(JournalError) {
    let isEmpty = journal.last == journal.committed
    if !isEmpty, !isLetThrough { try fail(.beforeCommit) }
    try journal.commit(durability)
    if !isEmpty { try fail(.afterCommit) }
  }

  /// Whether a full disk takes what is staged.
  private var isLetThrough: Bool {
    #if DEBUG
      // Without the rule an item retires like a file that is deleted, apart from its copies.
      !StoreRule.outboxCopyBeforeRetire.isOn && staged.contains { $0.kind == OutboxRetired.number }
    #else
      false
    #endif
  }

  private func fail(_ point: Stores.Options.FaultPoint) throws(JournalError) {
    guard let fault = options.faults(point) else { return }
    journal.dropStaged()
    throw fault
  }

  /// Takes in what is in the journal and not in the states: a commit that failed may have reached
  /// the disk all the same.
  fileprivate func catchUp(behind position: Seq) {
    guard folds, journal.committed > position else { return }
    var seq = position.next
    while seq <= journal.committed, let entry = try? journal.entry(at: seq) {
      take(entry)
      seq = seq.next
    }
  }

  /// The failure that dropped what was staged, if there was one.
  fileprivate func takeFailure() -> JournalError? {
    defer { failure = nil }
    return failure
  }

  fileprivate func takeStaged() -> (entries: [Entry], changed: ChangedRows) {
    defer { (staged, changed) = ([], ChangedRows()) }
    return (staged, changed)
  }

  /// Nothing of what was staged is in the journal: the states are those that readers see.
  fileprivate func forget(_ committed: States) {
    (staged, changed) = ([], ChangedRows())
    states = committed
    reopenings = journal.reopenings
  }
}
