internal import TidemarkEntries

/// How items are put together into the bodies of requests, none of which is over a limit.
///
/// By bytes, never by count: a body that the server refuses for its length would be made again for
/// ever.
public struct BodyBudget: Sendable {
  /// What came of it.
  public struct Bodies: Sendable, Hashable {
    /// The indexes of the items of each body, in order.
    public var bodies: [[Int]] = []

    /// The indexes of items that are over the limit alone: they go in no body, and hold up nothing.
    public var oversize: [Int] = []

    /// No bodies, unless some are given.
    public init(bodies: [[Int]] = [], oversize: [Int] = []) {
      self.bodies = bodies
      self.oversize = oversize
    }
  }

  /// How many bytes a body has at most.
  public let limit: Int

  /// Bodies of at most `limit` bytes.
  public init(limit: Int) {
    self.limit = limit
  }

  /// Fills bodies with items of these sizes, in their order.
  ///
  /// An item over the limit ends the body before it, so that what comes behind it stays behind.
  ///
  /// - Complexity: O(*n*) in the items.
  public func bodies(of sizes: [Int]) -> Bodies {
    guard StoreRule.pageBytes.isOn else {
      return Bodies(bodies: sizes.isEmpty ? [] : [Array(sizes.indices)])
    }
    var filled = Bodies()
    var rest = 0
    for (index, size) in sizes.enumerated() {
      guard size <= limit else {
        filled.oversize.append(index)
        rest = 0
        continue
      }
      if filled.bodies.isEmpty || size > rest {
        filled.bodies.append([])
        rest = limit
      }
      filled.bodies[filled.bodies.count - 1].append(index)
      rest -= size
    }
    return filled
  }
}
