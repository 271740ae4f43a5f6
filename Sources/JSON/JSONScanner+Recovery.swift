extension JSONScanner {
  /// Where a value begins, and what is open around it.
  package struct Place: Sendable {
    package let offset: Int
    fileprivate let depth: Int
    fileprivate let objects: UInt64
  }

  /// The place of the value that comes next.
  package mutating func place() throws(JSONError) -> Place {
    _ = try nextSolid()
    return Place(offset: offset, depth: depth, objects: objects)
  }

  /// Goes back to `place` and passes the value there although it is not JSON.
  ///
  /// Only quotes and brackets are looked at, so this finds the end of a value with a bad escape, a
  /// bare `NaN`, a control character or too many levels, and what follows can be read.
  ///
  /// - Throws: ``JSONError`` with code `cut` if the value does not end.
  package mutating func passOver(_ place: Place) throws(JSONError) {
    seek(place)
    var open = 0
    while let byte = try next() {
      switch byte {
      case UInt8(ascii: "\""): try passQuoted()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        position += 1
        open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
        if open == 0 { return endValue() }
        position += 1
        if byte != UInt8(ascii: ",") { open -= 1 }
      default: position += 1
      }
      if open == 0, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return endValue() }
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
    depth = place.depth
    objects = place.objects
    if (base...base + end).contains(place.offset) {
      position = place.offset - base
    } else {
      base = place.offset
      position = 0
      end = 0
    }
  }
}
