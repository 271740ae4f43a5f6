/// Bytes that never change under their path (an image, a script, a font) are kept as a copy.
///
/// No ticket: whenever such bytes arrive they are the right ones.
public struct CopyStored: EntryKind {
  public static let number: UInt16 = 25
  public static let name = "copy-stored"
  public static let fields = [KindField(1, "body", .body), KindField(2, "mediaType", .text)]

  /// The bytes that are kept.
  public var body: BodyReference

  /// What the server says that it is; a label.
  public var mediaType: String?

  public init(body: BodyReference, mediaType: String? = nil) {
    self.body = body
    self.mediaType = mediaType
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    body = try payload.body(1)
    mediaType = try payload.optionalText(2)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.body(1, body)
    payload.text(2, mediaType)
  }
}
