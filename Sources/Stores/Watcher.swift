internal import Synchronization
public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// Looks for something that the server does not know yet, for as long as a screen shows it.
///
/// Screens count in and out as viewers; the looking ends a second after the last has left. *Not
/// found* means *not yet*: it is looked for every 1.5 seconds for the first 90, then every 5.
public actor Watcher {
  /// What a look found.
  public enum Look: Sendable {
    /// It is not there yet.
    case notYet

    /// It is there; more may come while it is running.
    case found(Shelf.Reply, isRunning: Bool)
  }

  /// What asks the server.
  public protocol Source: Sendable {
    /// Looks once.
    func look() async throws -> Look

    /// What the server tells while something runs: each element is the thing as it is then.
    ///
    /// Asked only while something runs, and cancelled when nobody looks any more.
    func events() async throws -> AsyncThrowingStream<Shelf.Reply, any Error>
  }

  /// The first cadence and how long it lasts, the second, and how long a viewer may be away; all in
  /// milliseconds.
  static let (soon, soonFor, later, leave): (Int64, Int64, Int64, Int64) = (
    1500, 90_000, 5000, 1000
  )

  private let shelf: Shelf
  private let path: Path
  private let source: any Source
  private let clock: DeviceClock
  private var viewers = 0
  private var leaves: UInt64 = 0
  private var work: Task<Void, Never>?

  /// How often it has looked.
  public private(set) var lookCount = 0

  /// A watcher of one path, which looks for nothing until a viewer comes.
  public init(_ shelf: Shelf, _ path: Path, _ source: any Source) {
    self.shelf = shelf
    self.path = path
    self.source = source
    clock = shelf.stores.options.clock
  }

  /// Whether it is looking.
  public var isLooking: Bool { work != nil }

  /// A screen that shows it has come.
  public func enter() {
    viewers += 1
    leaves += 1
    guard work == nil else { return }
    work = Task { await run() }
  }

  /// A screen that showed it is gone.
  public func leave() {
    precondition(viewers > 0, "a viewer leaves once")
    viewers -= 1
    guard viewers == 0 else { return }
    leaves += 1
    let left = leaves
    Task { await end(after: left) }
  }

  /// Ends the looking, unless somebody has come meanwhile.
  private func end(after left: UInt64) async {
    let until = clock.now().adding(milliseconds: Watcher.leave)
    // Nobody cancels this; a clock that ends early ends the looking early.
    try? await clock.sleep(until)
    guard viewers == 0, leaves == left else { return }
    work?.cancel()
    work = nil
  }

  private func run() async {
    let began = clock.now()
    while !Task.isCancelled {
      let isDone = await lookOnce()
      guard !isDone, !Task.isCancelled else { break }
      let now = clock.now()
      let isSoon = now.milliseconds(since: began) < Watcher.soonFor
      do throws(CancellationError) {
        try await clock.sleep(now.adding(milliseconds: isSoon ? Watcher.soon : Watcher.later))
      } catch { break }
    }
    if !Task.isCancelled { work = nil }
  }

  /// Looks, and follows what runs; whether there is nothing more to come.
  private func lookOnce() async -> Bool {
    lookCount += 1
    do {
      let ticket = try await shelf.begin(path)
      let look: Look
      do { look = try await source.look() } catch {
        try await shelf.end(ticket, error is CancellationError ? .cancelled : .failed)
        return false
      }
      guard case .found(let reply, let isRunning) = look else {
        try await shelf.end(ticket, .failed, status: 404)
        return false
      }
      try await shelf.land(ticket, reply)
      guard isRunning else { return true }
      for try await reply in try await source.events() { try await shelf.record(reply, at: path) }
      return false
    } catch {
      // What could not be written is shown by the shelf; it is looked for again.
      return false
    }
  }
}

extension Watcher.Source {
  /// Nothing: what is found is all there is, or is looked for again.
  public func events() -> AsyncThrowingStream<Shelf.Reply, any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}

extension Shelf {
  /// Writes what came another way than by a read, such as a stream of events: reads in flight are
  /// late, and it is the copy of its path.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  @discardableResult
  public func record(_ reply: Reply, at path: Path) async throws(StoreError) -> Landing {
    try await submit(.lazy) { (turn, store) throws(StoreError) in
      let body = try turn.keep(reply.content)
      try turn.decide(.bump(store, .pushed), key: turn.freshKey("pushed"))
      let begin = try turn.decide(
        .begin(path, in: store, label: nil),
        key: turn.freshKey("read")
      )[0]
      let told = ShelfRules.Reply(body: body, status: reply.status, revision: reply.revision)
      let seqs = try turn.decide(.reply(to: begin, told), key: turn.freshKey("landing"))
      return try turn.landing(at: seqs[0])
    }
  }
}
