/// Another process left a share in the inbox, and it was read.
public struct ShareReceived: EntryKind {
  public static let number: UInt16 = 100
  public static let name = "share-received"
  public static let fields = [KindField(1, "share", .text), KindField(2, "count", .integer)]

  /// The id of the share, which was minted where it was made.
  public var share: String

  /// How many items it has.
  public var count: UInt64

  public init(share: String, count: UInt64) {
    self.share = share
    self.count = count
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    share = try payload.text(1)
    count = try payload.integer(2)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, share)
    payload.integer(2, count)
  }
}
