internal import TidemarkEntries

/// Finds the changes that touch a path without looking at those that touch others.
///
/// Changes are known by a seq, and come in the order of these.
struct TouchIndex {
  /// What each rule was declared by, and what declared none and so touches everything.
  private var declared: [Touch: [Seq]] = [:]
  private var whole: [Seq] = []

  /// - Complexity: O(*t*) in the rules.
  mutating func insert(_ seq: Seq, _ touches: [Touch]?) {
    guard let touches else { return whole.append(seq) }
    // One rule may stand twice.
    for touch in touches where declared[touch]?.last != seq {
      declared[touch, default: []].append(seq)
    }
  }

  /// Forgets a change; the rules are those that it came with.
  mutating func remove(_ seq: Seq, _ touches: [Touch]?) {
    guard let touches else { return whole.removeSorted(seq) }
    for touch in touches {
      declared[touch]?.removeSorted(seq)
      if declared[touch]?.isEmpty == true { declared[touch] = nil }
    }
  }

  /// The last changes that touch `path`, at most `count`, in order.
  ///
  /// - Parameters:
  ///   - count: how many at most.
  ///   - path: what they touch.
  ///   - range: where they are looked for.
  /// - Returns: their seqs.
  /// - Complexity: O(*d*) in the segments of the path, and what is returned.
  func last(_ count: Int, touching path: Path, in range: Range<Seq>) -> [Seq] {
    let lists = [whole] + TouchIndex.rules(covering: path).compactMap { declared[$0] }
    var found: [Seq] = []
    for list in lists {
      let behind = list[list.firstPlace { $0 >= range.lowerBound }...]
      found += behind[..<behind.firstPlace { $0 >= range.upperBound }].suffix(count)
    }
    found.sort()
    var distinct: [Seq] = []
    for seq in found where distinct.last != seq { distinct.append(seq) }
    return distinct.suffix(count)
  }

  /// Every rule that covers `path`, as `Touch.covers(_:)` says it.
  private static func rules(covering path: Path) -> [Touch] {
    let resource = path.resource
    var rules = [Touch(.exact, path), Touch(.resource, Path(canonical: Array(resource)))]
    for slash in resource.indices.dropLast() where resource[slash] == UInt8(ascii: "/") {
      rules.append(Touch(.under, Path(canonical: Array(resource[..<slash]))))
      // What lies below the root is written with its slash.
      if slash == resource.startIndex {
        rules.append(Touch(.under, Path(canonical: [UInt8(ascii: "/")])))
      }
    }
    return rules
  }
}

extension [Seq] {
  fileprivate mutating func removeSorted(_ seq: Seq) {
    let place = firstPlace { $0 >= seq }
    if place < count, self[place] == seq { remove(at: place) }
  }
}
