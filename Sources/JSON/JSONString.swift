internal import TidemarkEntries

/// The characters of a JSON string, as UTF-8.
package struct JSONString: Sendable, Hashable, CustomStringConvertible {
  package var bytes: [UInt8]

  /// Whether something that is no character was replaced by U+FFFD: bytes that are not UTF-8, or
  /// one half of a surrogate pair.
  package var isAltered: Bool

  init() {
    bytes = []
    isAltered = false
  }

  /// Decodes what stands between the quotes, which a scanner has found to be well-formed.
  package init(raw: RawSpan, hasEscapes: Bool) {
    var foundLone = false
    bytes = [UInt8](unsafeUninitializedCapacity: raw.byteCount + 8) { target, count in
      if hasEscapes, let start = UnsafeMutableRawPointer(target.baseAddress) {
        (count, foundLone) = raw.unescape(into: start)
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

/// One escape in a string, and the character that it stands for (RFC 8259, section 7).
struct JSONEscape {
  var scalar: Unicode.Scalar
  var byteCount: Int

  /// Whether it is half of a surrogate pair without the other; the scalar is U+FFFD then.
  var isLone = false

  /// Reads the escape at `index`, where a backslash stands. What is no escape stands for itself.
  init(in text: RawSpan, at index: Int) {
    scalar = "\\"
    byteCount = 1
    guard index + 1 < text.byteCount else { return }
    let letter = text.byte(at: index + 1)
    byteCount = 2
    switch letter {
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{c}"
    case UInt8(ascii: "u"): readUnits(in: text, at: index)
    default: scalar = Unicode.Scalar(letter)
    }
  }

  private mutating func readUnits(in text: RawSpan, at index: Int) {
    let first = JSONEscape.unit(in: text, at: index) ?? 0xfffd
    byteCount = min(6, text.byteCount - index)
    if first & 0xfc00 == 0xd800, let second = JSONEscape.unit(in: text, at: index + 6),
      second & 0xfc00 == 0xdc00
    {
      let value = 0x1_0000 + (UInt32(first) - 0xd800) << 10 + UInt32(second) - 0xdc00
      scalar = Unicode.Scalar(value) ?? "\u{fffd}"
      byteCount = 12
    } else if let single = Unicode.Scalar(first) {
      scalar = single
    } else {
      scalar = "\u{fffd}"
      isLone = true
    }
  }

  /// The code unit that `\u` and four digits at `index` give.
  private static func unit(in text: RawSpan, at index: Int) -> UInt16? {
    guard index + 6 <= text.byteCount, text.byte(at: index) == UInt8(ascii: "\\"),
      text.byte(at: index + 1) == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for digit in index + 2..<index + 6 {
      guard let value = Hex.value(of: text.byte(at: digit)) else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }
}
