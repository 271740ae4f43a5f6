/// Finds the name that was meant when another was typed.
enum Nearest {
  /// The nearest of `names`, unless none is near.
  ///
  /// - Complexity: O(*n m*) in the lengths, for each name; long words are not looked at.
  static func name(to word: String, among names: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let begun = word.utf8.count > 3 ? names.filter { $0.hasPrefix(word) } : []
    if let shortest = begun.min(by: { $0.utf8.count < $1.utf8.count }) { return shortest }
    let measured = names.map { (name: $0, distance: distance(word, $0)) }
    guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
    let length = max(word.utf8.count, best.name.utf8.count)
    return best.distance * 3 <= length ? best.name : nil
  }

  /// The nearest of `names`, at most `max`: those that hold the word or stand in it come first.
  ///
  /// - Complexity: as ``name(to:among:)``
  static func names(to word: String, among names: [String], max: Int) -> [String] {
    let measured = names.compactMap { name -> (name: String, isPart: Bool, distance: Int)? in
      let (short, long) = name.utf8.count < word.utf8.count ? (name, word) : (word, name)
      if short.utf8.count > 3, long.contains(short) {
        return (name, true, long.utf8.count - short.utf8.count)
      }
      guard long.utf8.count <= 64 else { return nil }
      let distance = distance(name, word)
      return distance * 3 <= long.utf8.count ? (name, false, distance) : nil
    }
    return measured.sorted {
      ($1.isPart ? 1 : 0, $0.distance, $0.name) < ($0.isPart ? 1 : 0, $1.distance, $1.name)
    }
    .prefix(max).map(\.name)
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
