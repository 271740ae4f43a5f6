import Testing
import TidemarkCompression

/// Unpacking bytes whose unpacked length nobody told.
@Suite struct UnpackedTests {
  @Test(arguments: [1, 1000, 100_000, 1_000_000])
  func `zstd is unpacked to the limit and no further`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 9) }
    let packed = Compressor().compress(bytes) ?? storedFrame(bytes)
    let decompressor = Decompressor()
    #expect(decompressor.unpack(packed, byteCountMax: count) == .whole(bytes))
    #expect(decompressor.unpack(packed + packed, byteCountMax: 2 * count) == .whole(bytes + bytes))
    #expect(decompressor.unpack(packed, byteCountMax: count - 1) == .tooLong)
    #expect(decompressor.unpack(Array(packed.dropLast()), byteCountMax: count) == .cut)
    #expect(decompressor.unpack(packed, byteCountMax: count) == .whole(bytes), "after a failure")
  }

  @Test func `what is not zstd is malformed, and nothing is cut`() {
    guard case .malformed = Decompressor().unpack([1, 2, 3, 4, 5], byteCountMax: 10) else {
      Issue.record("five bytes were unpacked")
      return
    }
    #expect(Decompressor().unpack([], byteCountMax: 10) == .cut)
  }

  /// One zstd frame with one raw block (RFC 8878, section 3.1.1): for what does not get smaller.
  private func storedFrame(_ bytes: [UInt8]) -> [UInt8] {
    let head = bytes.count << 3 | 1
    return [0x28, 0xb5, 0x2f, 0xfd, 0x20, UInt8(bytes.count)]
      + [UInt8(head & 255), UInt8(head >> 8 & 255), UInt8(head >> 16)] + bytes
  }
}
