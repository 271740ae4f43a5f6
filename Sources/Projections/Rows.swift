package import TidemarkEntries
internal import TidemarkHashing

/// Where a row of a projection stands.
package enum RowKey: Sendable, Hashable {
  /// One of the scopes, by the order of their first openings.
  case scope(UInt32)

  /// A path of a scope, or whatever else the projection names by bytes.
  case item(UInt32, [UInt8])

  /// What came by one entry.
  case entry(Seq)

  /// A letter for the case, then its numbers in big-endian order.
  package var bytes: [UInt8] {
    switch self {
    case .scope(let number): [UInt8(ascii: "s")] + RowKey.bytes(of: number)
    case .item(let number, let name): [UInt8(ascii: "i")] + RowKey.bytes(of: number) + name
    case .entry(let seq): [UInt8(ascii: "e")] + RowKey.bytes(of: seq.value)
    }
  }

  /// - Throws: ``EntryError`` if no key has these bytes.
  package init(_ bytes: [UInt8]) throws(EntryError) {
    let rest = bytes.dropFirst()
    switch (bytes.first, rest.count) {
    case (UInt8(ascii: "s"), 4): self = .scope(UInt32(truncatingIfNeeded: RowKey.number(rest)))
    case (UInt8(ascii: "i"), 4...):
      let number = UInt32(truncatingIfNeeded: RowKey.number(rest.prefix(4)))
      self = .item(number, Array(rest.dropFirst(4)))
    case (UInt8(ascii: "e"), 8): self = .entry(Seq(RowKey.number(rest)))
    default: throw EntryError(.malformed, "a row has a key of no kind")
    }
  }

  /// `keys` with their bytes, in the order of those.
  package static func inOrder(_ keys: [RowKey]) -> [(key: RowKey, bytes: [UInt8])] {
    keys.map { ($0, $0.bytes) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The digest of a state, row by row in the order of the keys.
package struct RowDigest {
  private var hash = SHA256Hash()

  package init(_ name: String, _ version: Int) {
    hash.update(Array("tidemark \(name) \(version)\n".utf8))
  }

  package mutating func add(_ key: [UInt8], _ value: [UInt8]) {
    var row = CBORWriter(capacity: value.count + 32)
    row.byteString(key)
    row.byteString(value)
    hash.update(row.bytes)
  }

  package consuming func finish() -> Digest { Digest(words: hash.finish()) }
}

extension CBORWriter {
  /// The number, or null.
  package mutating func optional(_ value: UInt64?) {
    if let value { unsigned(value) } else { null() }
  }

  package mutating func optional(_ value: DeviceTime?) {
    if let value { integer(value.milliseconds) } else { null() }
  }

  package mutating func optional(_ value: Seq?) { optional(value?.value) }

  package mutating func optional(_ value: String?) {
    if let value { text(value) } else { null() }
  }

  package mutating func optional(_ value: BodyReference?) {
    if let value { value.write(to: &self) } else { null() }
  }

  package mutating func optional(_ touches: [Touch]?) {
    guard let touches else { return null() }
    array(count: touches.count)
    for touch in touches { touch.write(to: &self) }
  }
}

/// Reads what a row holds.
package struct RowReader {
  private var reader: CBORReader
  private let storage: [UInt8]

  package init(_ bytes: [UInt8]) {
    storage = bytes
    reader = CBORReader(bytes)
  }

  /// - Throws: ``EntryError`` if the array has another count.
  package mutating func array(of count: Int) throws(EntryError) {
    guard try reader.array() == count else {
      throw EntryError(.malformed, "a row has not \(count) parts")
    }
  }

  package mutating func array() throws(EntryError) -> Int { try reader.array() }
  package mutating func unsigned() throws(EntryError) -> UInt64 { try reader.unsigned() }
  package mutating func seq() throws(EntryError) -> Seq { Seq(try reader.unsigned()) }
  package mutating func integer() throws(EntryError) -> Int64 { try reader.integer() }
  package mutating func bool() throws(EntryError) -> Bool { try reader.bool() }
  package mutating func text() throws(EntryError) -> String { try reader.string() }

  package mutating func bytes() throws(EntryError) -> [UInt8] {
    Array(storage[try reader.byteString()])
  }

  package mutating func body() throws(EntryError) -> BodyReference {
    try BodyReference(from: &reader, storage)
  }

  package mutating func file() throws(EntryError) -> AttachedFile {
    try AttachedFile(from: &reader, storage)
  }

  package mutating func pin() throws(EntryError) -> PinVersion {
    try PinVersion(from: &reader, storage)
  }

  /// What `read` gives, or nothing where null stands.
  package mutating func optional<Value>(
    _ read: (inout RowReader) throws(EntryError) -> Value
  ) throws(EntryError) -> Value? {
    if reader.takeNull() { return nil }
    return try read(&self)
  }

  package mutating func touches() throws(EntryError) -> [Touch] {
    var touches: [Touch] = []
    for _ in 0..<(try reader.array()) { touches.append(try Touch(from: &reader, storage)) }
    return touches
  }

  package mutating func list<Item>(
    _ read: (inout RowReader) throws(EntryError) -> Item
  ) throws(EntryError) -> [Item] {
    var items: [Item] = []
    for _ in 0..<(try reader.array()) { items.append(try read(&self)) }
    return items
  }

  /// Reads a row as `read` does, and nothing behind it.
  package static func whole<Value>(
    _ bytes: [UInt8],
    _ read: (inout RowReader) throws(EntryError) -> Value
  ) throws(EntryError) -> Value {
    var reader = RowReader(bytes)
    let value = try read(&reader)
    try reader.finish()
    return value
  }

  /// - Throws: ``EntryError`` if something stands behind what was read.
  package func finish() throws(EntryError) {
    guard reader.isAtEnd else { throw EntryError(.malformed, "bytes behind a row") }
  }
}
