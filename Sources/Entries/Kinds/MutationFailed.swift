/// A change did not happen, or nothing is known of it.
///
/// It fences nothing and writes nothing.
public struct MutationFailed: EntryKind {
  public static let number: UInt16 = 23
  public static let name = "mutation-failed"
  public static let fields = [
    KindField(1, "mutation", .seq), KindField(2, "reason", .text), KindField(3, "status", .integer),
    KindField(4, "answer", .body),
  ]

  /// What is known of a change that has no answer of success.
  public enum Reason: String, Sendable, Hashable {
    /// The server read it and said no.
    case rejected

    /// No answer was read: it may have happened, and is in doubt.
    case lost

    /// It never left the device.
    case cancelled
  }

  /// The `mutation-sent` entry that failed.
  public var mutation: Seq

  /// What is known of it.
  public var reason: Reason

  /// The status of the answer, if one was read.
  public var status: UInt64?

  /// The answer as it came, if one was read and kept.
  public var answer: BodyReference?

  public init(
    mutation: Seq,
    reason: Reason,
    status: UInt64? = nil,
    answer: BodyReference? = nil
  ) {
    self.mutation = mutation
    self.reason = reason
    self.status = status
    self.answer = answer
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    mutation = try payload.seq(1)
    reason = try payload.word(2)
    status = try payload.optionalInteger(3)
    answer = try payload.optionalBody(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, mutation)
    payload.text(2, reason.rawValue)
    payload.integer(3, status)
    payload.body(4, answer)
  }
}
