/// Takes the escapes out of a string (RFC 8259, section 7).
///
/// Of 64 bytes at a time it is noted where backslashes stand, so that the run between two of them
/// is copied without waiting for what the first one meant. Runs are copied in whole words, so what
/// stands behind a run is written over by the next.
struct Unescaping {
  private let target: UnsafeMutableRawPointer

  /// How many bytes were written.
  private(set) var count = 0

  /// Whether half of a surrogate pair stood alone and became U+FFFD.
  private(set) var foundLone = false

  /// How many more bytes than the text has ``target`` must have room for.
  static let spareBytes = 8

  /// Writes to `target`, which has room for ``spareBytes`` more than the text has.
  init(into target: UnsafeMutableRawPointer) {
    self.target = target
  }

  /// Copies `text` with its escapes taken out.
  ///
  /// What is no escape is copied without its backslash.
  mutating func run(_ text: RawSpan) {
    var index = 0
    while index + 64 + 8 <= text.byteCount {
      var backslashes = text.backslashes(at: index)
      let end = index + 64
      var run = index
      while backslashes != 0 {
        let place = index + backslashes.trailingZeroBitCount
        backslashes &= backslashes - 1
        // Seen as a part of the escape before, or marked although it is none.
        if place < run || text.uncheckedByte(at: place) != UInt8(ascii: "\\") { continue }
        copy(text, run..<place)
        run = place + append(escape: place, of: text)
      }
      if run < end { copy(text, run..<end) }
      index = max(run, end)
    }
    finish(text, from: index)
  }

  /// The same for the last bytes, one at a time.
  private mutating func finish(_ text: RawSpan, from start: Int) {
    var index = start
    while index < text.byteCount {
      let byte = text.uncheckedByte(at: index)
      if byte == UInt8(ascii: "\\"), index + 1 < text.byteCount {
        index += append(escape: index, of: text)
      } else {
        append(byte)
        index += 1
      }
    }
  }

  /// Copies `range`, and a few bytes behind it that do not count.
  @inline(__always)
  private mutating func copy(_ text: RawSpan, _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let offset = count + index - range.lowerBound
      target.storeBytes(
        of: text.uncheckedWord(at: index).littleEndian,
        toByteOffset: offset,
        as: UInt64.self
      )
      index += 8
    }
    count += range.count
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends what the escape at `index` stands for, and tells how long it is.
  @inline(__always)
  private mutating func append(escape index: Int, of text: RawSpan) -> Int {
    let letter = text.uncheckedByte(at: index + 1)
    switch letter {
    case UInt8(ascii: "n"): append(0x0a)
    case UInt8(ascii: "t"): append(0x09)
    case UInt8(ascii: "r"): append(0x0d)
    case UInt8(ascii: "b"): append(0x08)
    case UInt8(ascii: "f"): append(0x0c)
    case UInt8(ascii: "u"): return append(unicode: UnicodeEscape(in: text, at: index))
    default: append(letter)
    }
    return 2
  }

  private mutating func append(unicode escape: UnicodeEscape) -> Int {
    foundLone = foundLone || escape.isLone
    for byte in UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
    return escape.byteCount
  }
}
