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

  /// Marks all bytes that are zero, and no other.
  @inline(__always)
  fileprivate var zeros: UInt64 {
    ~(((self & ~highs) &+ ~highs) | self | ~highs)
  }

  /// The marks of the eight bytes in the low eight bits.
  @inline(__always)
  fileprivate var packed: UInt64 { ((self >> 7) &* 0x0102_0408_1020_4080) >> 56 }
}

extension RawSpan {
  /// Eight bytes; a release build does not look whether they are there.
  @inline(__always)
  func uncheckedWord(at index: Int) -> UInt64 {
    assert(0 <= index && index + 8 <= byteCount, "outside the bytes")
    return UInt64(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
    )
  }

  /// One byte; a release build does not look whether it is there.
  @inline(__always)
  func uncheckedByte(at index: Int) -> UInt8 {
    assert(0 <= index && index < byteCount, "outside the bytes")
    return unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  }

  /// Passes characters and escapes of a string up to what needs a closer look.
  ///
  /// That is a quote, a control character, or an escape that is none or reaches beyond `end`.
  func passCharacters(from start: Int, to end: Int, _ hasEscapes: inout Bool) -> Int {
    precondition(0 <= start && start <= end && end <= byteCount, "outside the bytes")
    // Most strings are short; of a long one, many bytes are looked at in one go.
    let near = passFew(from: start, to: min(end, start + 64), &hasEscapes)
    guard near >= start + 64 - 6, near < end else { return near }
    let far = passBlocks(from: near, to: end, &hasEscapes)
    return passFew(from: far, to: end, &hasEscapes)
  }

  /// Passes what stands in whole blocks of 64 bytes; it may stop before there is a reason to.
  private func passBlocks(from start: Int, to end: Int, _ hasEscapes: inout Bool) -> Int {
    var index = start
    var isEscaped = false
    // An escape that begins in a block has up to five bytes behind it.
    while index + 64 + 5 <= end {
      let block = StringBlock(self, at: index, isFirstEscaped: isEscaped)
      let stop = block.stop
      hasEscapes = hasEscapes || block.hasEscapes(before: stop)
      var letters = block.letters(before: stop)
      while letters != 0 {
        let place = index + letters.trailingZeroBitCount
        letters &= letters - 1
        if escapeByteCount(at: place - 1, to: end) == 0 { return place - 1 }
      }
      // An escape of the last byte is looked at with what follows.
      if stop < 64 { return index + stop - (block.isEscaped(stop) ? 1 : 0) }
      isEscaped = block.isNextEscaped
      index += 64
    }
    return isEscaped ? index - 1 : index
  }

  private func passFew(from start: Int, to end: Int, _ hasEscapes: inout Bool) -> Int {
    var index = start
    while index < end {
      if index + 8 <= end {
        let marks = uncheckedWord(at: index).specials
        index += marks == 0 ? 8 : marks.unmarked
        if marks == 0 { continue }
      }
      let byte = uncheckedByte(at: index)
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
    switch uncheckedByte(at: index + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard index + 6 <= end else { return 0 }
      for digit in index + 2..<index + 6 where Hex.value(of: uncheckedByte(at: digit)) == nil {
        return 0
      }
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
      let marks = uncheckedWord(at: index + part * 8).marks(0x5c5c_5c5c_5c5c_5c5c)
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
        let others = uncheckedWord(at: index) ^ 0x2020_2020_2020_2020
        index += others == 0 ? 8 : others.unmarked
        if others == 0 { continue }
      }
      switch uncheckedByte(at: index) {
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
        let marks = uncheckedWord(at: index) & highs
        index += marks == 0 ? 8 : marks.unmarked
        if marks == 0 { continue }
      }
      // Where one character is not ASCII, the next is often not either.
      repeat {
        let length = characterByteCount(at: index)
        if length == 0 { return false }
        index += length
      } while index < byteCount && uncheckedByte(at: index) >= 0x80
    }
    return true
  }

  /// The length of the character at `index`; 0 if it is none.
  @inline(__always)
  private func characterByteCount(at index: Int) -> Int {
    let first = uncheckedByte(at: index)
    let left = byteCount - index
    switch first {
    case 0..<0x80: return 1
    case 0xc2..<0xe0: return left >= 2 && continues(index + 1) ? 2 : 0
    case 0xe0..<0xf0:
      guard left >= 3, continues(index + 1), continues(index + 2) else { return 0 }
      let second = uncheckedByte(at: index + 1)
      return first == 0xe0 && second < 0xa0 || first == 0xed && second >= 0xa0 ? 0 : 3
    case 0xf0..<0xf5:
      guard left >= 4, continues(index + 1), continues(index + 2), continues(index + 3) else {
        return 0
      }
      let second = uncheckedByte(at: index + 1)
      return first == 0xf0 && second < 0x90 || first == 0xf4 && second >= 0x90 ? 0 : 4
    default: return 0
    }
  }

  @inline(__always)
  private func continues(_ index: Int) -> Bool {
    uncheckedByte(at: index) & 0xc0 == 0x80
  }
}

/// What matters of 64 bytes of a string: one bit for each byte, the first one lowest.
private struct StringBlock {
  private var quotes: UInt64 = 0
  private var backslashes: UInt64 = 0
  private var controls: UInt64 = 0

  /// The bytes behind a backslash that is none itself.
  private var escaped: UInt64 = 0

  /// Whether the byte behind the block is one of these.
  private(set) var isNextEscaped = false

  @inline(__always)
  init(_ bytes: RawSpan, at index: Int, isFirstEscaped: Bool) {
    for part in 0..<8 {
      let word = bytes.uncheckedWord(at: index + part * 8)
      let shift = UInt64(part * 8)
      quotes |= (word ^ 0x2222_2222_2222_2222).zeros.packed &<< shift
      backslashes |= (word ^ 0x5c5c_5c5c_5c5c_5c5c).zeros.packed &<< shift
      controls |= (word & 0xe0e0_e0e0_e0e0_e0e0).zeros.packed &<< shift
    }
    let first: UInt64 = isFirstEscaped ? 1 : 0
    guard backslashes | first != 0 else { return }
    // Of a run of backslashes every second one is escaped; subtraction carries through a run
    // (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", 2019).
    let odd: UInt64 = 0xaaaa_aaaa_aaaa_aaaa
    let starting = backslashes & ~first
    let series = (((starting &<< 1) | odd) &- starting) ^ odd
    escaped = series ^ (backslashes | first)
    isNextEscaped = (series & backslashes) >> 63 == 1
  }

  /// The place of the quote that ends the string, or of a control character; 64 if there is none.
  var stop: Int { ((quotes & ~escaped) | controls).trailingZeroBitCount }

  func isEscaped(_ place: Int) -> Bool { escaped >> UInt64(place) & 1 == 1 }

  func hasEscapes(before place: Int) -> Bool { backslashes & mask(before: place) != 0 }

  /// The letters of escapes; of a quote and a backslash nothing is left to be looked at.
  func letters(before place: Int) -> UInt64 {
    escaped & ~quotes & ~backslashes & mask(before: place)
  }

  private func mask(before place: Int) -> UInt64 {
    place == 64 ? .max : 1 &<< UInt64(place) &- 1
  }
}
