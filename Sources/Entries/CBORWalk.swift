/// Passes items of deterministic CBOR, and looks at every byte of them.
///
/// This is what verifying a journal does to each entry, so nothing is copied and nothing allocated.
/// Offsets are compared with ``end`` before a byte is loaded; the span is not asked again.
struct CBORWalk {
  private(set) var position: Int
  private let end: Int

  /// Begins at `position`; nothing at or behind `end` is looked at, which is inside the bytes.
  init(at position: Int, end: Int) {
    self.position = position
    self.end = end
  }

  /// Passes one item with all that it holds.
  ///
  /// - Throws: ``EntryError`` with code `malformed` or, nested too deeply, `limit`.
  mutating func skip(_ bytes: RawSpan, depth: Int) throws(EntryError) {
    guard depth <= CBORReader.depthMax else {
      throw EntryError(.limit, "nested deeper than \(CBORReader.depthMax)")
    }
    let start = position
    let (major, argument) = try head(bytes)
    switch major {
    case 0, 1: break
    case 2: try pass(argument)
    case 3:
      let text = position
      try pass(argument)
      guard CBORWalk.isUTF8(bytes, text..<position) else { throw .unexpected("UTF-8") }
    case 4: for _ in 0..<(try count(argument)) { try skip(bytes, depth: depth + 1) }
    case 5: try skipPairs(bytes, try count(argument), depth: depth)
    case 6: try skip(bytes, depth: depth + 1)
    default: try checkSimple(bytes, at: start)
    }
  }

  private mutating func skipPairs(
    _ bytes: RawSpan,
    _ count: Int,
    depth: Int
  ) throws(EntryError) {
    var previous = position..<position
    for _ in 0..<count {
      let start = position
      try skip(bytes, depth: depth + 1)
      guard CBORWalk.isAscending(bytes, previous, start..<position) else {
        throw .notDeterministic("map keys out of order")
      }
      previous = start..<position
      try skip(bytes, depth: depth + 1)
    }
  }

  private func checkSimple(_ bytes: RawSpan, at start: Int) throws(EntryError) {
    let info = CBORWalk.byte(bytes, start) & 0x1f
    switch info {
    case 25, 26, 27:
      var writer = CBORWriter()
      let content = (start..<position).map { CBORWalk.byte(bytes, $0) }
      writer.float(CBORReader.float(info, content[1...]))
      guard writer.bytes == content else { throw .notDeterministic("a number wider than needed") }
    case 24:
      guard CBORWalk.byte(bytes, start + 1) >= 32 else {
        throw .notDeterministic("a simple value below 32")
      }
    default: break
    }
  }

  // MARK: Heads

  private mutating func head(
    _ bytes: RawSpan
  ) throws(EntryError) -> (major: UInt8, argument: UInt64) {
    guard position < end else { throw .cut }
    let first = CBORWalk.byte(bytes, position)
    position += 1
    let info = first & 0x1f
    if info < 24 { return (first >> 5, UInt64(info)) }
    guard info <= 27 else { throw .notDeterministic("a reserved or indefinite length") }
    let byteCount = 1 << (Int(info) - 24)
    guard end - position >= byteCount else { throw .cut }
    let value = CBORWalk.number(bytes, position, byteCount)
    position += byteCount
    // What fits into half of the bytes, or below 24 into the head itself, is not written so.
    let least: UInt64 = byteCount == 1 ? 24 : 1 << UInt64(byteCount * 4)
    guard first >> 5 == 7 || value >= least else {
      throw .notDeterministic("a head longer than needed")
    }
    return (first >> 5, value)
  }

  private mutating func pass(_ length: UInt64) throws(EntryError) {
    position += try count(length)
  }

  /// A number of items or bytes: none is larger than the bytes that are left.
  private func count(_ count: UInt64) throws(EntryError) -> Int {
    guard count <= UInt64(end - position) else { throw .cut }
    return Int(count)
  }

  // MARK: Bytes

  private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
    bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// The big-endian number of 1, 2, 4 or 8 bytes, which the caller knows to be there.
  static func number(_ bytes: RawSpan, _ offset: Int, _ byteCount: Int) -> UInt64 {
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> UInt64 {
      let number = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Number.self)
      return UInt64(truncatingIfNeeded: Number(bigEndian: number))
    }
    return switch byteCount {
    case 1: load(UInt8.self)
    case 2: load(UInt16.self)
    case 4: load(UInt32.self)
    default: load(UInt64.self)
    }
  }

  private static func isUTF8(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    if range.allSatisfy({ byte(bytes, $0) < 0x80 }) { return true }
    return String(validating: range.map { byte(bytes, $0) }, as: UTF8.self) != nil
  }

  private static func isAscending(
    _ bytes: RawSpan,
    _ left: Range<Int>,
    _ right: Range<Int>
  ) -> Bool {
    var (place, other) = (left.lowerBound, right.lowerBound)
    while place < left.upperBound, other < right.upperBound {
      let pair = (byte(bytes, place), byte(bytes, other))
      if pair.0 != pair.1 { return pair.0 < pair.1 }
      (place, other) = (place + 1, other + 1)
    }
    return left.count < right.count
  }
}
