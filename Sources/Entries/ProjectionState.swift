/// What a checkpoint says of one projection.
public struct ProjectionState: Sendable, Hashable {
  /// The name of the projection, such as `shelf`.
  public var name: String

  /// The version of its fold: another one may give another digest.
  public var version: UInt64

  /// The digest of its state.
  public var digest: Digest

  public init(name: String, version: UInt64, digest: Digest) {
    self.name = name
    self.version = version
    self.digest = digest
  }

  // [name, version, digest].
  func write(to writer: inout CBORWriter) {
    writer.array(count: 3)
    writer.text(name)
    writer.unsigned(version)
    writer.byteString(digest.bytes)
  }

  init(from reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    guard try reader.array() == 3 else {
      throw EntryError(.malformed, "a state is a name, a version and a digest")
    }
    name = try reader.string()
    version = try reader.unsigned()
    let place = try reader.byteString()
    guard place.count == Digest.byteCount else {
      throw EntryError(.malformed, "a digest has \(Digest.byteCount) bytes")
    }
    digest = Digest(storage, at: place.lowerBound)
  }
}
