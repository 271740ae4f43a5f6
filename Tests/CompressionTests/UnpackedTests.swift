import Testing
import TidemarkCompression

/// Unpacking bytes whose unpacked length nobody told.
@Suite struct UnpackedTests {
  // "{}" and a newline, as `gzip` and `zlib` of another implementation pack them.
  private let gzip: [UInt8] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0, 0, 0,
  ]
  private let zlib: [UInt8] = [0x78, 0x9c, 0xab, 0xae, 5, 0, 1, 0x75, 0, 0xf9]
  private let raw: [UInt8] = [0xab, 0xae, 5, 0]
  private let text = Array("{}".utf8)

  @Test func `every form is unpacked, and several members of gzip`() {
    #expect(Zlib.inflate(gzip, .gzip, byteCountMax: 100) == .whole(text))
    #expect(Zlib.inflate(gzip + gzip, .gzip, byteCountMax: 100) == .whole(text + text))
    #expect(Zlib.inflate(zlib, .zlib, byteCountMax: 100) == .whole(text))
    #expect(Zlib.inflate(raw, .raw, byteCountMax: 100) == .whole(text))
  }

  @Test func `what ends in the middle is cut`() {
    for count in 0..<gzip.count {
      #expect(Zlib.inflate(Array(gzip[..<count]), .gzip, byteCountMax: 100) == .cut, "at \(count)")
    }
    for count in 0..<zlib.count {
      #expect(Zlib.inflate(Array(zlib[..<count]), .zlib, byteCountMax: 100) == .cut, "at \(count)")
    }
  }

  @Test func `what is changed, or has something behind it, is malformed`() {
    var other = gzip
    other[14] ^= 1
    for bytes in [other, gzip + [1, 2, 3], text] {
      guard case .malformed = Zlib.inflate(bytes, .gzip, byteCountMax: 100) else {
        Issue.record("\(bytes) was unpacked")
        continue
      }
    }
    guard case .malformed = Zlib.inflate(raw + [0], .raw, byteCountMax: 100) else {
      Issue.record("a byte behind the end was passed")
      return
    }
  }

  @Test func `not one byte more than is allowed is given`() {
    #expect(Zlib.inflate(gzip, .gzip, byteCountMax: 2) == .whole(text))
    #expect(Zlib.inflate(gzip, .gzip, byteCountMax: 1) == .tooLong)
    #expect(Zlib.inflate(gzip + gzip, .gzip, byteCountMax: 3) == .tooLong)
    #expect(Zlib.inflate(gzip, .gzip, byteCountMax: 0) == .tooLong)
  }

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
