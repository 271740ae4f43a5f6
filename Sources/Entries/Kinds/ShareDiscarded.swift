/// A person gave up a share that could not be read.
public struct ShareDiscarded: EntryKind {
  public static let number: UInt16 = 103
  public static let name = "share-discarded"
  public static let fields = [KindField(1, "share", .text)]

  /// The name of its file.
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
