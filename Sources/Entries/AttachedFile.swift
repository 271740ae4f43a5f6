/// A file that goes along with an entry of the outbox.
///
/// Its content is a body of the journal: what becomes of the original does not matter.
public struct AttachedFile: Sendable, Hashable {
  /// The name that it has for people and in the request.
  public var name: String

  /// Such as `image/jpeg`.
  public var mediaType: String?

  /// Its content.
  public var body: BodyReference

  public init(name: String, mediaType: String? = nil, body: BodyReference) {
    self.name = name
    self.mediaType = mediaType
    self.body = body
  }

  // [name, body] or [name, body, media type].
  package func write(to writer: inout CBORWriter) {
    writer.array(count: mediaType == nil ? 2 : 3)
    writer.text(name)
    body.write(to: &writer)
    if let mediaType { writer.text(mediaType) }
  }

  package init(from reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    let count = try reader.array()
    guard (2...3).contains(count) else {
      throw EntryError(.malformed, "a file is a name, a body and perhaps a media type")
    }
    name = try reader.string()
    body = try BodyReference(from: &reader, storage)
    mediaType = count == 3 ? try reader.string() : nil
  }
}
