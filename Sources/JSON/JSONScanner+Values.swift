internal import TidemarkEntries

/// What a JSON value is, as its first byte says.
package enum JSONKind: Sendable, Hashable {
  case object, array, string, number, `true`, `false`, null

  init?(first byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    case UInt8(ascii: "t"): self = .true
    case UInt8(ascii: "f"): self = .false
    case UInt8(ascii: "n"): self = .null
    default: return nil
    }
  }
}

/// Where the characters of a string stand in the text, without the quotes.
package struct JSONText: Sendable, Hashable {
  package var range: Range<Int>
  package var hasEscapes: Bool

  package init(range: Range<Int>, hasEscapes: Bool) {
    self.range = range
    self.hasEscapes = hasEscapes
  }
}

extension JSONScanner {
  // MARK: - Strings

  /// Passes the string that comes next, of any length, and tells where it stands.
  package mutating func text() throws(JSONError) -> JSONText {
    mark = nil
    return try passString()
  }

  /// Whether a string that is not empty comes next; any value is passed.
  package mutating func passText() throws(JSONError) -> Bool {
    guard try kind() == .string else {
      try skip()
      return false
    }
    return try !text().range.isEmpty
  }

  mutating func passString() throws(JSONError) -> JSONText {
    guard try nextSolid() == UInt8(ascii: "\"") else { throw unexpected("a string") }
    position += 1
    let start = offset
    var hasEscapes = false
    while true {
      position = window.span.bytes.passCharacters(from: position, to: end, &hasEscapes)
      guard let byte = try next() else { throw cut() }
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try passEscape()
      } else if byte < 0x20 {
        throw JSONError(.syntax, "a control character stands in a string", at: offset)
      }
    }
    position += 1
    endValue()
    return JSONText(range: start..<offset - 1, hasEscapes: hasEscapes)
  }

  private mutating func passEscape() throws(JSONError) {
    position += 1
    switch try next() {
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard let digit = try next() else { throw cut() }
        guard Hex.value(of: digit) != nil else { throw unexpected("a hexadecimal digit") }
        position += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case nil: throw cut()
    default: throw unexpected("the rest of an escape")
    }
  }

  /// The bytes of the string that comes next; any other value is passed, and gives nothing.
  package mutating func string() throws(JSONError) -> JSONString? {
    guard try kind() == .string else {
      try skip()
      return nil
    }
    mark = offset
    defer { mark = nil }
    let text = try passString()
    return decoded(text)
  }

  /// Appends the bytes of the string that comes next, which need not be UTF-8; any other value is
  /// passed.
  package mutating func appendString(to bytes: inout [UInt8]) throws(JSONError) {
    guard try kind() == .string else { return try skip() }
    mark = offset
    defer { mark = nil }
    let text = try passString()
    if text.hasEscapes {
      bytes += decoded(text).bytes
    } else {
      let range = windowRange(text)
      window.withUnsafeBytes { bytes.append(contentsOf: $0[range]) }
    }
  }

  /// Whether the member that was entered last has this name.
  package func isNamed(_ wanted: StaticString) -> Bool {
    if name.hasEscapes { return nameText == wanted.description }
    guard name.range.count == wanted.utf8CodeUnitCount else { return false }
    let bytes = window.span.bytes.extracting(windowRange(name))
    return wanted.withUTF8Buffer { wanted in
      for place in 0..<wanted.count where bytes.uncheckedByte(at: place) != wanted[place] {
        return false
      }
      return true
    }
  }

  /// The name of the member that was entered last.
  package var nameText: String { decoded(name).description }

  private func windowRange(_ text: JSONText) -> Range<Int> {
    text.range.lowerBound - base..<text.range.upperBound - base
  }

  private func decoded(_ text: JSONText) -> JSONString {
    JSONString(raw: window.span.bytes.extracting(windowRange(text)), hasEscapes: text.hasEscapes)
  }

  // MARK: - Numbers and words

  /// The characters of the number or word that comes next.
  package mutating func scalarText() throws(JSONError) -> [UInt8] { Array(try scalar()) }

  /// The number that comes next, or the one that a string spells; anything else gives nothing.
  package mutating func number() throws(JSONError) -> Double? {
    switch try kind() {
    case .number: return JSONScanner.double(try scalar())
    case .string: return try string().flatMap { JSONScanner.double($0.bytes[...]) }
    default:
      try skip()
      return nil
    }
  }

  /// The bytes of the number or word that comes next.
  mutating func scalar() throws(JSONError) -> ArraySlice<UInt8> {
    let isNumber = try kind() == .number
    mark = offset
    defer { mark = nil }
    let start = offset
    if isNumber { try passNumber() } else { try passWord() }
    return window[start - base..<position]
  }

  private static func double(_ digits: ArraySlice<UInt8>) -> Double? {
    if let short = shortDouble(digits) { return short }
    guard digits.count <= 64, let value = Double(String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    return value.isFinite ? value : nil
  }

  /// The number that at most 15 digits spell, with a point among them or not.
  ///
  /// Both parts of the quotient are exact, so it is the nearest number, as it must be.
  private static func shortDouble(_ text: ArraySlice<UInt8>) -> Double? {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    guard let last = digits.last, isDigit(last), digits.count <= 16 else { return nil }
    var value: Int64 = 0
    var scale = 0.0
    for byte in digits {
      if isDigit(byte) {
        value = value * 10 + Int64(byte &- UInt8(ascii: "0"))
        scale *= 10
      } else if byte == UInt8(ascii: "."), scale == 0 {
        scale = 1
      } else {
        return nil
      }
    }
    guard value < 1_000_000_000_000_000 else { return nil }
    let quotient = scale == 0 ? Double(value) : Double(value) / scale
    return digits.count < text.count ? -quotient : quotient
  }

  //  - ? ( 0 | 1…9 digits ) ( . digits + ) ? ( e|E +|- ? digits + ) ?
  mutating func passNumber() throws(JSONError) {
    if try next() == UInt8(ascii: "-") { position += 1 }
    if try next() == UInt8(ascii: "0") {
      position += 1
    } else {
      try passDigits()
    }
    if try next() == UInt8(ascii: ".") {
      position += 1
      try passDigits()
    }
    if let byte = try next(), byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if let sign = try next(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        position += 1
      }
      try passDigits()
    }
    endValue()
  }

  private mutating func passDigits() throws(JSONError) {
    guard let first = try next() else { throw cut() }
    guard JSONScanner.isDigit(first) else { throw unexpected("a digit") }
    repeat { position += 1 } while try next().map(JSONScanner.isDigit) ?? false
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  /// Passes `true`, `false` or `null`.
  mutating func passWord() throws(JSONError) {
    let word =
      switch try kind() {
      case .true: "true"
      case .false: "false"
      default: "null"
      }
    for letter in word.utf8 {
      guard let byte = try next() else { throw cut() }
      guard byte == letter else { throw unexpected(word) }
      position += 1
    }
    endValue()
  }

  /// Whether `true` comes next; any value is passed.
  package mutating func isTrue() throws(JSONError) -> Bool {
    let kind = try kind()
    try skip()
    return kind == .true
  }
}
