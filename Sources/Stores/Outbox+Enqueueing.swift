public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

extension Outbox {
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
}

extension Turn {
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
}
