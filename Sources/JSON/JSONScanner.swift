/// Reads JSON (RFC 8259) value by value, from bytes in hand or through a window on a file.
///
/// The caller pulls: enter an object, ask for the next member, read its value or pass it. Nothing
/// is built that is not asked for, and nothing recurses, so that memory is bounded by the window.
/// Names, and strings that are read and not passed, must fit in ``tokenBytesMax``.
package struct JSONScanner {
  /// How deep objects and arrays may nest.
  package static let depthMax = JSONNesting.depthMax

  /// The longest name or value that is held as a whole, when the text comes from a file.
  package static let tokenBytesMax = 1 << 20

  /// How much of a file is in memory, if no name or value is longer.
  package static let windowBytes = 1 << 18

  var window: [UInt8]
  var position = 0
  /// The end of the bytes in the window.
  var end: Int
  /// The offset in the text of the first byte of the window.
  var base: Int
  private let file: InputFile?

  /// The offset from which on bytes stay in the window, if any must.
  var mark: Int?

  /// The objects and arrays that are open.
  var nesting = JSONNesting()

  /// Where the name of the member that was entered last stands; held until its value is read.
  private(set) var name = JSONText(range: 0..<0, hasEscapes: false)

  /// Reads `bytes`, which are all of the text.
  package init(_ bytes: [UInt8]) {
    window = bytes
    end = bytes.count
    base = 0
    file = nil
  }

  /// Reads `file` from `offset` on.
  package init(
    reading file: InputFile,
    from offset: Int = 0,
    windowBytes: Int = JSONScanner.windowBytes
  ) {
    window = [UInt8](repeating: 0, count: windowBytes)
    end = 0
    base = offset
    self.file = file
  }

  /// The offset of the next byte in the text.
  package var offset: Int { base + position }

  /// Puts more bytes into the window; false if there are none.
  ///
  /// What was passed goes, but for what stands behind the mark.
  mutating func fill() throws(JSONError) -> Bool {
    guard let file else { return false }
    let kept = (mark ?? offset) - base
    window.withUnsafeMutableBytes { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[kept..<end]))
    }
    base += kept
    position -= kept
    end -= kept
    if end == window.count { try widen() }
    do throws(InputError) {
      let taken = try file.take(window.count - end, at: base + end, into: &window, from: end)
      end += taken
      return taken > 0
    } catch {
      throw JSONError(.unreadable, error.description, at: offset)
    }
  }

  private mutating func widen() throws(JSONError) {
    guard window.count < JSONScanner.tokenBytesMax else {
      let message = "a name or value of more than \(JSONScanner.tokenBytesMax) bytes"
      throw JSONError(.limit, message, at: base)
    }
    window.append(contentsOf: repeatElement(0, count: window.count))
  }

  /// The next byte; nothing at the end.
  @inline(__always)
  mutating func next() throws(JSONError) -> UInt8? {
    if position == end, try !fill() { return nil }
    return window[position]
  }

  /// The next byte that is not white space; nothing at the end.
  @inline(__always)
  mutating func nextSolid() throws(JSONError) -> UInt8? {
    while let byte = try next() {
      if byte > 0x20 { return byte }
      let start = position
      position = window.span.bytes.passSpace(from: start, to: end)
      // A control character is no white space: whoever asked will not want it.
      if position == start { return byte }
    }
    return nil
  }

  package func unexpected(_ wanted: String) -> JSONError {
    JSONError(.syntax, "\(wanted) is expected", at: offset)
  }

  func cut() -> JSONError {
    JSONError(.cut, "the text ends in the middle", at: offset)
  }

  // MARK: - Structure

  /// What kind of value comes next.
  package mutating func kind() throws(JSONError) -> JSONKind {
    guard let byte = try nextSolid() else { throw cut() }
    guard let kind = JSONKind(first: byte) else { throw unexpected("a value") }
    return kind
  }

  /// Enters the object or array that comes next.
  package mutating func enter() throws(JSONError) {
    mark = nil
    let isObject = try kind() == .object
    guard isObject || window[position] == UInt8(ascii: "[") else {
      throw unexpected("an object or an array")
    }
    guard !nesting.isFull else {
      throw JSONError(.depth, "nested deeper than \(JSONScanner.depthMax)", at: offset)
    }
    position += 1
    nesting.enter(isObject: isObject)
  }

  /// Enters the next value if it is an object, or an array; anything else is passed.
  package mutating func enter(_ wanted: JSONKind) throws(JSONError) -> Bool {
    guard try kind() == wanted else {
      try skip()
      return false
    }
    try enter()
    return true
  }

  /// Goes to the value of the object's next member, named ``name``; false leaves the object.
  package mutating func nextMember() throws(JSONError) -> Bool {
    precondition(nesting.isInObject, "not in an object")
    guard try separate() else { return false }
    mark = offset
    name = try passName()
    return true
  }

  private mutating func passName() throws(JSONError) -> JSONText {
    let name = try passString()
    guard let byte = try nextSolid() else { throw cut() }
    guard byte == UInt8(ascii: ":") else { throw unexpected("':'") }
    position += 1
    return name
  }

  /// Goes to the array's next element; false leaves the array.
  package mutating func nextElement() throws(JSONError) -> Bool {
    precondition(nesting.isInArray, "not in an array")
    return try separate()
  }

  /// Passes the comma before the next member or element, or the bracket that ends them.
  private mutating func separate() throws(JSONError) -> Bool {
    guard let byte = try nextSolid() else { throw cut() }
    if byte == nesting.closing {
      position += 1
      nesting.leave()
      return false
    }
    guard nesting.needsComma else { return true }
    guard byte == UInt8(ascii: ",") else { throw unexpected("',' or a closing bracket") }
    position += 1
    nesting.needsComma = false
    guard let after = try nextSolid() else { throw cut() }
    guard after != nesting.closing else { throw unexpected("a member or an element") }
    return true
  }

  /// Says that a value other than an object or an array was passed.
  mutating func endValue() {
    nesting.needsComma = true
  }

  /// Passes the next value, whatever it is.
  package mutating func skip() throws(JSONError) {
    mark = nil
    let outer = nesting.depth
    try skipOrEnter()
    while nesting.depth > outer {
      guard try separate() else { continue }
      if nesting.isInObject { _ = try passName() }
      try skipOrEnter()
    }
  }

  private mutating func skipOrEnter() throws(JSONError) {
    switch try kind() {
    case .object, .array: try enter()
    case .string: _ = try passString()
    case .number: try passNumber()
    case .true, .false, .null: try passWord()
    }
  }

  /// Checks that nothing follows but white space.
  package mutating func finish() throws(JSONError) {
    guard try nextSolid() == nil else { throw unexpected("the end") }
  }
}
