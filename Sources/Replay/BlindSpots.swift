internal import TidemarkEntries

/// The entries of a journal that nothing is known of: damaged, missing, or of an unknown kind.
///
/// What points at one of them can be neither right nor wrong.
struct BlindSpots {
  private var ranges: [ClosedRange<UInt64>] = []

  /// The last entry that was damaged or missing.
  private(set) var lastDamage = Seq(0)

  /// Ranges come in ascending order.
  mutating func add(_ first: Seq, through last: Seq, isDamage: Bool) {
    if isDamage { noteDamage(at: last) }
    if let before = ranges.last, before.upperBound + 1 >= first.value {
      ranges[ranges.count - 1] = before.lowerBound...max(last.value, before.upperBound)
    } else {
      ranges.append(first.value...last.value)
    }
  }

  mutating func noteDamage(at seq: Seq) { lastDamage = max(lastDamage, seq) }

  /// - Complexity: O(log *n*) in the ranges.
  func contains(_ seq: Seq) -> Bool {
    guard let last = ranges.last, last.upperBound >= seq.value else { return false }
    let place = ranges.firstPlace { $0.upperBound >= seq.value }
    return place < ranges.count && ranges[place].contains(seq.value)
  }
}
