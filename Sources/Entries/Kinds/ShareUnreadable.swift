/// A share in the inbox could not be read; it is kept and told of until somebody discards it.
public struct ShareUnreadable: EntryKind {
  public static let number: UInt16 = 102
  public static let name = "share-unreadable"
  public static let fields = [
    KindField(1, "share", .text), KindField(2, "detail", .text), KindField(3, "content", .digest),
  ]

  /// The name of its file.
  public var share: String

  /// What could not be read, for people.
  public var detail: String

  /// SHA-256 of the file.
  public var content: Digest

  public init(share: String, detail: String, content: Digest) {
    self.share = share
    self.detail = detail
    self.content = content
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    share = try payload.text(1)
    detail = try payload.text(2)
    content = try payload.digest(3)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, share)
    payload.text(2, detail)
    payload.digest(3, content)
  }
}
