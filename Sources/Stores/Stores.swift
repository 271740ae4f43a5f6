internal import Synchronization
public import TidemarkEntries
public import TidemarkJournalStore
internal import TidemarkProjections

/// All that an app keeps on a device: one journal, and the stores that are folded from it.
///
/// Open it once, at launch, and hold it for as long as the app runs. Everything may be called from
/// any task. What is read (copies, items, pins) is read at once, without waiting for a disk that is
/// being written; what is written is on disk when its call returns.
public final class Stores: Sendable {
  /// What an app can say about how its stores work.
  public struct Options: Sendable {
    /// What tells the time.
    public var clock: DeviceClock = .system

    /// Where keys, salts and waits come from.
    public var chance: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// What the journal says of who wrote it, such as `Notes 3.1`.
    public var software: String?

    /// Where the projections are kept; nothing: beside the journal.
    ///
    /// They are made anew if they are lost, so a folder that the system clears will do.
    public var projections: String?

    /// How attempts of the outbox follow each other.
    public var retries = RetryPolicy()

    /// Where a test can make the device fail.
    package enum FaultPoint: Sendable {
      /// Nothing of the commit is on disk.
      case beforeCommit

      /// All of it is, and nobody is told.
      case afterCommit
    }

    /// Asked around each commit, so that a test can fill the disk.
    package var faults: @Sendable (FaultPoint) -> JournalError? = { _ in nil }

    /// The clock and the chance of the device, and waits up to a minute.
    public init() {}
  }

  /// Something that the app should know, although the stores are open.
  public enum Notice: Sendable, Hashable {
    /// What is wrong with the journal; unless it is a note, nothing is appended.
    case journal(Finding)

    /// A projection was not there, or not usable, and was made anew from the journal.
    case rebuilt(projection: String, because: String)

    /// So many entries of the outbox were under way when the process ended, and are in doubt.
    case inDoubt(Int)

    /// The journal came from a backup, or from another device: it goes on under a new writer id, in
    /// this term, and what was under way is in doubt.
    case restored(term: UInt64)
  }

  package let live: LiveJournal
  let bodies: BodyStore
  package let options: Options

  /// The last entry on opening: what was sent before was sent by another process.
  let opened: Seq

  /// Passes of the pins that are over, although that could not be written down yet.
  let endedPasses = Mutex<Set<Seq>>([])

  /// Replies to items of the outbox that were read and could not be written down yet.
  let unwritten = Mutex<[IdempotencyKey: OutboxReply]>([:])

  /// What was found on opening.
  public let notices: [Notice]

  init(
    _ live: LiveJournal,
    _ bodies: BodyStore,
    _ options: Options,
    _ notices: [Notice],
    opened: Seq
  ) {
    self.live = live
    self.opened = opened
    self.bodies = bodies
    self.options = options
    self.notices = notices
  }

  /// What is known to be wrong with the journal: it was found on opening, or since.
  public var findings: [Finding] {
    get async { await live.findings }
  }

  /// Whether appends are refused, because the journal is damaged: it is kept as it is.
  public var isReadOnly: Bool {
    get async { await live.isReadOnly }
  }

  /// Opens the copies of a server and account: a new incarnation of its store.
  ///
  /// What was in flight for the same scope, in this process or an earlier one, can only be refused
  /// from here on. The copies are those of the last time.
  ///
  /// - Throws: ``StoreError/journal(_:)``.
  public func open(_ scope: Scope) async throws(StoreError) -> Shelf {
    let software = options.software
    let store = try await submit(.authored) { (turn) throws(StoreError) in
      try turn.decide(.open(scope, software: software), key: turn.freshKey("open"))[0]
    }
    return Shelf(self, scope, store)
  }

  /// Writes all that is committed to a new file, while everything goes on.
  ///
  /// For an export, or a backup of the app's own. Opened in another place it is taken as restored.
  ///
  /// - Throws: ``StoreError/journal(_:)`` with code `storage`.
  public func copy(to path: String) async throws(StoreError) {
    do throws(JournalError) { try await live.copy(to: path) } catch { throw .journal(error) }
  }

  /// Writes down where every projection stands, by the digest of its state.
  ///
  /// A replay that comes to another digest at this entry shows where two builds, or two histories,
  /// part. An app may do it now and then, such as when it goes to the background.
  ///
  /// - Returns: the entry that says so.
  /// - Throws: ``StoreError/journal(_:)``.
  /// - Complexity: O(*n* log *n*) in what the stores hold.
  @discardableResult
  public func checkpoint() async throws(StoreError) -> Seq {
    try await submit(.lazy) { (turn) throws(StoreError) in
      let states = ProjectionCatalogue.parts.map { part in
        ProjectionState(
          name: part.name,
          version: UInt64(part.version),
          digest: part.digest(turn.states)
        )
      }
      return try turn.add([
        Draft(
          Checkpointed(states: states),
          key: turn.freshKey("checkpoint"),
          store: .journal,
          time: turn.now
        )
      ])[0]
    }
  }

  /// Writes the projections now, rather than when there is much to write.
  ///
  /// - Throws: ``StoreError/journal(_:)`` with code `storage`; the journal has it all anyway.
  public func save() async throws(StoreError) {
    do throws(JournalError) { try await live.save() } catch { throw .journal(error) }
  }

  /// Puts everything on the medium and lets the next writer in; sequences of changes end.
  ///
  /// - Throws: ``StoreError/journal(_:)`` with code `storage`.
  public func close() async throws(StoreError) {
    do throws(JournalError) { try await live.close() } catch { throw .journal(error) }
  }

  @discardableResult
  func submit<Answer: Sendable>(
    _ durability: Durability,
    _ work: @escaping @Sendable (Turn) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await live.submit(durability, mapping: { StoreError.journal($0) }, work)
  }
}
