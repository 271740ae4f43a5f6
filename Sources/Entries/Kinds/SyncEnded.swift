/// A pass is over.
public struct SyncEnded: EntryKind {
  public static let number: UInt16 = 81
  public static let name = "sync-ended"
  public static let fields = [
    KindField(1, "began", .seq), KindField(2, "outcome", .text), KindField(3, "landed", .integer),
    KindField(4, "failed", .integer),
  ]

  /// How a pass went.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// All of the plan was copied.
    case whole

    /// Some of it was; what landed is kept.
    case part

    /// It was given up.
    case cancelled
  }

  /// The `sync-began` entry.
  public var began: Seq

  /// How it went.
  public var outcome: Outcome

  /// How many copies it brought.
  public var landed: UInt64

  /// How many reads brought none.
  public var failed: UInt64

  public init(began: Seq, outcome: Outcome, landed: UInt64, failed: UInt64) {
    self.began = began
    self.outcome = outcome
    self.landed = landed
    self.failed = failed
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    began = try payload.seq(1)
    outcome = try payload.word(2)
    landed = try payload.integer(3)
    failed = try payload.integer(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, began)
    payload.text(2, outcome.rawValue)
    payload.integer(3, landed)
    payload.integer(4, failed)
  }
}
