/// No answer to an attempt was read: the server may have taken it, or not.
public struct OutboxInDoubt: EntryKind {
  public static let number: UInt16 = 43
  public static let name = "outbox-in-doubt"
  public static let fields = [
    KindField(1, "enqueued", .seq), KindField(2, "sent", .seq), KindField(3, "reason", .text),
    KindField(4, "retryAt", .time),
  ]

  /// Why no answer was read.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Nothing was sent: there is no way to the server. It spends no attempt.
    case unreachable

    /// None came in time.
    case timeout

    /// It broke off.
    case cut

    /// It was larger than an answer may be.
    case oversized

    /// It was no answer of this server.
    case foreign

    /// The process ended before it came.
    case restart
  }

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  /// The attempt.
  public var sent: Seq

  /// Why no answer was read.
  public var reason: Reason

  /// From when on the next attempt may be made; absent: at once.
  public var retryAt: DeviceTime?

  public init(enqueued: Seq, sent: Seq, reason: Reason, retryAt: DeviceTime? = nil) {
    self.enqueued = enqueued
    self.sent = sent
    self.reason = reason
    self.retryAt = retryAt
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    enqueued = try payload.seq(1)
    sent = try payload.seq(2)
    reason = try payload.word(3)
    retryAt = try payload.optionalTime(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, enqueued)
    payload.seq(2, sent)
    payload.text(3, reason.rawValue)
    payload.time(4, retryAt)
  }
}
