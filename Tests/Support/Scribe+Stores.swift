package import TidemarkEntries
import TidemarkProjections

/// Entries of the stores beside the shelf, whether they keep the rules or not.
extension Scribe {
  // MARK: Lists

  /// A page of the list whose read began at `begin`, with the rows of these names.
  @discardableResult
  package func page(
    _ begin: UInt64,
    _ index: UInt64,
    rows: [UInt8],
    count: UInt64? = nil,
    _ path: String = "/notes",
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(
      PageReceived(
        begin: Seq(begin),
        index: index,
        body: .sample(),
        status: 200,
        count: count ?? UInt64(rows.count),
        rowKeys: rows.flatMap { [UInt8](repeating: $0, count: RowName.byteCount) }
      ),
      in: store,
      cause: begin,
      [(path, .mention)]
    )
  }

  @discardableResult
  package func assemble(
    _ begin: UInt64,
    pages: [UInt64],
    pageSize: UInt64? = nil,
    _ path: String = "/notes",
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(
      ListAssembled(
        begin: Seq(begin),
        body: .sample(),
        status: 200,
        pages: pages.map { Seq($0) },
        pageSize: pageSize
      ),
      in: store,
      cause: begin,
      [(path, .write)]
    )
  }

  // MARK: The outbox

  /// What a user did: its path is `/new/1`, its key `work`.
  @discardableResult
  package func enqueue(
    _ key: String = "work",
    lane: String = "lane",
    method: String = "POST",
    files: Int = 0,
    touches: [Touch]? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    let attached = (0..<files).map { AttachedFile(name: "\($0).png", body: .sample(UInt64($0))) }
    let enqueued = OutboxEnqueued(
      method: method,
      lane: lane,
      body: .sample(),
      files: attached.isEmpty ? nil : attached,
      touches: touches
    )
    return try write(enqueued, in: store, [("/new/1", .mention)], key: key)
  }

  @discardableResult
  package func attempt(
    _ item: UInt64,
    _ number: UInt64 = 1,
    key: String = "work",
    content: Digest? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    let sent = OutboxSent(
      enqueued: Seq(item),
      attempt: number,
      requestKey: try IdempotencyKey(key),
      content: content ?? Outbox.content(.sample(), [])
    )
    return try say(sent, of: item, cause: item, in: store)
  }

  @discardableResult
  package func reply(
    _ item: UInt64,
    _ sent: UInt64,
    _ verdict: OutboxAnswered.Verdict = .accepted,
    answer: BodyReference? = .sample()
  ) throws -> UInt64 {
    let answered = OutboxAnswered(
      enqueued: Seq(item),
      sent: Seq(sent),
      status: 200,
      verdict: verdict,
      answer: answer
    )
    return try say(answered, of: item, cause: sent)
  }

  @discardableResult
  package func doubt(
    _ item: UInt64,
    _ sent: UInt64,
    _ reason: OutboxInDoubt.Reason = .timeout
  ) throws -> UInt64 {
    try say(OutboxInDoubt(enqueued: Seq(item), sent: Seq(sent), reason: reason), of: item)
  }

  /// The copies of an answer, and the bump behind them.
  @discardableResult
  package func copy(
    _ item: UInt64,
    _ sent: UInt64,
    paths: [String] = ["/new/1"],
    touches: [Touch]? = nil,
    bumps: Bool = true,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    let copied = OutboxCopied(
      enqueued: Seq(item),
      sent: Seq(sent),
      status: 200,
      copies: paths.indices.map { .init(path: UInt64($0), body: .sample()) },
      touches: touches
    )
    let links = paths.isEmpty ? [("/new/1", PathLink.Role.mention)] : paths.map { ($0, .write) }
    let seq = try write(copied, in: store, cause: item, links)
    if bumps { try bump(.answer, cause: seq, in: store) }
    return seq
  }

  /// An entry about an item, under the item's own path.
  @discardableResult
  package func say(
    _ kind: some EntryKind,
    of item: UInt64,
    cause: UInt64? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(kind, in: store, cause: cause ?? item, [("/new/1", .mention)])
  }

  @discardableResult
  package func retire(item: UInt64, behind copies: UInt64) throws -> UInt64 {
    try say(OutboxRetired(enqueued: Seq(item)), of: item, cause: copies)
  }

  // MARK: Pins

  @discardableResult
  package func pinsRemoved(_ pins: [PinVersion], in store: UInt64 = 1) throws -> UInt64 {
    try write(PinsRemoved(pins: pins), in: store)
  }

  @discardableResult
  package func pinsSent(_ pins: [PinVersion] = [], in store: UInt64 = 1) throws -> UInt64 {
    try write(PinsSent(pins: pins), in: store)
  }

  @discardableResult
  package func pinsReceived(
    _ sent: UInt64,
    _ pins: [PinVersion],
    count: UInt64? = nil,
    in store: UInt64 = 1
  ) throws -> UInt64 {
    let received = PinsReceived(
      sent: Seq(sent),
      status: 200,
      body: .sample(),
      count: count ?? UInt64(pins.count),
      pins: pins
    )
    return try write(received, in: store, cause: sent)
  }

  @discardableResult
  package func pinsListed(
    _ received: UInt64,
    _ pins: [PinVersion],
    in store: UInt64 = 1
  ) throws -> UInt64 {
    try write(PinsListed(pins: pins), in: store, cause: received)
  }
}
