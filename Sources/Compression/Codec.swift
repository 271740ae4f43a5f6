/// How bytes are packed on disk.
///
/// A number is used once, for good.
package enum Codec: UInt8, Sendable, Hashable, CaseIterable {
  /// As they are.
  case stored = 0

  /// One zstd frame (RFC 8878) without a dictionary.
  case zstd = 1
}

/// Why bytes could not be unpacked.
package struct CompressionError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
