extension JSONScanner {
  /// Where a value begins, and what is open around it.
  package struct Place: Sendable {
    package let offset: Int
    fileprivate let nesting: JSONNesting
  }

  /// The place of the value that comes next.
  package mutating func place() throws(JSONError) -> Place {
    _ = try nextSolid()
    return Place(offset: offset, nesting: nesting)
  }

  /// Goes back to `place` and passes the value there although it is not JSON.
  ///
  /// Only quotes and brackets are looked at, so this finds the end of a value with a bad escape, a
  /// bare `NaN`, a control character or too many levels, and what follows can be read.
  ///
  /// - Throws: ``JSONError`` with code `cut` if the value does not end.
  package mutating func passOver(_ place: Place) throws(JSONError) {
    seek(place)
    var open = Brackets()
    while let byte = try next() {
      switch byte {
      case UInt8(ascii: "\""): try passQuoted()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        position += 1
        open.enter(byte)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open.count == 0 { return endValue() }
        position += 1
        open.leave(byte)
        if open.count == 0 { return endValue() }
      case UInt8(ascii: ","):
        if open.count == 0 { return endValue() }
        position += 1
      default: position += 1
      }
    }
    throw cut()
  }

  private mutating func passQuoted() throws(JSONError) {
    position += 1
    while let byte = try next() {
      position += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), try next() != nil { position += 1 }
    }
    throw cut()
  }

  private mutating func seek(_ place: Place) {
    mark = nil
    nesting = place.nesting
    if (base...base + end).contains(place.offset) {
      position = place.offset - base
    } else {
      base = place.offset
      position = 0
      end = 0
    }
  }
}

/// The brackets that are open in a value that is not JSON.
private struct Brackets {
  private(set) var count = 0

  // One bit for each of the innermost ones that are known: whether it is that of an object.
  private var objects: UInt64 = 0
  private var known = 0

  mutating func enter(_ bracket: UInt8) {
    count += 1
    known = min(known + 1, 64)
    objects = objects << 1 | (bracket == UInt8(ascii: "{") ? 1 : 0)
  }

  /// Closes the innermost bracket of the same kind, and those that were forgotten inside of it.
  ///
  /// If none of that kind is open, the closing bracket is taken for a mistake and passed.
  mutating func leave(_ bracket: UInt8) {
    let isObject: UInt64 = bracket == UInt8(ascii: "}") ? 1 : 0
    let level = (0..<known).first { objects >> UInt64($0) & 1 == isObject }
    guard let closed = level.map({ $0 + 1 }) ?? (count > known ? known + 1 : nil) else { return }
    count -= closed
    known = max(0, known - closed)
    objects >>= UInt64(closed)
  }
}
