import Testing
import TidemarkCompression
import TidemarkInflate

/// Unpacking what HTTP calls gzip and deflate.
@Suite struct ZlibTests {
  // `{}`, as another implementation packs it.
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
}
