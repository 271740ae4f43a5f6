package import TidemarkEntries

/// Where a fold stands in numbers that have no gaps.
///
/// A number may be given before a smaller one is to be seen: who went on behind it would never come
/// back for that one.
package struct Gapless: Sendable {
  /// The last number that was taken.
  package private(set) var position: Seq

  package init(after position: Seq) {
    self.position = position
  }

  /// Takes the next number; says no to any other.
  package mutating func takes(_ seq: Seq) -> Bool {
    guard StoreRule.projectionGapless.isOn ? seq == position.next : seq > position else {
      return false
    }
    position = seq
    return true
  }
}
