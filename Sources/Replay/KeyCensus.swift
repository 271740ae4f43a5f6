package import TidemarkEntries
package import TidemarkJournalStore

/// Counts keys, to find one that stands twice.
///
/// Eight bytes a key are remembered. Only if two of these are equal are the entries looked at
/// again.
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

  private static func fingerprint(of entry: Entry) -> UInt64 {
    entry.storage.withUnsafeBytes {
      Fingerprint.of(UnsafeRawBufferPointer(rebasing: $0[entry.keyRange]), seed: 0)
    }
  }

  /// The keys that were noted more than once, by the seq of the repetition.
  ///
  /// The journal is read again, from `reader`, only if two fingerprints are equal. The time is
  /// O(*n* log *n*) in the keys.
  package mutating func repetitions(
    in reader: JournalReader
  ) throws(JournalError) -> [Repetition] {
    fingerprints.sort()
    var suspects: Set<UInt64> = []
    for index in fingerprints.indices.dropFirst()
    where fingerprints[index] == fingerprints[index - 1] {
      suspects.insert(fingerprints[index])
    }
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
