/// A reply came and was not written, or did not come at all: the copy stays as it was.
///
/// A refusal that a later entry makes necessary names that entry as its witness, so that it can be
/// judged. The content that was refused is kept where the app asks for it.
public struct ReadRefused: EntryKind {
  public static let number: UInt16 = 12
  public static let name = "read-refused"
  public static let fields = [
    KindField(1, "begin", .seq), KindField(2, "reason", .text), KindField(3, "witness", .seq),
    KindField(4, "body", .body), KindField(5, "status", .integer),
    KindField(6, "revision", .revision),
  ]

  /// Why a reply was not written.
  ///
  /// If several apply, the first in this order is given.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Its store was retired, or opened anew, since it began.
    case retired

    /// A fence of the store that covers its path came since it began.
    case generation

    /// A later read of the path began.
    case superseded

    /// It does not decode, or says that it is something else than what was asked for.
    case malformed

    /// Its revision is lower than the one that the path has seen.
    case older

    /// It does not hold all that it announces: a page is missing, the body was cut.
    case incomplete

    /// The app gave the read up.
    case cancelled

    /// No answer was read, or one that says no.
    case failed

    /// Whether this reason is given where both apply.
    package func precedes(_ other: Reason) -> Bool {
      Reason.allCases.firstIndex(of: self) ?? 0 < Reason.allCases.firstIndex(of: other) ?? 0
    }

    /// Whether an entry between begin and refusal must be named.
    package var needsWitness: Bool {
      switch self {
      case .retired, .generation, .superseded, .older: true
      case .malformed, .incomplete, .cancelled, .failed: false
      }
    }
  }

  /// The `read-began` entry of its ticket.
  public var begin: Seq

  /// Why the reply was not written.
  public var reason: Reason

  /// The entry that makes the ticket stale; for `older`, the one that wrote the higher revision.
  public var witness: Seq?

  /// The content that was refused, if it was kept.
  public var body: BodyReference?

  /// The status of the answer, if one was read.
  public var status: UInt64?

  /// The revision that the reply says, if it says one.
  public var revision: UInt64?

  public init(
    begin: Seq,
    reason: Reason,
    witness: Seq? = nil,
    body: BodyReference? = nil,
    status: UInt64? = nil,
    revision: UInt64? = nil
  ) {
    self.begin = begin
    self.reason = reason
    self.witness = witness
    self.body = body
    self.status = status
    self.revision = revision
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    begin = try payload.seq(1)
    reason = try payload.word(2)
    witness = try payload.optionalSeq(3)
    body = try payload.optionalBody(4)
    status = try payload.optionalInteger(5)
    revision = try payload.optionalInteger(6)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, begin)
    payload.text(2, reason.rawValue)
    payload.seq(3, witness)
    payload.body(4, body)
    payload.integer(5, status)
    payload.integer(6, revision)
  }
}
