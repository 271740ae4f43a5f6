/// How bytes are packed on disk.
///
/// A number is used once, for good.
package enum Codec: UInt8, Sendable, Hashable, CaseIterable {
  /// As they are.
  case stored = 0

  /// One zstd frame (RFC 8878) without a dictionary.
  case zstd = 1

  /// The codec that `number` stands for, if this build has it.
  package init?(number: Int64) {
    guard let known = UInt8(exactly: number).flatMap(Codec.init(rawValue:)) else { return nil }
    self = known
  }

  /// As SQLite stores it.
  package var number: Int64 { Int64(rawValue) }
}

/// Why bytes could not be unpacked.
package struct CompressionError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
