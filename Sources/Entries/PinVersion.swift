/// A pin as a list or a removal names it.
public struct PinVersion: Sendable, Hashable {
  /// What the server calls it.
  public var id: ItemID

  /// The version that was seen, if the server sends one.
  public var version: UInt64?

  public init(id: ItemID, version: UInt64? = nil) {
    self.id = id
    self.version = version
  }

  // [id] or [id, version].
  package func write(to writer: inout CBORWriter) {
    writer.array(count: version == nil ? 1 : 2)
    writer.byteString(id.bytes)
    if let version { writer.unsigned(version) }
  }

  package init(from reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    let count = try reader.array()
    guard (1...2).contains(count) else {
      throw EntryError(.malformed, "a pin is an id and perhaps a version")
    }
    id = ItemID(Array(storage[try reader.byteString()]))
    version = count == 2 ? try reader.unsigned() : nil
  }
}
