package import TidemarkEntries
package import TidemarkJournalStore

/// Counts keys, to find one that stands twice.
///
/// Eight bytes a key are remembered, in an array that is up to half empty as it grows; to compare
/// them takes ten more. Counted so, that is some 20 bytes a key when it is at its largest, and
/// 200 MB for ten million. Only if two are equal are the entries looked at again.
package struct KeyCensus {
  /// A key that stands twice.
  package struct Repetition: Sendable {
    package var key: IdempotencyKey
    package var first: Seq
    package var again: Seq
  }

  private var fingerprints: [UInt64] = []

  package init() {}

  package mutating func note(_ entry: Entry) {
    fingerprints.append(KeyCensus.fingerprint(of: entry))
  }

  /// Notes the keys that have these fingerprints.
  package mutating func note(_ fingerprints: [UInt64]) {
    self.fingerprints += fingerprints
  }

  package static func fingerprint(of entry: Entry) -> UInt64 {
    entry.storage.withUnsafeBytes {
      Fingerprint.of(UnsafeRawBufferPointer(rebasing: $0[entry.keyRange]), seed: 0)
    }
  }

  /// The keys that were noted more than once, by the seq of the repetition.
  ///
  /// The journal is read again, from `reader`, only if two fingerprints are equal. The time is
  /// O(*n*) in the keys.
  package mutating func repetitions(
    in reader: JournalReader
  ) throws(JournalError) -> [Repetition] {
    let suspects = Repeated.values(of: fingerprints)
    fingerprints = []
    guard !suspects.isEmpty else { return [] }
    var first: [IdempotencyKey: Seq] = [:]
    var repetitions: [Repetition] = []
    try reader.forEach { (entry) throws(JournalError) in
      guard suspects.contains(KeyCensus.fingerprint(of: entry)) else { return true }
      if let seq = first[entry.key] {
        repetitions.append(Repetition(key: entry.key, first: seq, again: entry.seq))
      } else {
        first[entry.key] = entry.seq
      }
      return true
    } mapping: {
      $0
    }
    return repetitions
  }
}

/// Finds numbers that stand twice among many that are as good as random.
enum Repeated {
  /// The values that occur more than once.
  ///
  /// Values with the same first bits are brought together first, a few in each part: parts fit into
  /// the cache, where sorting all at once would not.
  ///
  /// - Complexity: O(*n*) for values that are evenly spread, else O(*n* log *n*).
  static func values(of numbers: [UInt64]) -> Set<UInt64> {
    let bits = UInt64(max(1, Int.bitWidth - (numbers.count / 16).leadingZeroBitCount))
    var starts = [Int](repeating: 0, count: 1 << Int(bits) + 1)
    for number in numbers { starts[Int(number >> (64 - bits)) + 1] += 1 }
    for part in 1..<starts.count { starts[part] += starts[part - 1] }
    var ends = starts
    var parts = [UInt64](repeating: 0, count: numbers.count)
    for number in numbers {
      let part = Int(number >> (64 - bits))
      parts[ends[part]] = number
      ends[part] += 1
    }
    var repeated: Set<UInt64> = []
    for part in 0..<(starts.count - 1) {
      let range = starts[part]..<starts[part + 1]
      guard range.count > 1 else { continue }
      parts[range].sort()
      for index in range.dropFirst() where parts[index] == parts[index - 1] {
        repeated.insert(parts[index])
      }
    }
    return repeated
  }
}
