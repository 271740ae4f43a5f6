extension RandomAccessCollection {
  /// The first place at which `isBehind` holds, or the end.
  ///
  /// Where it holds once, it must hold for everything that follows.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  package func firstPlace(where isBehind: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isBehind(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
