/// Decodes base64 (RFC 4648) as captures have it.
///
/// Both alphabets are taken, white space is passed, and the padding may be missing.
package enum Base64 {
  // What a character stands for: a value below 64, or one of these.
  private static let padding: UInt8 = 0xfd
  private static let space: UInt8 = 0xfe
  private static let invalid: UInt8 = 0xff

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(value) }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    values[Int(UInt8(ascii: "="))] = padding
    for letter in " \t\r\n".utf8 { values[Int(letter)] = space }
    return values
  }()

  /// The bytes that `text` stands for, or nothing if it is not base64.
  package static func decode(_ text: RawSpan) -> [UInt8]? {
    var isGood = false
    // Whole words are stored, so there is room for one byte more than a word has of them.
    let bytes = [UInt8](unsafeUninitializedCapacity: text.byteCount / 4 * 3 + 4) { target, count in
      guard let start = UnsafeMutableRawPointer(target.baseAddress) else { return }
      isGood = decode(text, into: start, &count)
    }
    return isGood ? bytes : nil
  }

  private static func decode(
    _ text: RawSpan,
    into target: UnsafeMutableRawPointer,
    _ count: inout Int
  ) -> Bool {
    var index = 0
    var rest: UInt32 = 0
    var digits = 0
    var isPadded = false
    while index < text.byteCount {
      if digits == 0, !isPadded { decodeGroups(text, into: target, &index, &count) }
      guard index < text.byteCount else { break }
      let value = values[Int(text.uncheckedByte(at: index))]
      index += 1
      switch value {
      case space: continue
      case padding: isPadded = true
      case ..<64:
        if isPadded { return false }
        rest = rest << 6 | UInt32(value)
        digits += 1
        if digits % 4 != 1 {
          let byte = UInt8(truncatingIfNeeded: rest >> UInt32(8 - digits * 2))
          target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
          count += 1
        }
        if digits == 4 { digits = 0 }
      default: return false
      }
    }
    return digits != 1
  }

  /// Decodes groups of four digits until something else comes.
  private static func decodeGroups(
    _ text: RawSpan,
    into target: UnsafeMutableRawPointer,
    _ index: inout Int,
    _ count: inout Int
  ) {
    values.withUnsafeBufferPointer { values in
      var next = index
      var written = count
      while next + 4 <= text.byteCount {
        let first = UInt32(values[Int(text.uncheckedByte(at: next))])
        let second = UInt32(values[Int(text.uncheckedByte(at: next + 1))])
        let third = UInt32(values[Int(text.uncheckedByte(at: next + 2))])
        let fourth = UInt32(values[Int(text.uncheckedByte(at: next + 3))])
        guard first | second | third | fourth < 64 else { break }
        let group = first << 26 | second << 20 | third << 14 | fourth << 8
        target.storeBytes(of: group.bigEndian, toByteOffset: written, as: UInt32.self)
        next += 4
        written += 3
      }
      index = next
      count = written
    }
  }
}
