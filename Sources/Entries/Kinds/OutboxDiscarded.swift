/// A person gave up an entry of the outbox.
///
/// Its content stays in the journal.
public struct OutboxDiscarded: EntryKind {
  public static let number: UInt16 = 48
  public static let name = "outbox-discarded"
  public static let fields = [KindField(1, "enqueued", .seq), KindField(2, "reason", .text)]

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  /// What the person said, if anything.
  public var reason: String?

  public init(enqueued: Seq, reason: String? = nil) {
    self.enqueued = enqueued
    self.reason = reason
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    enqueued = try payload.seq(1)
    reason = try payload.optionalText(2)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, enqueued)
    payload.text(2, reason)
  }
}
