/// The objects and arrays that are open at a place in a text.
struct JSONNesting: Sendable {
  /// How many are open.
  private(set) var depth = 0

  /// Whether a value has just ended, so that a comma must stand before the next.
  var needsComma = false

  // One bit for each that is open, the innermost last: whether it is an object.
  private var objects: UInt64 = 0

  /// How many can be open: as many as there are bits.
  static let depthMax = 64

  /// Whether the innermost one is an object.
  var isInObject: Bool { depth > 0 && objects & 1 == 1 }

  /// Whether the innermost one is an array.
  var isInArray: Bool { depth > 0 && objects & 1 == 0 }

  /// What closes the innermost one.
  var closing: UInt8 { objects & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  var isFull: Bool { depth == JSONNesting.depthMax }

  mutating func enter(isObject: Bool) {
    depth += 1
    objects = objects << 1 | (isObject ? 1 : 0)
    needsComma = false
  }

  mutating func leave() {
    depth -= 1
    objects >>= 1
    needsComma = true
  }
}
