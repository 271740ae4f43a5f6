/// The app turned from one scope to another.
///
/// The store it left is retired by the same append.
///
/// An entry of the store that was opened last; its cause is that opening.
public struct ScopeSwitched: EntryKind {
  public static let number: UInt16 = 3
  public static let name = "scope-switched"
  public static let fields = [KindField(1, "from", .seq)]

  /// The store that was left.
  public var from: Seq

  public init(from: Seq) {
    self.from = from
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    from = try payload.seq(1)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, from)
  }
}
