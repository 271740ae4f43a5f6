/// Content that stands apart from its entry: where it is, what it must hash to, how long it is.
public struct BodyReference: Sendable, Hashable {
  /// The number of the body in its journal; 0 if the content was not kept.
  public var id: UInt64

  /// SHA-256 of the salt and the content.
  ///
  /// The salt stands with the body and is erased with it.
  public var commitment: Digest

  /// The length of the content.
  public var byteCount: UInt64

  /// Whether this is all that was sent; a capture may hold only the beginning, or nothing.
  public var isWhole: Bool

  package init(id: UInt64, commitment: Digest, byteCount: UInt64, isWhole: Bool = true) {
    self.id = id
    self.commitment = commitment
    self.byteCount = byteCount
    self.isWhole = isWhole
  }

  /// Content of which nothing is known but perhaps its length.
  package static func unknown(byteCount: Int?) -> BodyReference {
    BodyReference(
      id: 0,
      commitment: Digest(words: (0, 0, 0, 0)),
      byteCount: UInt64(clamping: byteCount ?? 0),
      isWhole: false
    )
  }

  // [id, commitment, byte count] and, if the content is not whole, `false` behind them.
  package func write(to writer: inout CBORWriter) {
    writer.array(count: isWhole ? 3 : 4)
    writer.unsigned(id)
    writer.byteString(commitment.bytes)
    writer.unsigned(byteCount)
    if !isWhole { writer.bool(false) }
  }

  package init(from reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    let count = try reader.array()
    guard (3...4).contains(count) else { throw EntryError(.malformed, "a body has 3 or 4 parts") }
    id = try reader.unsigned()
    let place = try reader.byteString()
    guard place.count == Digest.byteCount else {
      throw EntryError(.malformed, "a commitment has 32 bytes")
    }
    commitment = Digest(storage, at: place.lowerBound)
    byteCount = try reader.unsigned()
    isWhole = count == 3
    if count == 4, try reader.bool() {
      throw EntryError(.malformed, "a body that is whole does not say so")
    }
  }
}
