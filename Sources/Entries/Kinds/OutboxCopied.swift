/// What the answer to an entry of the outbox says stands on the shelf.
///
/// A fence for what the entry declared, like the answer to any change. Each copy is a path of the
/// envelope with the role `write`.
public struct OutboxCopied: EntryKind {
  public static let number: UInt16 = 44
  public static let name = "outbox-copied"
  public static let fields = [
    KindField(1, "enqueued", .seq), KindField(2, "sent", .seq), KindField(3, "status", .integer),
    KindField(4, "copies", .copies), KindField(5, "touches", .touches),
  ]

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  /// The first attempt: what was written since is newer.
  public var sent: Seq

  /// The status of the answer.
  public var status: UInt64

  /// What was written, path by path.
  public var copies: [MutationAnswered.Copy]?

  /// What the entry declared that it touches; absent: everything in the store.
  public var touches: [Touch]?

  public init(
    enqueued: Seq,
    sent: Seq,
    status: UInt64,
    copies: [MutationAnswered.Copy]? = nil,
    touches: [Touch]? = nil
  ) {
    self.enqueued = enqueued
    self.sent = sent
    self.status = status
    self.copies = copies
    self.touches = touches
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    enqueued = try payload.seq(1)
    sent = try payload.seq(2)
    status = try payload.integer(3)
    copies = try payload.optionalList(4, MutationAnswered.Copy.init(from:_:))
    touches = try payload.optionalList(5, Touch.init(from:_:))
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, enqueued)
    payload.seq(2, sent)
    payload.integer(3, status)
    payload.list(4, copies) { $0.write(to: &$1) }
    payload.list(5, touches) { $0.write(to: &$1) }
  }
}
