public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// What an app copies from its server, declared once: units, and what hangs on each.
///
/// A paged list, a detail for each row, bytes that never change for each detail, a graph that is
/// followed through its links: each is a unit whose content names the next ones. A path is walked
/// once in a pass, so a graph ends when nothing is new.
public struct SyncPlan: Sendable {
  /// One thing to copy.
  public struct Unit: Sendable {
    /// How it is copied.
    public enum Form: Sendable, Hashable {
      /// One reply is the copy.
      case document

      /// Pages of so many rows are one copy.
      case list(pageSize: Int, idName: String)

      /// Bytes that never change: if there is a copy, the server is not asked.
      case bytes(mediaType: String?)
    }

    /// Where it is, and where its copy stands.
    public var path: Path

    /// How it is copied.
    public var form: Form

    /// What hangs on it, of its content; nothing hangs on what cannot be read.
    public var next: @Sendable (_ content: [UInt8]) throws -> [Unit]

    public init(
      _ path: Path,
      _ form: Form = .document,
      next: @escaping @Sendable (_ content: [UInt8]) throws -> [Unit] = { _ in [] }
    ) {
      self.path = path
      self.form = form
      self.next = next
    }
  }

  /// Where a pass begins.
  public var roots: [Unit]

  /// How many units a pass walks at most: a server whose links never end does not keep it busy.
  public var unitsMax = 100_000

  public init(_ roots: [Unit]) {
    self.roots = roots
  }
}

/// What reads from the server.
///
/// It can do nothing else: a pass never asks a server to make something.
public protocol ReadTransport: Sendable {
  /// GETs a path, or the page of a list with an index, counted from 0.
  ///
  /// - Throws: if no whole answer with a success status was read.
  func get(_ path: Path, page: Int?) async throws -> Shelf.Reply
}

/// Brings the device up to date: first what the user did goes out, then what the server has comes
/// in.
public struct SyncPass: Sendable {
  /// The store that it fills.
  public let shelf: Shelf

  /// What it copies.
  public let plan: SyncPlan

  public init(_ shelf: Shelf, _ plan: SyncPlan) {
    self.shelf = shelf
    self.plan = plan
  }

  /// Why a unit brought no copy.
  public enum Obstacle: Sendable {
    /// The transport threw, or what hangs on the content could not be told of it.
    case error(any Error)

    /// What came was refused: it was late, or no list.
    case refused(ReadRefused.Reason)

    /// It came, and was gone again: somebody cleared the copies meanwhile.
    case gone
  }

  /// What came of a pass.
  public struct Result: Sendable {
    /// The `sync-began` entry.
    public var began: Seq

    /// Whether all of the plan was copied.
    public var outcome: SyncEnded.Outcome

    /// How many copies it brought.
    public var landed = 0

    /// What could not be copied, and why; what hangs on it was not walked.
    public var failed: [(path: Path, obstacle: Obstacle)] = []
  }

  /// One pass.
  ///
  /// Each unit that lands is kept, whatever becomes of the others.
  ///
  /// - Throws: ``StoreError``, or what draining the outbox throws; cancellation ends
  ///   the pass between two units, and is its result.
  public func run(
    sending outbox: some OutboxTransport,
    reading transport: some ReadTransport,
    because reason: SyncBegan.Reason = .requested
  ) async throws -> Result {
    try await shelf.outbox.drain(outbox)
    return try await copy(transport, because: reason)
  }

  /// A pass every so many seconds, until the task is cancelled.
  ///
  /// - Throws: `CancellationError`, or ``StoreError``.
  public func keepRunning(
    every seconds: Int64 = 60,
    sending outbox: some OutboxTransport,
    reading transport: some ReadTransport
  ) async throws {
    let clock = shelf.stores.options.clock
    while true {
      _ = try await run(sending: outbox, reading: transport, because: .timer)
      let (wait, overflow) = seconds.multipliedReportingOverflow(by: 1000)
      try await clock.sleep(clock.now().adding(milliseconds: overflow ? .max : wait))
    }
  }

  /// The half that copies: nothing but reads.
  ///
  /// - Throws: ``StoreError``: nothing more is copied then. What the transport throws is in the
  ///   result.
  public func copy(
    _ transport: some ReadTransport,
    because reason: SyncBegan.Reason = .requested
  ) async throws -> Result {
    let began = try await append(SyncBegan(reason: reason))
    var result = Result(began: began, outcome: .whole)
    var waiting = Array(plan.roots.reversed())
    var walked: Set<Path> = []
    while let unit = waiting.popLast() {
      guard walked.count < plan.unitsMax, !Task.isCancelled else {
        result.outcome = Task.isCancelled ? .cancelled : .part
        break
      }
      guard walked.insert(unit.path).inserted else { continue }
      do {
        let content = try await content(of: unit, transport, began, &result)
        waiting += try unit.next(content).reversed()
      } catch let error as StoreError {
        throw error
      } catch {
        result.failed.append((unit.path, (error as? NotLanded)?.obstacle ?? .error(error)))
        result.outcome = .part
      }
    }
    let ended = SyncEnded(
      began: began,
      outcome: result.outcome,
      landed: UInt64(result.landed),
      failed: UInt64(result.failed.count)
    )
    try await append(ended, after: began)
    return result
  }

  /// That what came of a unit is no copy.
  private struct NotLanded: Error {
    let obstacle: Obstacle
  }

  /// The content of a unit once its copy stands.
  private func content(
    of unit: SyncPlan.Unit,
    _ transport: some ReadTransport,
    _ began: Seq,
    _ result: inout Result
  ) async throws -> [UInt8] {
    let landing: Shelf.Landing
    switch unit.form {
    case .bytes(let mediaType):
      if let copy = shelf.copy(of: unit.path), let content = try shelf.content(of: copy) {
        return content
      }
      let reply = try await transport.get(unit.path, page: nil)
      try await shelf.keep(reply.content, at: unit.path, mediaType: mediaType)
      result.landed += 1
      return reply.content
    case .document:
      landing = try await shelf.read(unit.path, because: began) {
        try await transport.get(unit.path, page: nil)
      }
    case .list(let pageSize, let idName):
      landing = try await shelf.readList(
        unit.path,
        pageSize: pageSize,
        idName: idName,
        because: began
      ) { try await transport.get(unit.path, page: $0) }
    }
    if case .refused(let reason, _) = landing { throw NotLanded(obstacle: .refused(reason)) }
    guard let copy = shelf.copy(of: unit.path), let content = try shelf.content(of: copy) else {
      throw NotLanded(obstacle: .gone)
    }
    result.landed += 1
    return content
  }

  @discardableResult
  private func append(
    _ kind: some EntryKind,
    after began: Seq? = nil
  ) async throws(StoreError) -> Seq {
    try await shelf.submit(.lazy) { (turn, store) throws(StoreError) in
      try turn.add([
        Draft(
          kind,
          key: turn.freshKey("sync"),
          store: .opened(store),
          time: turn.now,
          cause: began.map { .entry($0) }
        )
      ])[0]
    }
  }
}

extension SyncPass.Obstacle: CustomStringConvertible {
  public var description: String {
    switch self {
    case .error(let error): "\(error)"
    case .refused(let reason): "what came was refused: \(reason.rawValue)"
    case .gone: "it came and was cleared meanwhile"
    }
  }
}
