/// Finds the name that was meant when another was typed.
enum Nearest {
  /// The nearest of `names`, unless none is near.
  ///
  /// - Complexity: O(*n m*) in the lengths, for each name; long words are not looked at.
  static func name(to word: String, among names: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    if word.utf8.count > 3, let begun = names.first(where: { $0.hasPrefix(word) }) { return begun }
    let measured = names.map { (name: $0, distance: distance(word, $0)) }
    guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
    let length = max(word.utf8.count, best.name.utf8.count)
    return best.distance * 2 <= length ? best.name : nil
  }

  /// How many letters are missing, too many, wrong or swapped with their neighbour.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isEqual = left[row] == right[column]
        var best = min(last[column] + (isEqual ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        let isSwapped =
          row > 0 && column > 0 && left[row] == right[column - 1]
          && left[row - 1] == right[column]
        if isSwapped { best = min(best, beforeLast[column - 1] + 1) }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
