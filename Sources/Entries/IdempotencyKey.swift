/// The name of an entry: one key, one entry, for as long as the journal lives.
///
/// Keys are bytes. Two spellings of one text (composed and decomposed) are two keys.
public struct IdempotencyKey: Sendable, Hashable, CustomStringConvertible {
  /// 1 to ``bytesMax`` bytes, never interpreted.
  public let bytes: [UInt8]

  /// The longest key, in bytes.
  public static let bytesMax = 256

  /// - Throws: ``EntryError`` with code `limit` if there are no bytes, or more than 256.
  public init(_ bytes: [UInt8]) throws(EntryError) {
    guard (1...IdempotencyKey.bytesMax).contains(bytes.count) else {
      throw EntryError(
        .limit,
        "an idempotency key has 1 to \(IdempotencyKey.bytesMax) bytes, not \(bytes.count)"
      )
    }
    self.bytes = bytes
  }

  /// - Throws: ``EntryError`` with code `limit` if the text is empty or over 256 bytes.
  public init(_ text: String) throws(EntryError) {
    try self.init(Array(text.utf8))
  }

  package init(unchecked bytes: [UInt8]) {
    assert((1...IdempotencyKey.bytesMax).contains(bytes.count))
    self.bytes = bytes
  }

  /// The text, if the bytes are printable UTF-8; else `0x` and hexadecimal digits.
  public var description: String { Text.printable(bytes) ?? "0x" + Hex.encode(bytes) }
}

/// Bytes that may be text.
package enum Text {
  /// The text of `bytes`, if it is UTF-8 without control characters.
  package static func printable(_ bytes: some Collection<UInt8>) -> String? {
    guard let text = String(validating: Array(bytes), as: UTF8.self),
      !text.hasPrefix("0x"),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
  }
}
