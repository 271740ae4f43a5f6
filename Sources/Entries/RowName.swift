/// How a page of a list names one of its rows: the first 16 bytes of the SHA-256 of its id.
///
/// Ids can be long and say much; two ids of one list that share 128 bits are not met by chance.
package struct RowName: Sendable, Hashable {
  package let bytes: (UInt64, UInt64)

  /// How many bytes it has.
  package static let byteCount = 16

  package init(_ digest: Digest) {
    bytes = (digest.words.0, digest.words.1)
  }

  /// The names that stand one behind the other in `bytes`; what is left over is passed.
  package static func names(in bytes: [UInt8]) -> [RowName] {
    stride(from: 0, to: bytes.count - bytes.count % byteCount, by: byteCount).map {
      RowName(bytes, at: $0)
    }
  }

  private init(_ storage: [UInt8], at offset: Int) {
    func word(_ start: Int) -> UInt64 {
      storage[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    bytes = (word(offset), word(offset + 8))
  }

  package func append(to storage: inout [UInt8]) {
    withUnsafeBytes(of: (bytes.0.bigEndian, bytes.1.bigEndian)) { storage += $0 }
  }

  package static func == (left: RowName, right: RowName) -> Bool { left.bytes == right.bytes }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes.0)
  }
}
