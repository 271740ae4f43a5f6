internal import Synchronization
public import TidemarkEntries
internal import TidemarkProjections

/// A request that an item of the outbox is sent by.
public struct OutboxRequest: Sendable {
  /// The item; its key is to travel with the request.
  public let item: OutboxItem

  /// The content, if there is one.
  public let content: [UInt8]?

  /// The files with their contents.
  public let files: [Outbox.File]
}

/// What came of an attempt.
public enum OutboxReply: Sendable {
  /// An answer was read, whole.
  case answer(status: UInt64, content: [UInt8], retryAfter: Int64? = nil, isDuplicate: Bool = false)

  /// None was: nobody knows whether the server has it.
  case lost(OutboxInDoubt.Reason)
}

/// What carries the outbox of an app to its server.
public protocol OutboxTransport: Sendable {
  /// Makes one attempt, which carries the key of the item.
  func send(_ request: OutboxRequest) async -> OutboxReply

  /// What is to stand on the shelf once the server has an item: its record and every file, under
  /// the item's own path and under the names that the server gave.
  ///
  /// - Throws: anything, if the answer cannot be understood: the item stays, to be finished later.
  func copies(
    of item: OutboxItem,
    status: UInt64,
    content: [UInt8]
  ) throws -> [(path: Path, reply: Shelf.Reply)]
}

extension Outbox {
  /// What came of a pass.
  public struct Drained: Sendable, Hashable {
    /// Retired: the server has them, and their copies stand.
    public var retired: [IdempotencyKey] = []

    /// Sent and not settled, or not to be sent now.
    public var kept: [IdempotencyKey] = []

    /// Kept because a content of theirs cannot be read: a person must look at them.
    public var unreadable: [IdempotencyKey] = []
  }

  /// Sends what may go now, each at most once, lane by lane in the order of authoring.
  ///
  /// - Throws: ``StoreError/journal(_:)``: nothing more is sent then. `CancellationError` between
  ///   two items, if the task is cancelled.
  @discardableResult
  public func drain(_ transport: some OutboxTransport) async throws -> Drained {
    var drained = Drained()
    var tried: Set<IdempotencyKey> = []
    try await finishUnwritten(transport)
    while let item = try await next(besides: tried) {
      try Task.checkCancellation()
      tried.insert(item.key)
      switch try await attempt(item, transport) {
      case .retired: drained.retired.append(item.key)
      case .kept: drained.kept.append(item.key)
      case .unreadable: drained.unreadable.append(item.key)
      }
    }
    return drained
  }

  /// Writes down what was answered before and could not be written down then.
  private func finishUnwritten(_ transport: some OutboxTransport) async throws {
    for item in items where item.standing == .inFlight {
      let reply = shelf.stores.unwritten.withLock { $0.removeValue(forKey: item.key) }
      if let reply { _ = try await settle(item, reply, transport) }
    }
  }

  /// Sends when something may go, and sleeps until then, until the task is cancelled.
  ///
  /// - Throws: `CancellationError`, or what ``drain(_:)`` throws.
  public func run(_ transport: some OutboxTransport) async throws {
    let (clock, view) = (shelf.stores.options.clock, shelf.stores.live.view)
    var unfinished: UInt64 = 0
    while true {
      // Watched from before the pass: what comes while it ends is not overlooked.
      let (watch, wakes) = view.watch(OutboxRules.name, nil)
      defer { view.unwatch(watch) }
      try await drain(transport)
      unfinished = items.contains { $0.standing == .answered } ? unfinished + 1 : 0
      let next = nextTime(unfinished)
      try await withThrowingTaskGroup(of: Void.self) { group in
        // What comes meanwhile, or the time of what waits: whichever is first.
        group.addTask { for await _ in wakes where hasSomethingDue { return } }
        if let next { group.addTask { try await clock.sleep(next) } }
        try await group.next()
        group.cancelAll()
      }
      try Task.checkCancellation()
    }
  }

  private var hasSomethingDue: Bool {
    let now = shelf.stores.options.clock.now()
    return items.contains { item in
      item.standing == .pending && (item.retryAt.map { $0.milliseconds(since: now) <= 0 } ?? true)
    }
  }

  /// When the next pass is due, behind so many that could not finish what is answered.
  private func nextTime(_ unfinished: UInt64) -> DeviceTime? {
    guard unfinished > 0 else { return nextTime }
    let wait = shelf.stores.options.retries.wait(after: unfinished) { 1 }
    let again = shelf.stores.options.clock.now().adding(milliseconds: wait)
    return nextTime.map { $0.milliseconds(since: again) < 0 ? $0 : again } ?? again
  }

  private enum Attempt {
    case retired, kept, unreadable
  }

  private func attempt(
    _ item: OutboxItem,
    _ transport: some OutboxTransport
  ) async throws -> Attempt {
    if item.standing == .answered {
      return try await finish(item, transport) ? .retired : .kept
    }
    // What cannot be read holds back its own lane only.
    guard let request = try? request(for: item) else { return .unreadable }
    do throws(StoreError) { try await send(item.key) } catch {
      // Somebody else settled it, or sends it, since it was looked at.
      if case .journal = error { throw error }
      return .kept
    }
    return try await settle(item, await transport.send(request), transport) ? .retired : .kept
  }

  private func request(for item: OutboxItem) throws(StoreError) -> OutboxRequest {
    func whole(_ body: BodyReference) throws(StoreError) -> [UInt8] {
      guard let content = try content(of: body) else { throw .unknown("a content is gone") }
      return content
    }
    return OutboxRequest(
      item: item,
      content: try item.body.map { (body) throws(StoreError) in try whole(body) },
      files: try item.files.map { (file) throws(StoreError) in
        File(file.name, mediaType: file.mediaType, try whole(file.body))
      }
    )
  }

  /// Writes down what came of an attempt; whether the item is done.
  ///
  /// A reply that was read and cannot be written down is kept, for the next pass: it says nothing
  /// of the change that it could not be written.
  private func settle(
    _ item: OutboxItem,
    _ reply: OutboxReply,
    _ transport: some OutboxTransport
  ) async throws -> Bool {
    do throws(StoreError) { return try await write(item, reply, transport) } catch {
      if case .journal = error {
        shelf.stores.unwritten.withLock { $0[item.key] = reply }
      }
      throw error
    }
  }

  private func write(
    _ item: OutboxItem,
    _ reply: OutboxReply,
    _ transport: some OutboxTransport
  ) async throws(StoreError) -> Bool {
    switch reply {
    case .lost(let reason):
      try await lose(item.key, reason)
      return false
    case .answer(let status, let content, let retryAfter, let isDuplicate):
      guard (200..<300).contains(status) || isDuplicate else {
        try await refuse(item.key, status: status, content: content, retryAfter: retryAfter)
        return false
      }
      guard
        let copies = try? transport.copies(of: item, status: status, content: content)
      else {
        try await acceptUnfinished(item.key, status: status, content: content)
        return false
      }
      try await accept(
        item.key,
        status: status,
        content: content,
        isDuplicate: isDuplicate,
        copies: copies
      )
      return self.item(item.key) == nil
    }
  }

  private func finish(
    _ item: OutboxItem,
    _ transport: some OutboxTransport
  ) async throws -> Bool {
    let content = try item.answer.flatMap { try self.content(of: $0) } ?? []
    guard let copies = try? transport.copies(of: item, status: item.status, content: content)
    else { return false }
    try await finish(item.key, copies: copies)
    return true
  }
}
