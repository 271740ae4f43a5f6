// The loops that meet every byte of a capture. They look at eight bytes at a time: in a word, the
// high bit of a byte's place marks the byte (see Warren, "Hacker's Delight", 6-1). Below the first
// mark the masks are exact, and only the first mark is used. The loads are the unchecked ones; their
// bounds stand in the conditions of the loops.

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
  fileprivate func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  @inline(__always)
  package func byte(at index: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  }

  /// One bit for each of the 64 bytes at `index`: set where a quote, a backslash or a control
  /// character stands, and at times for another byte behind one of these.
  @inline(__always)
  private func specials(at index: Int) -> UInt64 {
    var bits: UInt64 = 0
    for part in 0..<8 {
      bits |= word(at: index + part * 8).specials.packed << UInt64(part * 8)
    }
    return bits
  }

  /// Passes characters and escapes of a string up to what needs a closer look.
  ///
  /// That is a quote, a control character, or an escape that is none or reaches beyond `end`.
  package func passCharacters(from start: Int, to end: Int, _ hasEscapes: inout Bool) -> Int {
    precondition(0 <= start && start <= end && end <= byteCount, "outside the bytes")
    var index = passFirstCharacters(from: start, to: end)
    if index < end, byte(at: index) == UInt8(ascii: "\"") { return index }
    while index + 64 <= end {
      var bits = specials(at: index)
      var next = index + 64
      while bits != 0 {
        let special = index + bits.trailingZeroBitCount
        bits &= bits &- 1
        let byte = byte(at: special)
        if byte == UInt8(ascii: "\\") {
          let length = special + 1 < end ? escapeByteCount(at: special, to: end) : 0
          if length == 0 { return special }
          hasEscapes = true
          // What the backslash escapes is not looked at.
          bits &= ~(1 << UInt64(special + 1 - index))
          next = max(next, special + length)
        } else if byte < 0x20 || byte == UInt8(ascii: "\"") {
          return special
        }
      }
      index = next
    }
    return passLastCharacters(from: index, to: end, &hasEscapes)
  }

  /// Passes plain characters, a few words of them: most strings are short.
  @inline(__always)
  private func passFirstCharacters(from start: Int, to end: Int) -> Int {
    var index = start
    while index + 8 <= end, index < start + 32 {
      let marks = word(at: index).specials
      if marks != 0 { return index + marks.unmarked }
      index += 8
    }
    return index
  }

  /// The same for the end of the bytes, one at a time.
  private func passLastCharacters(from start: Int, to end: Int, _ hasEscapes: inout Bool) -> Int {
    var index = start
    while index < end {
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

  /// The index of the first byte from `start` on that is not white space, or `end`.
  package func passSpace(from start: Int, to end: Int) -> Int {
    precondition(0 <= start && start <= end && end <= byteCount, "outside the bytes")
    var index = start
    while index < end {
      switch byte(at: index) {
      case 0x20:
        index += 1
        // Captures are often indented, by many spaces.
        while index + 8 <= end, word(at: index) == 0x2020_2020_2020_2020 { index += 8 }
      case 0x0a, 0x0d, 0x09: index += 1
      default: return index
      }
    }
    return index
  }

  /// Whether the bytes are UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing cut.
  package var isUTF8: Bool {
    var index = 0
    while index < byteCount {
      if index + 8 <= byteCount, word(at: index) & highs == 0 {
        index += 8
        continue
      }
      let length = characterByteCount(at: index)
      if length == 0 { return false }
      index += length
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

  /// Copies everything to `target` with escapes taken out.
  ///
  /// `target` has room for 8 bytes more than there are: whole words are stored. Tells how many bytes
  /// were written, and whether half of a surrogate pair stood alone and became U+FFFD.
  package func unescape(into target: UnsafeMutableRawPointer) -> (count: Int, isAltered: Bool) {
    var index = 0
    var written = 0
    var isAltered = false
    while index < byteCount {
      if index + 8 <= byteCount {
        let word = word(at: index)
        target.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
        let marks = word.marks(0x5c5c_5c5c_5c5c_5c5c)
        let plain = marks == 0 ? 8 : marks.unmarked
        index += plain
        written += plain
        if marks == 0 { continue }
      }
      var byte = byte(at: index)
      if byte == UInt8(ascii: "\\"), index + 1 < byteCount {
        let letter = self.byte(at: index + 1)
        if letter == UInt8(ascii: "u") {
          let escape = UnicodeEscape(in: self, at: index)
          isAltered = isAltered || escape.isLone
          index += escape.byteCount
          for byte in UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter {
            target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
            written += 1
          }
          continue
        }
        byte = RawSpan.meaning(of: letter)
        index += 1
      }
      target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
      index += 1
      written += 1
    }
    return (written, isAltered)
  }

  /// What the letter behind a backslash stands for.
  @inline(__always)
  private static func meaning(of letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    default: letter
    }
  }
}
