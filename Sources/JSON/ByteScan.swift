// The loops that meet every byte of a capture. They look at eight bytes at a time: in a word, the
// high bit of a byte's place marks the byte (see Warren, "Hacker's Delight", 6-1). The first mark
// is always right; one behind it may be wrong, and is looked at again where it is used. The loads
// are the unchecked ones; their bounds stand in the conditions of the loops.

internal import TidemarkEntries

private let ones: UInt64 = 0x0101_0101_0101_0101
private let highs: UInt64 = 0x8080_8080_8080_8080

extension UInt64 {
  /// Marks the first byte that equals the one that `pattern` repeats.
  @inline(__always)
  fileprivate func marks(_ pattern: UInt64) -> UInt64 {
    let difference = self ^ pattern
    return (difference &- ones) & ~difference & highs
  }

  /// How many bytes stand before the first mark.
  @inline(__always)
  fileprivate var unmarked: Int { trailingZeroBitCount / 8 }

  /// Marks quotes, backslashes and control characters, and at times another byte behind one.
  @inline(__always)
  fileprivate var specials: UInt64 {
    let quotes = self ^ 0x2222_2222_2222_2222
    let backslashes = self ^ 0x5c5c_5c5c_5c5c_5c5c
    let marks =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((self &- 0x2020_2020_2020_2020) & ~self)
    return marks & highs
  }

  /// The marks of the eight bytes in the low eight bits.
  @inline(__always)
  fileprivate var packed: UInt64 { ((self >> 7) &* 0x0102_0408_1020_4080) >> 56 }
}

extension RawSpan {
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  }

  /// Passes characters and escapes of a string up to what needs a closer look.
  ///
  /// That is a quote, a control character, or an escape that is none or reaches beyond `end`.
  func passCharacters(from start: Int, to end: Int, _ hasEscapes: inout Bool) -> Int {
    precondition(0 <= start && start <= end && end <= byteCount, "outside the bytes")
    var index = start
    while index < end {
      if index + 8 <= end {
        let marks = word(at: index).specials
        index += marks == 0 ? 8 : marks.unmarked
        if marks == 0 { continue }
      }
      let byte = byte(at: index)
      if byte == UInt8(ascii: "\\") {
        let length = index + 1 < end ? escapeByteCount(at: index, to: end) : 0
        if length == 0 { return index }
        hasEscapes = true
        index += length
      } else if byte < 0x20 || byte == UInt8(ascii: "\"") {
        return index
      } else {
        index += 1
      }
    }
    return index
  }

  /// The length of the escape at `index`, which does not reach beyond `end`; 0 if it is none.
  @inline(__always)
  private func escapeByteCount(at index: Int, to end: Int) -> Int {
    switch byte(at: index + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard index + 6 <= end else { return 0 }
      for digit in index + 2..<index + 6 where Hex.value(of: byte(at: digit)) == nil { return 0 }
      return 6
    default: return 0
    }
  }

  /// One bit for each of the 64 bytes at `index`: set for a backslash, and at times for a byte
  /// behind one.
  @inline(__always)
  func backslashes(at index: Int) -> UInt64 {
    var bits: UInt64 = 0
    for part in 0..<8 {
      let marks = word(at: index + part * 8).marks(0x5c5c_5c5c_5c5c_5c5c)
      bits |= marks.packed << UInt64(part * 8)
    }
    return bits
  }

  /// The index of the first byte from `start` on that is not white space, or `end`.
  func passSpace(from start: Int, to end: Int) -> Int {
    precondition(0 <= start && start <= end && end <= byteCount, "outside the bytes")
    var index = start
    while index < end {
      if index + 8 <= end {
        // Captures are often indented, by many spaces.
        let others = word(at: index) ^ 0x2020_2020_2020_2020
        index += others == 0 ? 8 : others.unmarked
        if others == 0 { continue }
      }
      switch byte(at: index) {
      case 0x20, 0x0a, 0x0d, 0x09: index += 1
      default: return index
      }
    }
    return index
  }

  /// Whether the bytes are UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing cut.
  package var isUTF8: Bool {
    var index = 0
    while index < byteCount {
      if index + 8 <= byteCount {
        let marks = word(at: index) & highs
        index += marks == 0 ? 8 : marks.unmarked
        if marks == 0 { continue }
      }
      // Where one character is not ASCII, the next is often not either.
      repeat {
        let length = characterByteCount(at: index)
        if length == 0 { return false }
        index += length
      } while index < byteCount && byte(at: index) >= 0x80
    }
    return true
  }

  /// The length of the character at `index`; 0 if it is none.
  @inline(__always)
  private func characterByteCount(at index: Int) -> Int {
    let first = byte(at: index)
    let left = byteCount - index
    switch first {
    case 0..<0x80: return 1
    case 0xc2..<0xe0: return left >= 2 && continues(index + 1) ? 2 : 0
    case 0xe0..<0xf0:
      guard left >= 3, continues(index + 1), continues(index + 2) else { return 0 }
      let second = byte(at: index + 1)
      return first == 0xe0 && second < 0xa0 || first == 0xed && second >= 0xa0 ? 0 : 3
    case 0xf0..<0xf5:
      guard left >= 4, continues(index + 1), continues(index + 2), continues(index + 3) else {
        return 0
      }
      let second = byte(at: index + 1)
      return first == 0xf0 && second < 0x90 || first == 0xf4 && second >= 0x90 ? 0 : 4
    default: return 0
    }
  }

  @inline(__always)
  private func continues(_ index: Int) -> Bool {
    byte(at: index) & 0xc0 == 0x80
  }
}
