/// A store ended.
///
/// Nothing lands in it from here on; only refusals may follow.
///
/// A fence. The live shelf writes it on closing, on signing out and before a switch of scope.
public struct StoreRetired: EntryKind {
  public static let number: UInt16 = 2
  public static let name = "store-retired"
  public static let fields = [KindField(1, "reason", .text)]

  /// Why a store ended.
  public enum Reason: String, Sendable, Hashable {
    case closed
    case switched
    case signedOut = "signed-out"
  }

  /// Why the store ended.
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
