/// A pass ended without a list: the snapshot and the removals stay.
public struct PinsRefused: EntryKind {
  public static let number: UInt16 = 64
  public static let name = "pins-refused"
  public static let fields = [
    KindField(1, "sent", .seq), KindField(2, "reason", .text), KindField(3, "status", .integer),
    KindField(4, "body", .body),
  ]

  /// Why a pass ended without a list.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// What came is no list: an id is missing or stands twice, or it does not decode.
    case malformed

    /// The server said no.
    case failed

    /// No answer was read.
    case lost

    /// The app gave it up.
    case cancelled
  }

  /// The `pins-sent` entry.
  public var sent: Seq

  /// Why there is none.
  public var reason: Reason

  /// The status of the answer, if one was read.
  public var status: UInt64?

  /// What came, if it was kept.
  public var body: BodyReference?

  public init(sent: Seq, reason: Reason, status: UInt64? = nil, body: BodyReference? = nil) {
    self.sent = sent
    self.reason = reason
    self.status = status
    self.body = body
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    sent = try payload.seq(1)
    reason = try payload.word(2)
    status = try payload.optionalInteger(3)
    body = try payload.optionalBody(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, sent)
    payload.text(2, reason.rawValue)
    payload.integer(3, status)
    payload.body(4, body)
  }
}
