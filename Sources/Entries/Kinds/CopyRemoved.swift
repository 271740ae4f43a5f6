/// The copy of a path was removed from the device; what the server has is not touched.
public struct CopyRemoved: EntryKind {
  public static let number: UInt16 = 26
  public static let name = "copy-removed"
  public static let fields = [KindField(1, "reason", .text)]

  /// Why a copy was removed.
  public enum Reason: String, Sendable, Hashable {
    case cleared
    case broken
    case requested
  }

  /// Why the copy was removed.
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
