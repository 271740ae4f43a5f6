/// What came of unpacking bytes whose unpacked length nobody told.
package enum Unpacked: Sendable, Equatable {
  /// All of it.
  case whole([UInt8])

  /// The packed bytes end in the middle.
  case cut

  /// There is more than was allowed; nothing of it is kept.
  case tooLong

  /// It is not packed so.
  case malformed(String)
}

/// A buffer that grows to a limit, and is filled by a C library.
package struct UnpackingBuffer {
  package private(set) var bytes: [UInt8]
  package var count = 0
  private let byteCountMax: Int

  package init(packedByteCount: Int, byteCountMax: Int) {
    self.byteCountMax = byteCountMax
    // One byte more than is allowed shows that there is more.
    let expected = min(max(packedByteCount * 4, 1 << 14), byteCountMax + 1)
    bytes = [UInt8](repeating: 0, count: expected)
  }

  package var isTooLong: Bool { count > byteCountMax }

  package var contents: [UInt8] { Array(bytes[..<count]) }

  /// Lends the free bytes to `body`, which tells how many it filled.
  package mutating func fill(_ body: (UnsafeMutableRawBufferPointer) -> Int) {
    if count == bytes.count {
      let more = min(bytes.count, byteCountMax + 1 - count)
      bytes.append(contentsOf: repeatElement(0, count: more))
    }
    let start = count
    count += bytes.withUnsafeMutableBytes {
      body(UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
  }
}
