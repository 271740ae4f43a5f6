#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Bytes that are compared many at a time.
package enum Bytes {
  package static func areEqual(
    _ left: UnsafeRawBufferPointer,
    _ right: UnsafeRawBufferPointer
  ) -> Bool {
    guard left.count == right.count, let left = left.baseAddress, let start = right.baseAddress
    else { return left.count == right.count }
    return memcmp(left, start, right.count) == 0
  }

  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { areEqual(left, $0) } }
  }
}

extension Entry {
  /// Whether `bytes` are what stands in `range` of its storage.
  package func holds(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    storage.withUnsafeBytes { raw in
      bytes.withUnsafeBytes { Bytes.areEqual(UnsafeRawBufferPointer(rebasing: raw[range]), $0) }
    }
  }
}
