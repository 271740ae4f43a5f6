import TestSupport
import Testing

@testable import TidemarkJournalStore

/// The index on disk holds fingerprints: they are part of the format.
@Suite struct FingerprintTests {
  @Test func `fingerprints are those of the format, for every length`() {
    var chance = SeededGenerator(seed: testSeed())
    for count in 0...70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      let seed = UInt64.random(in: 0...UInt64.max, using: &chance)
      #expect(Fingerprint.of(bytes, seed: seed) == FingerprintTests.asDefined(bytes, seed))
    }
  }

  /// `Journal/FORMAT.md`, Index, word by word.
  private static func asDefined(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
    func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let product = left.multipliedFullWidth(by: right)
      return product.high ^ product.low
    }
    var state = seed ^ (UInt64(bytes.count) &* 0x6a09_e667_f3bc_c909)
    for start in stride(from: 0, to: bytes.count, by: 8) {
      var word: UInt64 = 0
      for (place, byte) in bytes[start..<min(start + 8, bytes.count)].enumerated() {
        word |= UInt64(byte) << UInt64(place * 8)
      }
      state = mix(state ^ word, 0xbb67_ae85_84ca_a73b)
    }
    return mix(state ^ 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1)
  }
}
