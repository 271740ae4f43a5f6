internal import TidemarkEntries
internal import TidemarkJournalStore

/// Gives each path of a scope a small number, so that what is known of it is a place in an array.
struct PathNumbers {
  private var numbers: [UInt64: UInt32] = [:]
  private var scopes: [UInt32] = []
  private var ends: [Int] = []
  private var bytes: [UInt8] = []

  /// How many paths have a number; the numbers go from 0 to one below.
  var count: Int { ends.count }

  /// The number of the path that stands in `range` of `storage`; it gets one if it has none.
  ///
  /// - Complexity: O(*n*) in the length of the path.
  mutating func number(of storage: [UInt8], _ range: Range<Int>, in scope: Int) -> Int {
    // Two paths with one fingerprint: the second is kept under what another seed gives.
    var seed = UInt64(scope) << 32
    while true {
      let fingerprint = storage.withUnsafeBytes {
        Fingerprint.of(UnsafeRawBufferPointer(rebasing: $0[range]), seed: seed)
      }
      guard let number = numbers[fingerprint] else {
        numbers[fingerprint] = UInt32(ends.count)
        scopes.append(UInt32(scope))
        bytes += storage[range]
        ends.append(bytes.count)
        return ends.count - 1
      }
      if isPath(Int(number), storage, range, in: scope) { return Int(number) }
      seed &+= 1
    }
  }

  func path(_ number: Int) -> Path { Path(canonical: Array(bytes[place(of: number)])) }

  private func place(of number: Int) -> Range<Int> {
    (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  private func isPath(_ number: Int, _ storage: [UInt8], _ range: Range<Int>, in scope: Int) -> Bool
  {
    let place = place(of: number)
    guard scopes[number] == UInt32(scope), place.count == range.count else { return false }
    return bytes.withUnsafeBytes { mine in
      storage.withUnsafeBytes { theirs in
        UnsafeRawBufferPointer(rebasing: mine[place])
          .elementsEqual(UnsafeRawBufferPointer(rebasing: theirs[range]))
      }
    }
  }
}
