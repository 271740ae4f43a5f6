/// A quick 64-bit digest of bytes, for an index that looks at the bytes themselves before it says
/// yes.
///
/// Not for proofs: it is made to be fast and even, not hard to invert. See `Journal/FORMAT.md`,
/// Index.
package enum Fingerprint {
  // Odd constants with evenly spread bits: the fractional parts of the square roots of 2, 3, 5, 7.
  private static let k0: UInt64 = 0x6a09_e667_f3bc_c909
  private static let k1: UInt64 = 0xbb67_ae85_84ca_a73b
  private static let k2: UInt64 = 0x3c6e_f372_fe94_f82b
  private static let k3: UInt64 = 0xa54f_f53a_5f1d_36f1

  package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state = seed ^ (UInt64(bytes.count) &* k0)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      state = mixed(state ^ UInt64(littleEndian: word), k1)
      offset += 8
    }
    if offset < bytes.count {
      state = mixed(state ^ end(of: bytes, from: offset), k1)
    }
    return mixed(state ^ k2, k3)
  }

  /// The last bytes, fewer than eight, as a little-endian number.
  private static func end(of bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
    guard bytes.count < 8 else {
      // The last eight are loaded, and those shifted out that were taken before.
      let word = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
      return UInt64(littleEndian: word) >> UInt64((8 - bytes.count + offset) * 8)
    }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  package static func of(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { of($0, seed: seed) }
  }

  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
