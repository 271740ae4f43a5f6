public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// What users did and no server has confirmed, for one scope.
///
/// Nothing leaves it but by the server's answer, with all copies of it on the shelf, or by a
/// person. Clearing copies, signing out and damage to the projections do not touch it.
public struct Outbox: Sendable {
  /// The store in whose name it sends.
  public let shelf: Shelf

  init(_ shelf: Shelf) {
    self.shelf = shelf
  }

  /// Something that a user does.
  public struct Work: Sendable {
    /// The method of the request, such as `POST`.
    public var method: String

    /// Where its own copy will stand, before the server has a name for it.
    public var path: Path

    /// What it keeps its order with, such as the id of a note; nothing: it keeps none.
    public var lane: String?

    /// The content of the request.
    public var content: [UInt8]?

    /// Files that go along.
    public var files: [File]

    /// What its answer makes late; nothing declared means every read in flight.
    public var touches: [Touch]?

    /// A word for people.
    public var label: String?

    /// An address of something elsewhere; only the reference travels.
    public var link: String?

    /// For how long it is worth sending, in milliseconds: told to people, and nothing goes by it.
    public var ttl: UInt64?

    public init(
      _ method: String,
      _ path: Path,
      lane: String? = nil,
      content: [UInt8]? = nil,
      files: [File] = [],
      touches: [Touch]? = nil,
      label: String? = nil,
      link: String? = nil,
      ttl: UInt64? = nil
    ) {
      self.method = method
      self.path = path
      self.lane = lane
      self.content = content
      self.files = files
      self.touches = touches
      self.label = label
      self.link = link
      self.ttl = ttl
    }

    /// Whether this may stand for a method in a request line (RFC 9110, section 5.6.2).
    package static func isMethod(_ text: String) -> Bool {
      (1...methodBytesMax).contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
            || (0x61...0x7a).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static let methodBytesMax = 64

    /// What is said of a method that is none.
    static let noMethod = "a method is a word such as POST, without spaces and control characters"
  }

  /// A file as it is handed over: the outbox keeps a copy of its own.
  public struct File: Sendable {
    /// The name that it has for people and in the request.
    public var name: String

    /// Such as `image/jpeg`.
    public var mediaType: String?

    /// Its bytes; the outbox keeps a copy of its own.
    public var content: [UInt8]

    public init(_ name: String, mediaType: String? = nil, _ content: [UInt8]) {
      self.name = name
      self.mediaType = mediaType
      self.content = content
    }
  }

  // MARK: Looking

  /// What waits, in the order of authoring.
  ///
  /// - Complexity: O(*n* log *n*) in what waits.
  public var items: [OutboxItem] {
    let scope = shelf.scope
    return shelf.stores.live.view.read { states in
      states.outbox.queue.filter { $0.item.scope == scope }.map { OutboxItem($0.seq, $0.item) }
    }
  }

  /// What waits under a key; nothing if it is settled, or was never there.
  public func item(_ key: IdempotencyKey) -> OutboxItem? {
    shelf.stores.live.view.read { states in
      guard let seq = states.outbox.keys[key], let item = states.outbox.items[seq] else {
        return nil
      }
      return OutboxItem(seq, item)
    }
  }

  /// What waits, each time that it may have changed, from here on.
  public var changes: Changes<[OutboxItem]> {
    Changes(shelf.stores.live.view, OutboxRules.name, nil) { _ in items }
  }

  /// The next time at which something may go that may not go now; nothing if nothing waits for one.
  public var nextTime: DeviceTime? {
    let scope = shelf.scope
    let now = shelf.stores.options.clock.now()
    return shelf.stores.live.view.read { $0.outbox.nextTime(in: scope, after: now) }
  }

  /// The content of a request, or of a file.
  ///
  /// - Throws: ``StoreError/journal(_:)`` with code `damaged` or `storage`.
  public func content(of body: BodyReference) throws(StoreError) -> [UInt8]? {
    do throws(JournalError) { return try shelf.stores.bodies.content(of: body) } catch {
      throw .journal(error)
    }
  }

  // MARK: Authoring

  /// Keeps what a user did: when this returns, it and its files are on the medium.
  ///
  /// The same work again under the same key adds nothing.
  ///
  /// - Parameters:
  ///   - work: what to do.
  ///   - key: names it for good, here and for the server; nothing: a new one.
  ///   - time: when the user did it; nothing: now.
  /// - Returns: the key.
  /// - Throws: ``StoreError/keyReused(_:prior:)`` if the key stands for other work,
  ///   ``StoreError/over(_:)``, or ``StoreError/journal(_:)``: tell the user that it is not saved.
  @discardableResult
  public func enqueue(
    _ work: Work,
    key: IdempotencyKey? = nil,
    at time: DeviceTime? = nil
  ) async throws(StoreError) -> IdempotencyKey {
    try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      let key = key ?? turn.freshKey("work")
      try turn.enqueue(work, key: key, at: time ?? turn.now, in: store)
      return key
    }
  }

  // MARK: Sending

  /// What may go now, in the order of authoring: of each lane the first, if its time has come.
  ///
  /// What is `answered` is to be finished with ``finish(_:copies:)``, not sent. What has been in
  /// doubt for longer than the server keeps keys is handed to a person first.
  ///
  /// - Throws: ``StoreError/journal(_:)``.
  public func ready(
    keyRetention: Int64? = nil
  ) async throws(StoreError) -> [OutboxItem] {
    let (scope, retention) = (
      shelf.scope, keyRetention ?? shelf.stores.options.retries.keyRetention
    )
    let opened = shelf.stores.opened
    return try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      try turn.endAttempts(through: opened)
      if let retention { try turn.parkOldDoubts(of: scope, after: retention) }
      return turn.states.outbox.ready(in: scope, at: turn.now).compactMap { seq in
        turn.states.outbox.items[seq].map { OutboxItem(seq, $0) }
      }
    }
  }

  /// Writes down that an attempt is about to be made; only then may its bytes leave.
  ///
  /// - Throws: ``StoreError`` if it is not its turn, or not its server; ``StoreError/journal(_:)``.
  @discardableResult
  public func send(_ key: IdempotencyKey) async throws(StoreError) -> OutboxItem {
    try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      let seq = try turn.waiting(key)
      let sent = try turn.decide(.send(seq, in: store), key: turn.freshKey("send"))[0]
      guard let item = turn.states.outbox.items[seq] else { throw .unknown("\(key) is settled") }
      return OutboxItem(seq, item, requestKey: try turn.requestKey(of: sent))
    }
  }

  /// The server has it, and this is what it says: the answer is written down, its copies stand on
  /// the shelf, and only then the item retires.
  ///
  /// If a copy cannot be written the item stays, `answered`, to be finished later; so it does if
  /// the store is over, for an answer counts in whatever store it comes.
  ///
  /// - Parameters:
  ///   - key: the item.
  ///   - status: the status of the answer.
  ///   - content: the answer as it came, if it is to be kept.
  ///   - isDuplicate: whether the server says that it had it already.
  ///   - copies: what is to stand on the shelf: under the item's own path, and under the names that
  ///     the server gave.
  /// - Returns: what of the copies was written.
  /// - Throws: ``StoreError/unknown(_:)`` if no attempt is under way; ``StoreError/journal(_:)``.
  @discardableResult
  public func accept(
    _ key: IdempotencyKey,
    status: UInt64 = 200,
    content: [UInt8]? = nil,
    isDuplicate: Bool = false,
    copies: [(path: Path, reply: Shelf.Reply)]
  ) async throws(StoreError) -> Shelf.Answered {
    if isDuplicate, !StoreRule.outboxDuplicateIsAck.isOn {
      try await refuse(key, status: 422, content: content)
      return Shelf.Answered(written: [], suspect: [])
    }
    if !StoreRule.outboxCopyBeforeRetire.isOn { try await retireAtOnce(key, status) }
    let store = shelf.store
    return try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      let seq = try turn.waiting(key)
      let body = try content.map { (content) throws(StoreError) in try turn.keep(content) }
      let answer = OutboxRules.Answer(
        status: status,
        verdict: isDuplicate ? .duplicate : .accepted,
        body: body
      )
      try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))
      guard turn.states.shelf.present(store).map({ $0.retired == nil }) ?? false else {
        return Shelf.Answered(written: [], suspect: [])
      }
      return try turn.finish(seq, copies, in: store)
    }
  }

  /// Retires an item on its answer, before any copy stands.
  private func retireAtOnce(_ key: IdempotencyKey, _ status: UInt64) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      let answer = OutboxRules.Answer(status: status, verdict: .accepted)
      let read = try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))[0]
      var drafts = try turn.drafts(for: .retire(seq, behind: 1), key: turn.freshKey("retirement"))
      drafts[0].cause = .entry(read)
      try turn.add(drafts)
    }
  }

  /// The server has it, but what it says cannot be copied now: it is to be finished later.
  ///
  /// - Throws: as ``accept(_:status:content:isDuplicate:copies:)``.
  public func acceptUnfinished(
    _ key: IdempotencyKey,
    status: UInt64 = 200,
    content: [UInt8]? = nil
  ) async throws(StoreError) {
    guard StoreRule.outboxLocalFailure.isOn else { return try await refuse(key, status: 422) }
    try await end(key) { (turn, seq) throws(StoreError) in
      let body = try content.map { (content) throws(StoreError) in try turn.keep(content) }
      let answer = OutboxRules.Answer(status: status, verdict: .accepted, body: body)
      try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))
    }
  }

  /// Copies what was answered before, and retires the item.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if it was not answered; ``StoreError/journal(_:)``.
  @discardableResult
  public func finish(
    _ key: IdempotencyKey,
    copies: [(path: Path, reply: Shelf.Reply)]
  ) async throws(StoreError) -> Shelf.Answered {
    try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
      try turn.finish(try turn.waiting(key), copies, in: store)
    }
  }

  /// The server read it and says no.
  ///
  /// - Parameters:
  ///   - key: the item.
  ///   - status: decides: 401 and 403 hold it until somebody signs in; 408, 425, 429 and 5xx let it
  ///     wait, and 409 does if an attempt that was lost may still be at work on the server; any
  ///     other hands it to a person.
  ///   - content: the answer as it came, if it is to be kept.
  ///   - retryAfter: how long the server asks to wait, in milliseconds.
  /// - Throws: ``StoreError/unknown(_:)`` if no attempt is under way; ``StoreError/journal(_:)``.
  public func refuse(
    _ key: IdempotencyKey,
    status: UInt64,
    content: [UInt8]? = nil,
    retryAfter: Int64? = nil
  ) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      let body = try content.map { (content) throws(StoreError) in try turn.keep(content) }
      let verdict = turn.verdict(on: seq, refusedWith: status)
      let retryAt = verdict == .busy ? turn.retryTime(of: seq, atLeast: retryAfter ?? 0) : nil
      let answer = OutboxRules.Answer(
        status: status,
        verdict: verdict,
        body: body,
        retryAt: retryAt
      )
      try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))
      try turn.parkIfSpent(seq)
    }
  }

  /// The attempt ended without an answer that was read: the server may have it, or not.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if no attempt is under way; ``StoreError/journal(_:)``.
  public func lose(
    _ key: IdempotencyKey,
    _ reason: OutboxInDoubt.Reason
  ) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      let retryAt = turn.retryTime(of: seq, atLeast: 0)
      try turn.decide(.doubt(seq, reason, retryAt: retryAt), key: turn.freshKey("doubt"))
      if reason != .unreachable { try turn.parkIfSpent(seq) }
    }
  }

  // MARK: Deciding

  /// A person lets an item go again, at once.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` or ``StoreError/journal(_:)``.
  public func retry(_ key: IdempotencyKey) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      try turn.decide(.retry(seq, .requested), key: turn.freshKey("retry"))
    }
  }

  /// Somebody signed in: what was held for that may go again.
  ///
  /// - Throws: ``StoreError/journal(_:)``.
  public func signedIn() async throws(StoreError) {
    let scope = shelf.scope
    try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      for (seq, item) in turn.states.outbox.queue
      where item.scope == scope && item.standing == .held {
        try turn.decide(.retry(seq, .signedIn), key: turn.freshKey("retry"))
      }
    }
  }

  /// A person gives an item up; what it held stays in the journal.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` or ``StoreError/journal(_:)``.
  public func discard(_ key: IdempotencyKey, reason: String? = nil) async throws(StoreError) {
    try await end(key) { (turn, seq) throws(StoreError) in
      try turn.decide(.discard(seq, reason: reason), key: turn.freshKey("discard"))
    }
  }

  private func end(
    _ key: IdempotencyKey,
    _ work: @escaping @Sendable (Turn, Seq) throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      try work(turn, try turn.waiting(key))
    }
  }
}

/// The rules of the outbox, which the live store and every replay share.
typealias OutboxRules = TidemarkProjections.Outbox

extension Shelf {
  /// What users did that this server and account are still to be told.
  public var outbox: Outbox { Outbox(self) }
}

extension Turn {
  /// What an answer with a status that is no success says of what was sent.
  func verdict(on seq: Seq, refusedWith status: UInt64) -> OutboxAnswered.Verdict {
    switch status {
    case 401, 403: .held
    case 408, 425, 429, 500...: .busy
    case OutboxAnswered.conflict where mayBeInProgress(seq): .busy
    default: StoreRule.outboxPark.isOn ? .rejected : .busy
    }
  }

  /// Whether the server may still be at work on an attempt whose answer was lost.
  private func mayBeInProgress(_ seq: Seq) -> Bool {
    guard let since = states.outbox.items[seq]?.doubtSince else { return false }
    return now.milliseconds(since: since) < options.retries.inProgress
  }

  /// What waits under a key.
  func waiting(_ key: IdempotencyKey) throws(StoreError) -> Seq {
    guard let seq = states.outbox.keys[key] else { throw .unknown("nothing waits under \(key)") }
    return seq
  }

  /// Keeps what a user did, and its files.
  @discardableResult
  func enqueue(
    _ work: Outbox.Work,
    key: IdempotencyKey,
    at time: DeviceTime,
    in store: Seq,
    share: String? = nil
  ) throws(StoreError) -> Seq {
    guard Outbox.Work.isMethod(work.method) else { throw .invalid(Outbox.Work.noMethod) }
    let enqueued = OutboxEnqueued(
      method: work.method,
      lane: work.lane ?? key.description,
      body: try work.content.map { (content) throws(StoreError) in try keep(content) },
      files: work.files.isEmpty
        ? nil
        : try work.files.map { (file) throws(StoreError) in
          AttachedFile(name: file.name, mediaType: file.mediaType, body: try owned(file.content))
        },
      touches: work.touches,
      label: work.label,
      link: work.link,
      share: share,
      ttl: work.ttl
    )
    var drafts = try drafts(for: .enqueue(enqueued, at: work.path, in: store), key: key)
    drafts[0].time = time
    return try add(drafts)[0]
  }

  /// The outbox's own copy of a file's bytes.
  private func owned(_ content: [UInt8]) throws(StoreError) -> BodyReference {
    StoreRule.blobOwned.isOn ? try keep(content) : .unknown(byteCount: content.count)
  }

  /// The key that an attempt carries, as its entry says.
  func requestKey(of sent: Seq) throws(StoreError) -> IdempotencyKey? {
    do throws(JournalError) {
      return try journal.entry(at: sent)?.decoded(OutboxSent.self)?.requestKey
    } catch { throw .journal(error) }
  }

  /// Writes the copies of an answer and retires the item, in one append.
  func finish(
    _ seq: Seq,
    _ copies: [(path: Path, reply: Shelf.Reply)],
    in store: Seq
  ) throws(StoreError) -> Shelf.Answered {
    guard let item = states.outbox.items[seq], let answer = item.answer,
      let sent = item.firstSent
    else { throw .unknown("the server has not said that it has it") }
    guard states.shelf.present(store)?.scope == item.scope || !StoreRule.outboxScope.isOn else {
      throw .otherScope(item.scope)
    }
    var told = ShelfRules.Answer(status: answer.status)
    for (path, reply) in copies {
      told.copies.append(
        ShelfRules.Answer.Copy(path: path, body: try keep(reply.content), revision: reply.revision)
      )
    }
    let delivery = ShelfRules.Delivery(
      enqueued: seq,
      sent: sent,
      path: item.path,
      touches: item.touches
    )
    let key = freshKey("copies")
    var drafts = try shelfDrafts(for: .copy(in: store, delivery, told), key: key)
    drafts += try self.drafts(for: .retire(seq, behind: drafts.count), key: key)
    return try answered(at: try add(drafts))
  }

  /// When the next attempt may be made.
  func retryTime(of seq: Seq, atLeast least: Int64) -> DeviceTime {
    guard StoreRule.outboxRetryTimer.isOn else { return DeviceTime(milliseconds: .max) }
    let attempts = states.outbox.items[seq]?.attempts ?? 0
    let wait = max(options.retries.wait(after: attempts) { fraction() }, least)
    return now.adding(milliseconds: wait)
  }

  func parkIfSpent(_ seq: Seq) throws(StoreError) {
    guard let most = options.retries.attemptsMax, let item = states.outbox.items[seq],
      item.attempts >= most, item.standing == .pending || item.standing == .inDoubt
    else { return }
    try decide(.park(seq, .spent), key: freshKey("park"))
  }

  /// Hands to a person what has been in doubt for longer than the server keeps keys.
  func parkOldDoubts(of scope: Scope, after retention: Int64) throws(StoreError) {
    guard StoreRule.outboxExpiry.isOn else { return }
    for (seq, item) in states.outbox.queue
    where item.scope == scope && item.standing == .inDoubt {
      guard let since = item.doubtSince, now.milliseconds(since: since) > retention else {
        continue
      }
      try decide(.park(seq, .expiredDoubt), key: freshKey("park"))
    }
  }
}
