/// A set that forgets nothing but sometimes remembers what it never saw.
///
/// Blocked by cache lines (Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom
/// Filters", 2007): eight bits in one block of 512, at 16 bits an item about 1 wrong "perhaps" in
/// 1,000. The items are fingerprints and need no further hashing.
struct BloomFilter {
  private static let bitsPerItem = 16
  private static let wordsPerBlock = 8

  private var words: [UInt64]
  private var blockCount: UInt64 { UInt64(words.count / BloomFilter.wordsPerBlock) }

  init(capacity: Int) {
    let blocks = max(1, (capacity * BloomFilter.bitsPerItem + 511) / 512)
    words = [UInt64](repeating: 0, count: blocks * BloomFilter.wordsPerBlock)
  }

  mutating func insert(_ fingerprint: UInt64) {
    let (start, choice) = place(of: fingerprint)
    words.withUnsafeMutableBufferPointer { words in
      for word in 0..<BloomFilter.wordsPerBlock {
        words[start + word] |= 1 &<< (choice &>> UInt64(word * 6))
      }
    }
  }

  func mayContain(_ fingerprint: UInt64) -> Bool {
    let (start, choice) = place(of: fingerprint)
    return words.withUnsafeBufferPointer { words in
      for word in 0..<BloomFilter.wordsPerBlock
      where words[start + word] &>> (choice &>> UInt64(word * 6)) & 1 == 0 {
        return false
      }
      return true
    }
  }

  /// The first word of the block, and 48 bits that choose one bit in each of its words.
  private func place(of fingerprint: UInt64) -> (start: Int, choice: UInt64) {
    let block = fingerprint.multipliedFullWidth(by: blockCount).high
    return (
      Int(block) * BloomFilter.wordsPerBlock, fingerprint &* 0x9e37_79b9_7f4a_7c15
    )
  }

  /// A checksum and the words, little-endian.
  var checkedBytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (words.count + 1) * 8) { target, count in
      let target = UnsafeMutableRawBufferPointer(target)
      for (index, word) in words.enumerated() {
        target.storeBytes(of: word.littleEndian, toByteOffset: (index + 1) * 8, as: UInt64.self)
      }
      let content = UnsafeRawBufferPointer(rebasing: target[8...])
      let sum = Fingerprint.of(content, seed: 0)
      target.storeBytes(of: sum.littleEndian, as: UInt64.self)
      count = target.count
    }
  }

  /// The filter that `bytes` hold, or nothing if they are not what was written.
  init?(checked bytes: [UInt8]) {
    guard bytes.count > 8, (bytes.count - 8) % (BloomFilter.wordsPerBlock * 8) == 0 else {
      return nil
    }
    let sum = bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    let content = Array(bytes[8...])
    guard Fingerprint.of(content, seed: 0) == sum else { return nil }
    words = content.withUnsafeBytes { raw in
      (0..<(raw.count / 8)).map {
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
      }
    }
  }
}
