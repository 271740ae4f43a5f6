/// A SHA-256 digest, 32 bytes.
///
/// The words are big-endian, so that comparing digests compares their bytes.
public struct Digest: Sendable, Hashable, CustomStringConvertible {
  package let words: (UInt64, UInt64, UInt64, UInt64)

  /// The number of bytes of a digest.
  public static let byteCount = 32
  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// The digest that `bytes` hold, or nothing if they are not 32.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Digest.byteCount else { return nil }
    let copy = Array(bytes)
    self.init(copy, at: 0)
  }

  /// The 32 bytes of `storage` from `offset` on.
  package init(_ storage: [UInt8], at offset: Int) {
    let span = storage.span.bytes
    func word(_ index: Int) -> UInt64 {
      let place = offset + index * 8
      return UInt64(bigEndian: span.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(Digest.byteCount)
    append(to: &result)
    return result
  }

  package func append(to bytes: inout [UInt8]) {
    let bigEndian = (
      words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
    )
    withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
  }

  public static func == (left: Digest, right: Digest) -> Bool {
    left.words == right.words
  }
  public func hash(into hasher: inout Hasher) {
    // One word of a cryptographic digest is as good as all four for a hash table.
    hasher.combine(words.0)
  }

  /// All 64 hexadecimal digits, lower case.
  public var description: String { Hex.encode(bytes) }

  /// The first eight digits, as they are shown in text.
  public var short: String { String(description.prefix(8)) }
}
