/// The generation of a store went up: reads that began before are stale.
///
/// A fence. Behind an answer to a change, whose declared paths bound it, in the same append; or
/// alone, for the whole store, when the app knows that the server has changed.
public struct GenerationBumped: EntryKind {
  public static let number: UInt16 = 24
  public static let name = "generation-bumped"
  public static let fields = [
    KindField(1, "from", .integer), KindField(2, "to", .integer), KindField(3, "reason", .text),
  ]

  /// What made the generation go up.
  public enum Reason: String, Sendable, Hashable {
    /// The answer to a change, which is the cause of this entry.
    case answer

    /// The copies of the store were cleared.
    case cleared

    /// A result that came another way than by a read, such as a stream of events.
    case pushed

    /// The app asked for it.
    case requested
  }

  /// The generation that ended.
  public var from: UInt64

  /// The generation that began; higher than ``from``.
  public var to: UInt64

  /// What made it go up.
  public var reason: Reason

  public init(from: UInt64, to: UInt64, reason: Reason) {
    self.from = from
    self.to = to
    self.reason = reason
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    from = try payload.integer(1)
    to = try payload.integer(2)
    reason = try payload.word(3)
    guard to > from, to < UInt64(Int64.max) else { throw EntryError(.malformed, "a bump goes up") }
  }

  public func write(to payload: inout PayloadWriter) {
    payload.integer(1, from)
    payload.integer(2, to)
    payload.text(3, reason.rawValue)
  }
}
