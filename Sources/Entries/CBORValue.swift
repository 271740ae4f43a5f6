/// One item of CBOR as a tree, for tools that show what they do not know.
public indirect enum CBORValue: Sendable, Hashable {
  case unsigned(UInt64)

  /// −1 − the number.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  case map([Pair])
  case tag(UInt64, CBORValue)
  case float(Double)
  case simple(UInt8)

  /// A key of a map with its value.
  public struct Pair: Sendable, Hashable {
    /// Any item; it is unique in its map.
    public var key: CBORValue

    /// What the key stands for.
    public var value: CBORValue

    public init(_ key: CBORValue, _ value: CBORValue) {
      self.key = key
      self.value = value
    }
  }

  /// Reads one item that takes up all of `bytes`.
  ///
  /// - Throws: ``EntryError`` with code `malformed` or `limit`.
  public init(_ bytes: [UInt8]) throws(EntryError) {
    var reader = CBORReader(bytes)
    try reader.skip()
    guard reader.isAtEnd else { throw EntryError(.malformed, "bytes behind the item") }
    reader.position = 0
    self = try reader.value()
  }

  /// The deterministic bytes of the item; maps are put in order.
  public var encoded: [UInt8] {
    var writer = CBORWriter()
    writer.value(self)
    return writer.bytes
  }
}

extension CBORReader {
  /// The next item as a tree; ``skip(depth:)`` has checked it.
  package mutating func value() throws(EntryError) -> CBORValue {
    let start = position
    let (major, argument) = try head()
    switch major {
    case 0: return .unsigned(argument)
    case 1: return .negative(argument)
    case 2: return .bytes(Array(storage[try take(argument)]))
    case 3: return .text(String(decoding: storage[try take(argument)], as: UTF8.self))
    case 4:
      var items: [CBORValue] = []
      for _ in 0..<(try count(argument)) { items.append(try value()) }
      return .array(items)
    case 5:
      var pairs: [CBORValue.Pair] = []
      for _ in 0..<(try count(argument)) {
        let key = try value()
        pairs.append(CBORValue.Pair(key, try value()))
      }
      return .map(pairs)
    case 6: return .tag(argument, try value())
    default:
      let info = storage[start] & 0x1f
      guard (25...27).contains(info) else { return .simple(UInt8(truncatingIfNeeded: argument)) }
      return .float(CBORReader.float(info, storage[(start + 1)..<position]))
    }
  }
}

extension CBORWriter {
  package mutating func value(_ value: CBORValue) {
    switch value {
    case .unsigned(let number): head(0, number)
    case .negative(let number): head(1, number)
    case .bytes(let content): byteString(content)
    case .text(let content): text(content)
    case .array(let items):
      array(count: items.count)
      for item in items { self.value(item) }
    case .map(let pairs):
      map(count: pairs.count)
      let encoded = pairs.map { ($0.key.encoded, $0.value) }
      for (key, item) in encoded.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
        bytes += key
        self.value(item)
      }
    case .tag(let number, let item):
      head(6, number)
      self.value(item)
    case .float(let number): float(number)
    case .simple(let number): head(7, UInt64(number))
    }
  }
}
