import TestSupport
import Testing
import TidemarkCompression

/// One frame of which is known how long it is unpacked.
@Suite struct ZstdTests {
  private static func repetitive(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 / 100) }
  }

  @Test(arguments: [-5, -1, 1, 3, 19] as [Int32])
  func `what was packed is unpacked, with one context again and again`(level: Int32) throws {
    let compressor = Compressor(level: level)
    let decompressor = Decompressor()
    for count in [1000, 70_000, 1000, 1_000_000] {
      let bytes = ZstdTests.repetitive(count)
      let packed = try #require(compressor.compress(bytes))
      #expect(packed.count < bytes.count)
      #expect(try decompressor.decompress(packed, byteCount: count) == bytes)
    }
  }

  @Test func `what would not get smaller is not packed`() {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    let compressor = Compressor()
    for count in [0, 1, 10, 1000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      #expect(compressor.compress(bytes) == nil, "\(count) bytes (seed \(seed))")
    }
  }

  @Test(arguments: [0, 1, 999, 1001, 1_000_000])
  func `a frame that gives another number of bytes is refused`(announced: Int) throws {
    let bytes = ZstdTests.repetitive(1000)
    let packed = try #require(Compressor().compress(bytes))
    let decompressor = Decompressor()
    #expect(throws: CompressionError.self) {
      try decompressor.decompress(packed, byteCount: announced)
    }
    #expect(try decompressor.decompress(packed, byteCount: 1000) == bytes, "after a failure")
  }

  @Test func `a frame that is cut anywhere, or followed by bytes, is refused`() throws {
    let bytes = ZstdTests.repetitive(1000)
    let packed = try #require(Compressor().compress(bytes))
    let decompressor = Decompressor()
    for count in packed.indices {
      #expect(throws: CompressionError.self, "cut to \(count)") {
        try decompressor.decompress(Array(packed.prefix(count)), byteCount: bytes.count)
      }
    }
    #expect(throws: CompressionError.self) {
      try decompressor.decompress(packed + [0], byteCount: bytes.count)
    }
  }

  @Test func `a frame of a great many bytes is unpacked to the limit and no further`() throws {
    let zeros = [UInt8](repeating: 0, count: 64 << 20)
    let packed = try #require(Compressor().compress(zeros))
    #expect(packed.count < zeros.count / 1000)
    let decompressor = Decompressor()
    #expect(throws: CompressionError.self) {
      try decompressor.decompress(packed, byteCount: 65_536)
    }
    #expect(decompressor.unpack(packed, byteCountMax: 65_536) == .tooLong)
  }

  @Test func `a damaged frame is refused or gives as many bytes as were announced`() throws {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    let packed = try #require(Compressor().compress(ZstdTests.repetitive(5000)))
    let decompressor = Decompressor()
    for _ in 0..<2000 {
      var damaged = packed
      damaged[Int.random(in: packed.indices, using: &chance)] ^=
        1 << UInt8.random(in: 0..<8, using: &chance)
      guard let bytes = try? decompressor.decompress(damaged, byteCount: 5000) else { continue }
      #expect(bytes.count == 5000, "(seed \(seed))")
    }
  }

  @Test func `content that is larger than the buffer is packed, if that makes it smaller`() throws {
    let compressor = Compressor()
    let content = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    let packed = try #require(compressor.compress(content))
    #expect(packed.count < content.count / 100)
    #expect(try Decompressor().decompress(packed, byteCount: content.count) == content)
    var chance = SeededGenerator(seed: 5)
    let noise = (0..<(2 << 17)).flatMap { _ in withUnsafeBytes(of: chance.next()) { Array($0) } }
    #expect(compressor.compress(noise) == nil)
  }
}
