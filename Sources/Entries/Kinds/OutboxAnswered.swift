/// An answer to an attempt was read.
public struct OutboxAnswered: EntryKind {
  public static let number: UInt16 = 42
  public static let name = "outbox-answered"
  public static let fields = [
    KindField(1, "enqueued", .seq), KindField(2, "sent", .seq), KindField(3, "status", .integer),
    KindField(4, "verdict", .text), KindField(5, "answer", .body), KindField(6, "retryAt", .time),
  ]

  /// What an answer says of what was sent.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The server has it.
    case accepted

    /// The server had it already, under our own key.
    case duplicate

    /// Not now: it stays, and waits.
    case busy

    /// Not by this person: it stays until somebody signs in.
    case held

    /// Not at all: a person decides.
    case rejected
  }

  /// The `outbox-enqueued` entry.
  public var enqueued: Seq

  /// The attempt that was answered.
  public var sent: Seq

  /// The status of the answer, such as 201.
  public var status: UInt64

  /// What the answer says of the entry.
  public var verdict: Verdict

  /// The answer as it came.
  public var answer: BodyReference?

  /// From when on the next attempt may be made, if one is to be.
  public var retryAt: DeviceTime?

  /// The status that says, of a key whose first attempt is in doubt, that this is being worked on.
  package static let conflict: UInt64 = 409

  /// Whether an earlier attempt may be at work on the server: its doubt stays.
  package var isInProgress: Bool { verdict == .busy && status == OutboxAnswered.conflict }

  public init(
    enqueued: Seq,
    sent: Seq,
    status: UInt64,
    verdict: Verdict,
    answer: BodyReference? = nil,
    retryAt: DeviceTime? = nil
  ) {
    self.enqueued = enqueued
    self.sent = sent
    self.status = status
    self.verdict = verdict
    self.answer = answer
    self.retryAt = retryAt
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    enqueued = try payload.seq(1)
    sent = try payload.seq(2)
    status = try payload.integer(3)
    verdict = try payload.word(4)
    answer = try payload.optionalBody(5)
    retryAt = try payload.optionalTime(6)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, enqueued)
    payload.seq(2, sent)
    payload.integer(3, status)
    payload.text(4, verdict.rawValue)
    payload.body(5, answer)
    payload.time(6, retryAt)
  }
}
