internal import TidemarkEntries

/// Finds the changes that touch a path without looking at those that touch others.
///
/// Changes are known by a seq, and come in the order of these.
struct TouchIndex {
  /// What each rule was declared by, and what declared none and so touches everything.
  private var declared: [TouchKey: [Seq]] = [:]
  private var whole: [Seq] = []

  /// - Complexity: O(*t*) in the rules.
  mutating func insert(_ seq: Seq, _ touches: [Touch]?) {
    guard let touches else { return whole.append(seq) }
    // One rule may stand twice.
    for key in touches.map(TouchKey.init) where declared[key]?.last != seq {
      declared[key, default: []].append(seq)
    }
  }

  /// Forgets a change; the rules are those that it came with.
  mutating func remove(_ seq: Seq, _ touches: [Touch]?) {
    guard let touches else { return whole.removeSorted(seq) }
    for key in touches.map(TouchKey.init) {
      declared[key]?.removeSorted(seq)
      if declared[key]?.isEmpty == true { declared[key] = nil }
    }
  }

  /// The last changes that touch `path`, at most `count`, in order.
  ///
  /// - Parameters:
  ///   - count: how many at most.
  ///   - path: what they touch.
  ///   - range: where they are looked for.
  /// - Returns: their seqs.
  /// - Complexity: O(*l*) in the length of the path, and what is returned.
  func last(_ count: Int, touching path: Path, in range: Range<Seq>) -> [Seq] {
    let lists = [whole] + TouchKey.rules(covering: path).compactMap { declared[$0] }
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
}

/// A rule with the hash of its path.
///
/// A path has as many prefixes as segments: their hashes are made in one pass over it.
private struct TouchKey: Hashable {
  private let form: Touch.Form
  private let path: ArraySlice<UInt8>
  private let pathHash: Int

  init(_ touch: Touch) { self.init(touch.form, touch.path.bytes[...]) }

  private init(_ form: Touch.Form, _ path: ArraySlice<UInt8>) {
    var hasher = Hasher()
    for byte in path { hasher.combine(byte) }
    self.init(form, path, hasher)
  }

  private init(_ form: Touch.Form, _ path: ArraySlice<UInt8>, _ hasher: Hasher) {
    self.form = form
    self.path = path
    pathHash = hasher.finalize()
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(form)
    hasher.combine(pathHash)
  }

  static func == (left: TouchKey, right: TouchKey) -> Bool {
    left.pathHash == right.pathHash && left.form == right.form && left.path == right.path
  }

  /// Every rule that covers `path`, as `Touch.covers(_:)` says it.
  static func rules(covering path: Path) -> [TouchKey] {
    let resource = path.resource
    var rules = [TouchKey(.exact, path.bytes[...]), TouchKey(.resource, resource)]
    var hasher = Hasher()
    for place in resource.indices.dropLast() {
      if resource[place] == UInt8(ascii: "/") {
        rules.append(TouchKey(.under, resource[..<place], hasher))
        // What lies below the root is written with its slash.
        if place == resource.startIndex { rules.append(TouchKey(.under, resource[...place])) }
      }
      hasher.combine(resource[place])
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
