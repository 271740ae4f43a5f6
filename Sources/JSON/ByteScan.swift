// The loops that meet every byte of a capture. They look at eight bytes at a time: in a word, the
// high bit of a byte's place marks the byte (see Warren, "Hacker's Delight", 6-1). Below the first
// mark the masks are exact, and only the first mark is used. The loads are the unchecked ones; their
// bounds stand in the conditions of the loops.

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
}

extension RawSpan {
  @inline(__always)
  fileprivate func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  }

  /// The index of the first quote, backslash or control character from `start` on, or `end`.
  func passPlain(from start: Int, to end: Int) -> Int {
    precondition(0 <= start && start <= end && end <= byteCount, "outside the bytes")
    var index = start
    while index + 8 <= end {
      let word = word(at: index)
      let marks =
        word.marks(0x2222_2222_2222_2222) | word.marks(0x5c5c_5c5c_5c5c_5c5c)
        | ((word &- 0x2020_2020_2020_2020) & ~word & highs)
      if marks != 0 { return index + marks.unmarked }
      index += 8
    }
    while index < end {
      let byte = byte(at: index)
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index += 1
    }
    return index
  }

  /// The index of the first byte from `start` on that is not white space, or `end`.
  func passSpace(from start: Int, to end: Int) -> Int {
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
  var isUTF8: Bool {
    var index = 0
    while index < byteCount {
      if index + 8 <= byteCount, word(at: index) & highs == 0 {
        index += 8
        continue
      }
      let length = sequence(at: index)
      if length == 0 { return false }
      index += length
    }
    return true
  }

  /// The length of the character at `index`; 0 if it is none.
  private func sequence(at index: Int) -> Int {
    let first = byte(at: index)
    if first < 0x80 { return 1 }
    let (length, seconds): (Int, ClosedRange<UInt8>) =
      switch first {
      case 0xc2...0xdf: (2, 0x80...0xbf)
      case 0xe0: (3, 0xa0...0xbf)
      case 0xed: (3, 0x80...0x9f)
      case 0xe1...0xef: (3, 0x80...0xbf)
      case 0xf0: (4, 0x90...0xbf)
      case 0xf1...0xf3: (4, 0x80...0xbf)
      case 0xf4: (4, 0x80...0x8f)
      default: (0, 0x80...0xbf)
      }
    guard length > 0, index + length <= byteCount, seconds.contains(byte(at: index + 1)) else {
      return 0
    }
    for following in index + 2..<max(index + 2, index + length)
    where byte(at: following) & 0xc0 != 0x80 { return 0 }
    return length
  }

  /// Copies everything to `target` with escapes taken out.
  ///
  /// `target` has room for 8 bytes more than there are: whole words are stored. Tells how many bytes
  /// were written, and whether half of a surrogate pair stood alone and became U+FFFD.
  func unescape(into target: UnsafeMutableRawPointer) -> (count: Int, isAltered: Bool) {
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
      let byte = byte(at: index)
      guard byte == UInt8(ascii: "\\") else {
        target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
        index += 1
        written += 1
        continue
      }
      let escape = JSONEscape(in: self, at: index)
      index += escape.byteCount
      isAltered = isAltered || escape.isLone
      for byte in UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter {
        target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
        written += 1
      }
    }
    return (written, isAltered)
  }
}
