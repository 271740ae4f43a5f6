/// A pass began to copy what the server has.
///
/// Reads that belong to it have it as their cause; nothing else may.
public struct SyncBegan: EntryKind {
  public static let number: UInt16 = 80
  public static let name = "sync-began"
  public static let fields = [KindField(1, "reason", .text)]

  /// What made a pass begin.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The time for it had come.
    case timer

    /// The app came to the front.
    case foreground

    /// Somebody asked for it.
    case requested
  }

  /// What made it begin.
  public var reason: Reason

  public init(reason: Reason) {
    self.reason = reason
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    reason = try payload.word(1)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, reason.rawValue)
  }
}
