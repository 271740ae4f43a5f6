/// An entry of the outbox is done: it was answered, and every copy of it stands.
///
/// Its cause is the `outbox-copied` entry.
public struct OutboxRetired: EntryKind {
  public static let number: UInt16 = 45
  public static let name = "outbox-retired"
  public static let fields = [KindField(1, "enqueued", .seq)]

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  public init(enqueued: Seq) {
    self.enqueued = enqueued
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    enqueued = try payload.seq(1)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, enqueued)
  }
}
