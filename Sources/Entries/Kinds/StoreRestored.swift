/// A person let a part that could not be read be made anew from the journal.
public struct StoreRestored: EntryKind {
  public static let number: UInt16 = 5
  public static let name = "store-restored"
  public static let fields = [KindField(1, "part", .text), KindField(2, "unreadable", .seq)]

  /// Which part.
  public var part: StoreUnreadable.Part

  /// The `store-unreadable` entry that this ends.
  public var unreadable: Seq

  public init(part: StoreUnreadable.Part, unreadable: Seq) {
    self.part = part
    self.unreadable = unreadable
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    part = try payload.word(1)
    unreadable = try payload.seq(2)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, part.rawValue)
    payload.seq(2, unreadable)
  }
}
