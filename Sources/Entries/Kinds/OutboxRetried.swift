/// An entry that was parked or held may go again.
public struct OutboxRetried: EntryKind {
  public static let number: UInt16 = 47
  public static let name = "outbox-retried"
  public static let fields = [KindField(1, "enqueued", .seq), KindField(2, "reason", .text)]

  /// Who let an entry go again.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A person asked for it.
    case requested

    /// Somebody signed in.
    case signedIn = "signed-in"
  }

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  /// Who let it go.
  public var reason: Reason

  public init(enqueued: Seq, reason: Reason) {
    self.enqueued = enqueued
    self.reason = reason
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    enqueued = try payload.seq(1)
    reason = try payload.word(2)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, enqueued)
    payload.text(2, reason.rawValue)
  }
}
