internal import TidemarkEntries

/// The characters of a JSON string, as UTF-8.
package struct JSONString: Sendable, Hashable, CustomStringConvertible {
  package var bytes: [UInt8]

  /// Whether something that is no character was replaced by U+FFFD: bytes that are not UTF-8, or
  /// one half of a surrogate pair.
  package var isAltered: Bool

  package init() {
    bytes = []
    isAltered = false
  }

  /// Decodes what stands between the quotes, which a scanner has found to be well-formed.
  package init(raw: RawSpan, hasEscapes: Bool) {
    var foundLone = false
    bytes = [UInt8](unsafeUninitializedCapacity: raw.byteCount + Unescaping.spareBytes) {
      target,
      count in
      if hasEscapes, let start = UnsafeMutableRawPointer(target.baseAddress) {
        var unescaping = Unescaping(into: start)
        unescaping.run(raw)
        count = unescaping.count
        foundLone = unescaping.foundLone
      } else {
        raw.withUnsafeBytes { UnsafeMutableRawBufferPointer(target).copyMemory(from: $0) }
        count = raw.byteCount
      }
    }
    isAltered = foundLone
    if !bytes.span.bytes.isUTF8 {
      bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
      isAltered = true
    }
  }

  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// A character that is escaped by its number: `\u00e9`, or two of them for a surrogate pair.
struct UnicodeEscape {
  var scalar: Unicode.Scalar
  var byteCount: Int

  /// Whether it is half of a surrogate pair without the other; the scalar is U+FFFD then.
  var isLone = false

  /// Reads the escape at `index`, where `\u` stands; what is no escape gives U+FFFD.
  init(in text: RawSpan, at index: Int) {
    scalar = "\u{fffd}"
    byteCount = min(6, text.byteCount - index)
    let first = UnicodeEscape.unit(in: text, at: index) ?? 0xfffd
    if let single = Unicode.Scalar(first) {
      scalar = single
    } else if first < 0xdc00, let second = UnicodeEscape.unit(in: text, at: index + 6),
      second & 0xfc00 == 0xdc00,
      let pair = Unicode.Scalar(0x1_0000 + (UInt32(first & 0x3ff) << 10 | UInt32(second & 0x3ff)))
    {
      scalar = pair
      byteCount = 12
    } else {
      isLone = true
    }
  }

  /// The code unit that `\u` and four digits at `index` give.
  private static func unit(in text: RawSpan, at index: Int) -> UInt16? {
    guard index + 6 <= text.byteCount, text.uncheckedByte(at: index) == UInt8(ascii: "\\"),
      text.uncheckedByte(at: index + 1) == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for digit in index + 2..<index + 6 {
      guard let value = Hex.value(of: text.uncheckedByte(at: digit)) else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }
}
