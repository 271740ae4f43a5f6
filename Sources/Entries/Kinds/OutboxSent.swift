/// An attempt is about to be made: this entry is on disk before the first byte leaves.
public struct OutboxSent: EntryKind {
  public static let number: UInt16 = 41
  public static let name = "outbox-sent"
  public static let fields = [
    KindField(1, "enqueued", .seq), KindField(2, "attempt", .integer),
    KindField(3, "requestKey", .key), KindField(4, "content", .digest),
  ]

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  /// Which attempt it is, counted from 1.
  public var attempt: UInt64

  /// The key that the request carries.
  public var requestKey: IdempotencyKey

  /// SHA-256 of the commitments of the request's body and files.
  public var content: Digest

  public init(enqueued: Seq, attempt: UInt64, requestKey: IdempotencyKey, content: Digest) {
    self.enqueued = enqueued
    self.attempt = attempt
    self.requestKey = requestKey
    self.content = content
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    enqueued = try payload.seq(1)
    attempt = try payload.integer(2)
    requestKey = try IdempotencyKey(try payload.bytes(3))
    content = try payload.digest(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, enqueued)
    payload.integer(2, attempt)
    payload.bytes(3, requestKey.bytes)
    payload.digest(4, content)
  }
}
