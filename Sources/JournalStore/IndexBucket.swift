/// One item of an index: the fingerprint of something, and the number that it leads to.
struct IndexItem: Equatable, Comparable {
  var fingerprint: UInt64
  var value: UInt64

  /// The greatest value: it has six bytes.
  static let greatestValue: UInt64 = 1 << 48 - 1

  static func < (left: IndexItem, right: IndexItem) -> Bool {
    if left.fingerprint != right.fingerprint { return left.fingerprint < right.fingerprint }
    return left.value < right.value
  }
}

/// Items of a run whose fingerprints begin with the same bits, as one row of the file.
///
///       8 bytes      8 bytes        6 bytes
///      ┌──────────┬──────────────┬───────────┬───
///      │ checksum │ fingerprint  │ value     │ …    big-endian, in ascending order
///      └──────────┴──────────────┴───────────┴───
struct IndexBucket {
  private static let itemBytes = 14
  private let content: UnsafeRawBufferPointer

  /// The bucket that `bytes` hold for as long as they are lent; nothing if they are damaged.
  init?(checked bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8, (bytes.count - 8) % IndexBucket.itemBytes == 0 else { return nil }
    let sum = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    content = UnsafeRawBufferPointer(rebasing: bytes[8...])
    guard Fingerprint.of(content, seed: 0) == sum else { return nil }
  }

  private var count: Int { content.count / IndexBucket.itemBytes }

  private func fingerprint(_ index: Int) -> UInt64 {
    let offset = index * IndexBucket.itemBytes
    return UInt64(bigEndian: content.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private func value(_ index: Int) -> UInt64 {
    let offset = index * IndexBucket.itemBytes + 8
    let high = content.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    let low = content.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
    return UInt64(UInt32(bigEndian: high)) << 16 | UInt64(UInt16(bigEndian: low))
  }

  /// The values under `fingerprint`, in ascending order.
  func values(of fingerprint: UInt64) -> [UInt64] {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self.fingerprint(middle) < fingerprint { low = middle + 1 } else { high = middle }
    }
    var values: [UInt64] = []
    while low < count, self.fingerprint(low) == fingerprint {
      values.append(value(low))
      low += 1
    }
    return values
  }

  func append(to items: inout [IndexItem]) {
    items.reserveCapacity(items.count + count)
    for index in 0..<count {
      items.append(IndexItem(fingerprint: fingerprint(index), value: value(index)))
    }
  }

  static func encode(_ items: [IndexItem]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8 + items.count * itemBytes)
    bytes.withUnsafeMutableBytes { target in
      for (index, item) in items.enumerated() {
        let offset = 8 + index * itemBytes
        let value = (UInt32(item.value >> 16), UInt16(truncatingIfNeeded: item.value))
        target.storeBytes(of: item.fingerprint.bigEndian, toByteOffset: offset, as: UInt64.self)
        target.storeBytes(of: value.0.bigEndian, toByteOffset: offset + 8, as: UInt32.self)
        target.storeBytes(of: value.1.bigEndian, toByteOffset: offset + 12, as: UInt16.self)
      }
      let sum = Fingerprint.of(UnsafeRawBufferPointer(rebasing: target[8...]), seed: 0)
      target.storeBytes(of: sum.bigEndian, as: UInt64.self)
    }
    return bytes
  }
}
