/// The answer to a change was read, but its copies were not written: something newer stands there.
///
/// A fence like `mutation-answered`. The paths that it would have written are *suspect* until the
/// next read of them lands.
public struct MutationSuppressed: EntryKind {
  public static let number: UInt16 = 22
  public static let name = "mutation-suppressed"
  public static let fields = [
    KindField(1, "mutation", .seq), KindField(2, "status", .integer),
    KindField(3, "reason", .text), KindField(4, "witness", .seq), KindField(5, "answer", .body),
    KindField(6, "revision", .revision),
  ]

  /// Why an answer was not written.
  public enum Reason: String, Sendable, Hashable {
    /// Its path was written since the change was sent, and no revisions tell which is newer.
    case late

    /// Its revision is lower than the one that the path has seen.
    case older

    /// Its store was retired, or opened anew, since the change was sent.
    case retired
  }

  /// The `mutation-sent` entry that is answered.
  public var mutation: Seq

  /// The status of the answer, such as 200.
  public var status: UInt64

  /// Why the answer was not written.
  public var reason: Reason

  /// The write that came between, or the fence that ended the store.
  public var witness: Seq

  /// The answer as it came, if it was kept.
  public var answer: BodyReference?

  /// The revision that the answer says, if it says one.
  public var revision: UInt64?

  public init(
    mutation: Seq,
    status: UInt64,
    reason: Reason,
    witness: Seq,
    answer: BodyReference? = nil,
    revision: UInt64? = nil
  ) {
    self.mutation = mutation
    self.status = status
    self.reason = reason
    self.witness = witness
    self.answer = answer
    self.revision = revision
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    mutation = try payload.seq(1)
    status = try payload.integer(2)
    reason = try payload.word(3)
    witness = try payload.seq(4)
    answer = try payload.optionalBody(5)
    revision = try payload.optionalInteger(6)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, mutation)
    payload.integer(2, status)
    payload.text(3, reason.rawValue)
    payload.seq(4, witness)
    payload.body(5, answer)
    payload.integer(6, revision)
  }
}
