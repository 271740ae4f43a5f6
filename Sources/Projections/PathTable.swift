package import TidemarkEntries
internal import TidemarkJournalStore

/// Gives each path a small number, so that a fold copies and compares paths once.
///
/// Open addressing over fingerprints; the bytes of all paths stand one behind the other.
package struct PathTable: Sendable {
  private var slots: [UInt32] = [UInt32](repeating: 0, count: 64)
  private var fingerprints: [UInt64] = []
  private var ends: [Int] = []
  private var bytes: [UInt8] = []

  package init() {}

  /// How many paths there are; their numbers go from 0 to one below.
  package var count: Int { ends.count }

  package func path(_ number: Int) -> Path {
    Path(canonical: Array(bytes[range(number)]))
  }

  private func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  /// The number of the path that stands in `range` of `storage`; nothing if it has none yet.
  package func number(of storage: [UInt8], _ range: Range<Int>) -> Int? {
    let slot = storage.withUnsafeBytes { raw in
      let path = UnsafeRawBufferPointer(rebasing: raw[range])
      return self.slot(of: path, Fingerprint.of(path, seed: 0))
    }
    return number(in: slot)
  }

  package func number(of path: Path) -> Int? {
    number(of: path.bytes, 0..<path.bytes.count)
  }

  /// The number of the path that stands in `range` of `storage`; it gets one if it has none.
  package mutating func intern(_ storage: [UInt8], _ range: Range<Int>) -> Int {
    let (slot, fingerprint) = storage.withUnsafeBytes { raw in
      let path = UnsafeRawBufferPointer(rebasing: raw[range])
      let fingerprint = Fingerprint.of(path, seed: 0)
      return (self.slot(of: path, fingerprint), fingerprint)
    }
    if let known = number(in: slot) { return known }
    bytes += storage[range]
    ends.append(bytes.count)
    fingerprints.append(fingerprint)
    slots[slot] = UInt32(ends.count)
    if ends.count * 2 > slots.count { grow() }
    return ends.count - 1
  }

  private func number(in slot: Int) -> Int? {
    slots[slot] == 0 ? nil : Int(slots[slot]) - 1
  }

  /// The slot that holds the path, or the free one where it belongs.
  private func slot(of path: UnsafeRawBufferPointer, _ fingerprint: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: fingerprint) & mask
    while let number = number(in: slot) {
      if fingerprints[number] == fingerprint, isEqual(number, path) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func isEqual(_ number: Int, _ path: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { raw in
      Bytes.areEqual(UnsafeRawBufferPointer(rebasing: raw[range(number)]), path)
    }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (number, fingerprint) in fingerprints.enumerated() {
      var slot = Int(truncatingIfNeeded: fingerprint) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(number + 1)
    }
  }
}
