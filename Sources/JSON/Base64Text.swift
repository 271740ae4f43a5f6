/// Bytes as JSON has them: base64 with its padding (RFC 4648, section 4), and no other spelling.
package struct Base64Text: JSONScalar {
  package let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// The bytes that `text` spells; nothing if it is not exactly what would be written for them.
  package init?(spelling text: ArraySlice<UInt8>) {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    let digits = text.dropLast(padding)
    guard digits.count % 4 == (padding == 0 ? 0 : 4 - padding) else { return nil }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count / 4 * 3)
    var gathered: UInt32 = 0
    var bits: UInt32 = 0
    for digit in digits {
      let value = Base64Text.values[Int(digit)]
      guard value < 64 else { return nil }
      gathered = gathered << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        decoded.append(UInt8(truncatingIfNeeded: gathered >> bits))
      }
    }
    // The bits behind the last byte are zero, or one content would have several spellings.
    guard gathered & (1 << bits - 1) == 0 else { return nil }
    bytes = decoded
  }

  package func write(to json: inout JSONWriter) { json.append(base64: bytes) }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xff, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// Appends the digits of `bytes`, padded.
  static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    let digits = digits
    var index = 0
    while index + 3 <= bytes.count {
      let group =
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
        | UInt32(bytes[index + 2])
      for shift in [18, 12, 6, 0] as [UInt32] { text.append(digits[Int(group >> shift & 63)]) }
      index += 3
    }
    guard index < bytes.count else { return }
    let second = index + 1 < bytes.count ? UInt32(bytes[index + 1]) : 0
    let group = UInt32(bytes[index]) << 16 | second << 8
    text.append(digits[Int(group >> 18 & 63)])
    text.append(digits[Int(group >> 12 & 63)])
    text.append(
      index + 1 < bytes.count ? digits[Int(group >> 6 & 63)] : UInt8(ascii: "=")
    )
    text.append(UInt8(ascii: "="))
  }
}
