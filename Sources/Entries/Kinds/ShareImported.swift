/// Every item of a share stands in the outbox.
public struct ShareImported: EntryKind {
  public static let number: UInt16 = 101
  public static let name = "share-imported"
  public static let fields = [KindField(1, "share", .text)]

  /// The id of the share.
  public var share: String

  public init(share: String) {
    self.share = share
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    share = try payload.text(1)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, share)
  }
}
