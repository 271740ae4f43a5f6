/// Something that a user did waits to be sent.
///
/// Its key is the idempotency key of all attempts; its first path is where the copy of it will
/// stand.
public struct OutboxEnqueued: EntryKind {
  public static let number: UInt16 = 40
  public static let name = "outbox-enqueued"
  public static let fields = [
    KindField(1, "method", .text), KindField(2, "lane", .text), KindField(3, "body", .body),
    KindField(4, "files", .files), KindField(5, "touches", .touches), KindField(6, "label", .text),
    KindField(7, "link", .text), KindField(8, "share", .text),
    KindField(9, "ttl", .integer),
  ]

  /// The method of the request, such as `POST`.
  ///
  /// Entries of the first shape have none: everything was a `POST` then.
  public var method: String

  /// What it keeps its order with: of a lane, one entry is under way at a time.
  public var lane: String

  /// The content of the request.
  public var body: BodyReference?

  /// The attached files, which the journal owns.
  public var files: [AttachedFile]?

  /// What the answer makes late; absent: everything in the store.
  public var touches: [Touch]?

  /// A word for people.
  public var label: String?

  /// An address elsewhere that it is about; only the reference travels.
  public var link: String?

  /// The share that it came in by.
  public var share: String?

  /// For how long it is worth sending, in milliseconds from its authoring: for people to read.
  public var ttl: UInt64?

  public init(
    method: String,
    lane: String,
    body: BodyReference? = nil,
    files: [AttachedFile]? = nil,
    touches: [Touch]? = nil,
    label: String? = nil,
    link: String? = nil,
    share: String? = nil,
    ttl: UInt64? = nil
  ) {
    self.method = method
    self.lane = lane
    self.body = body
    self.files = files
    self.touches = touches
    self.label = label
    self.link = link
    self.share = share
    self.ttl = ttl
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    method = try payload.text(1, lifted: "POST")
    lane = try payload.text(2)
    body = try payload.optionalBody(3)
    files = try payload.optionalList(4, AttachedFile.init(from:_:))
    touches = try payload.optionalList(5, Touch.init(from:_:))
    label = try payload.optionalText(6)
    link = try payload.optionalText(7)
    share = try payload.optionalText(8)
    ttl = try payload.optionalInteger(9)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, method)
    payload.text(2, lane)
    payload.body(3, body)
    payload.list(4, files) { $0.write(to: &$1) }
    payload.list(5, touches) { $0.write(to: &$1) }
    payload.text(6, label)
    payload.text(7, link)
    payload.text(8, share)
    payload.integer(9, ttl)
  }
}
