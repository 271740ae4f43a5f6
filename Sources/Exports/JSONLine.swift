internal import TidemarkEntries
internal import TidemarkJSON

/// The members of one object that are asked for; all others are passed.
struct JSONLine {
  enum Value {
    /// Where it stands: contents are long, and are not copied before they are decoded.
    case text(JSONText)
    case number(UInt64)
    case flag(Bool)

    /// Null, or something else than was asked for.
    case other
  }

  private let line: [UInt8]
  private var values: [(name: String, value: Value)] = []

  /// Reads an object that takes up all of `bytes`, and has a schema.
  ///
  /// - Throws: ``JSONError``; also if a member that is asked for stands twice.
  init(_ bytes: [UInt8], members wanted: [String]) throws(JSONError) {
    line = bytes
    var scanner = JSONScanner(bytes)
    guard try scanner.kind() == .object else { throw scanner.misplaced("an object is expected") }
    try scanner.enter()
    while try scanner.nextMember() {
      let name = scanner.nameText
      guard wanted.contains(name) else {
        try scanner.skip()
        continue
      }
      guard !values.contains(where: { $0.name == name }) else {
        throw scanner.misplaced("\(name) stands twice")
      }
      values.append((name, try JSONLine.value(&scanner)))
    }
    try scanner.finish()
  }

  private static func value(_ scanner: inout JSONScanner) throws(JSONError) -> Value {
    switch try scanner.kind() {
    case .string: return .text(try scanner.text())
    case .number:
      // Beyond 2^53 a double does not hold every number.
      guard let number = try scanner.number(), number >= 0, number <= 0x1p53,
        let exact = UInt64(exactly: number)
      else { return .other }
      return .number(exact)
    case .true, .false: return .flag(try scanner.isTrue())
    default:
      try scanner.skip()
      return .other
    }
  }

  private func value(_ name: String) -> Value? { values.first { $0.name == name }?.value }

  func text(_ name: String) -> String? {
    guard case .text(let text)? = value(name) else { return nil }
    return String(decoding: decoded(text), as: UTF8.self)
  }

  func number(_ name: String) -> UInt64? {
    guard case .number(let number)? = value(name) else { return nil }
    return number
  }

  func isTrue(_ name: String) -> Bool {
    guard case .flag(let flag)? = value(name) else { return false }
    return flag
  }

  /// The bytes that a member has in base64.
  func bytes(_ name: String) -> [UInt8]? {
    guard case .text(let text)? = value(name) else { return nil }
    return Base64Text(spelling: decoded(text))?.bytes
  }

  private func decoded(_ text: JSONText) -> ArraySlice<UInt8> {
    guard text.hasEscapes else { return line[text.range] }
    let raw = line.span.bytes.extracting(text.range)
    return JSONString(raw: raw, hasEscapes: true).bytes[...]
  }

  /// The bytes that a member has in hexadecimal digits.
  func hex(_ name: String) -> [UInt8]? { text(name).flatMap { Hex.decode($0) } }
}

extension JSONScanner {
  fileprivate func misplaced(_ message: String) -> JSONError {
    JSONError(.syntax, message, at: offset)
  }
}
