/// What a server calls one of its things: bytes, never interpreted.
///
/// Two spellings of one text (composed and decomposed) are two ids, as they are for the server; a
/// `String` would call them equal.
public struct ItemID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// UTF-8, if the server sent text.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The id that a text spells, byte by byte.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  public static func == (left: ItemID, right: ItemID) -> Bool {
    guard StoreRule.keyBytes.isOn else {
      return String(decoding: left.bytes, as: UTF8.self)
        == String(decoding: right.bytes, as: UTF8.self)
    }
    return left.bytes == right.bytes
  }

  public func hash(into hasher: inout Hasher) {
    guard StoreRule.keyBytes.isOn else {
      return hasher.combine(String(decoding: bytes, as: UTF8.self))
    }
    hasher.combine(bytes)
  }

  /// By bytes.
  public static func < (left: ItemID, right: ItemID) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// The text, if the bytes are printable UTF-8; else `0x` and hexadecimal digits.
  public var description: String { Text.printable(bytes) ?? "0x" + Hex.encode(bytes) }
}

extension ItemID: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}
