/// An entry of the outbox waits for a person, and blocks its own lane only.
public struct OutboxParked: EntryKind {
  public static let number: UInt16 = 46
  public static let name = "outbox-parked"
  public static let fields = [KindField(1, "enqueued", .seq), KindField(2, "reason", .text)]

  /// Why a person must decide.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The server said no.
    case rejected

    /// It was in doubt for longer than the server keeps keys.
    case expiredDoubt = "expired-doubt"

    /// All attempts that it had are spent.
    case spent
  }

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  /// Why a person must decide.
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
