/// Reads deterministic CBOR and refuses any other (RFC 8949, section 4.2.1).
///
/// The bytes come from a disk or a network and are not trusted: every length is compared with what
/// is left before it is used, and nesting ends at ``depthMax``.
package struct CBORReader {
  @usableFromInline let storage: [UInt8]
  @usableFromInline package var position: Int
  @usableFromInline package let end: Int

  /// How deep arrays, maps and tags may nest.
  package static let depthMax = 16

  /// Reads `range` of `storage`; positions are those of `storage`.
  @inlinable
  package init(_ storage: [UInt8], in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= storage.count, "outside the bytes")
    self.storage = storage
    position = range.lowerBound
    end = range.upperBound
  }

  @inlinable
  package init(_ storage: [UInt8]) {
    self.init(storage, in: 0..<storage.count)
  }

  @inlinable package var isAtEnd: Bool { position == end }

  /// The head of the next item: its major type and its argument.
  @inlinable @inline(__always)
  package mutating func head() throws(EntryError) -> (major: UInt8, argument: UInt64) {
    guard position < end else { throw .cut }
    let first = storage[position]
    position += 1
    let info = first & 0x1f
    if info < 24 { return (first >> 5, UInt64(info)) }
    return (first >> 5, try argument(info, isFloat: first >> 5 == 7))
  }

  @usableFromInline
  mutating func argument(_ info: UInt8, isFloat: Bool) throws(EntryError) -> UInt64 {
    guard info <= 27 else { throw .notDeterministic("a reserved or indefinite length") }
    let byteCount = 1 << (Int(info) - 24)
    guard end - position >= byteCount else { throw .cut }
    let value = CBORWalk.number(storage.span.bytes, position, byteCount)
    position += byteCount
    // What fits into half of the bytes, or below 24 into the head itself, is not written so.
    let least: UInt64 = byteCount == 1 ? 24 : 1 << UInt64(byteCount * 4)
    guard isFloat || value >= least else { throw .notDeterministic("a head longer than needed") }
    return value
  }

  @inlinable @inline(__always)
  mutating func argument(of major: UInt8, _ wanted: StaticString) throws(EntryError) -> UInt64 {
    let head = try head()
    guard head.major == major else { throw .unexpected(wanted) }
    return head.argument
  }

  @inlinable @inline(__always)
  package mutating func unsigned() throws(EntryError) -> UInt64 {
    try argument(of: 0, "an unsigned integer")
  }

  @inlinable @inline(__always)
  package mutating func integer() throws(EntryError) -> Int64 {
    let (major, argument) = try head()
    guard major <= 1, argument <= UInt64(Int64.max) else { throw .unexpected("an integer") }
    return major == 0 ? Int64(argument) : ~Int64(argument)
  }

  /// The range of the next byte string.
  @inlinable @inline(__always)
  package mutating func byteString() throws(EntryError) -> Range<Int> {
    try take(try argument(of: 2, "a byte string"))
  }

  /// The range of the next text, which is valid UTF-8.
  package mutating func text() throws(EntryError) -> Range<Int> {
    let range = try take(try argument(of: 3, "a text"))
    guard String(validating: storage[range], as: UTF8.self) != nil else {
      throw .unexpected("UTF-8")
    }
    return range
  }

  package mutating func string() throws(EntryError) -> String {
    String(decoding: storage[try text()], as: UTF8.self)
  }

  /// The number of items of the next array; none is larger than the bytes that are left.
  @inlinable @inline(__always)
  package mutating func array() throws(EntryError) -> Int {
    try count(try argument(of: 4, "an array"))
  }

  /// The number of pairs of the next map.
  @inlinable @inline(__always)
  package mutating func map() throws(EntryError) -> Int {
    try count(try argument(of: 5, "a map"))
  }

  /// Passes null, if that comes next.
  package mutating func takeNull() -> Bool {
    guard position < end, storage[position] == 0xf6 else { return false }
    position += 1
    return true
  }

  package mutating func bool() throws(EntryError) -> Bool {
    switch try head() {
    case (7, 20): return false
    case (7, 21): return true
    default: throw .unexpected("true or false")
    }
  }

  @inlinable @inline(__always)
  mutating func take(_ length: UInt64) throws(EntryError) -> Range<Int> {
    guard length <= UInt64(end - position) else { throw .cut }
    let start = position
    position += Int(length)
    return start..<position
  }

  @inlinable @inline(__always)
  func count(_ count: UInt64) throws(EntryError) -> Int {
    guard count <= UInt64(end - position) else { throw .cut }
    return Int(count)
  }

  /// Passes one item, having checked that it and all that it holds is deterministic.
  ///
  /// - Complexity: O(*n*) in the bytes of the item; the depth is at most ``depthMax``.
  package mutating func skip(depth: Int = 0) throws(EntryError) {
    var walk = CBORWalk(at: position, end: end)
    try walk.skip(storage.span.bytes, depth: depth)
    position = walk.position
  }

  /// The number that a float of 2, 4 or 8 bytes stands for.
  static func float(_ info: UInt8, _ bytes: ArraySlice<UInt8>) -> Double {
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return switch info {
    case 25: HalfFloat.value(of: UInt16(bits))
    case 26: Double(Float(bitPattern: UInt32(bits)))
    default: Double(bitPattern: bits)
    }
  }
}

extension EntryError {
  @usableFromInline static var cut: EntryError { EntryError(.malformed, "the bytes end too early") }

  @usableFromInline
  static func unexpected(_ wanted: StaticString) -> EntryError {
    EntryError(.malformed, "\(wanted) is expected")
  }

  static func notDeterministic(_ what: String) -> EntryError {
    EntryError(.malformed, "not deterministic CBOR: \(what)")
  }
}
