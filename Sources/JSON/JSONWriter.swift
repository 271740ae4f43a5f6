package import TidemarkEntries

/// A value that stands in JSON without a name or parts of its own.
package protocol JSONScalar {
  func write(to json: inout JSONWriter)
}

/// Writes JSON (RFC 8259) as it comes; names stand in the order in which they are written.
///
/// Nothing is kept but the open brackets, so a document may be longer than the memory.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  // Whether each open bracket is still empty, and what closes it.
  private var levels: [(closing: UInt8, isEmpty: Bool)] = []
  private let isPretty: Bool

  /// - Parameter pretty: With line ends and indentation, or all in one line.
  package init(pretty: Bool) {
    isPretty = pretty
  }

  /// Whether every bracket is closed.
  package var isComplete: Bool { levels.isEmpty }

  package mutating func beginObject(_ name: String? = nil) {
    begin("{", "}", name)
  }

  package mutating func endObject() {
    end("}")
  }

  package mutating func beginArray(_ name: String? = nil) {
    begin("[", "]", name)
  }

  package mutating func endArray() {
    end("]")
  }

  package mutating func object<Failure>(
    _ name: String? = nil,
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginObject(name)
    try body(&self)
    endObject()
  }

  package mutating func array<Failure>(
    _ name: String? = nil,
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginArray(name)
    try body(&self)
    endArray()
  }

  /// One name and its value in the open object.
  package mutating func field(_ name: String, _ value: some JSONScalar) {
    separate(name)
    value.write(to: &self)
  }

  /// One value of the open array.
  package mutating func element(_ value: some JSONScalar) {
    separate(nil)
    value.write(to: &self)
  }

  /// Closes what is open, so that what stands there parses although it was cut short.
  package mutating func endAll() {
    while let level = levels.last { end(level.closing) }
  }

  /// Gives away what was written so far.
  package mutating func drain() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func begin(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ name: String?)
  {
    separate(name)
    bytes.append(UInt8(ascii: opening))
    levels.append((UInt8(ascii: closing), true))
  }

  private mutating func end(_ closing: Unicode.Scalar) {
    precondition(levels.last?.closing == UInt8(ascii: closing), "another bracket is open")
    end(UInt8(ascii: closing))
  }

  private mutating func end(_ closing: UInt8) {
    let wasEmpty = levels.removeLast().isEmpty
    if !wasEmpty { breakLine() }
    bytes.append(closing)
  }

  private mutating func separate(_ name: String?) {
    guard let last = levels.indices.last else {
      precondition(name == nil, "the document itself has no name")
      return
    }
    let isObject = levels[last].closing == UInt8(ascii: "}")
    precondition(isObject == (name != nil), "fields stand in objects, elements in arrays")
    if !levels[last].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[last].isEmpty = false
    breakLine()
    guard let name else { return }
    append(name)
    bytes += isPretty ? ": ".utf8 : ":".utf8
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in levels { bytes += "  ".utf8 }
  }
}

// Scalars.

extension JSONWriter {
  /// Appends a JSON string, in which also is escaped what could mislead a terminal.
  fileprivate mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += #"\""#.utf8
      case "\\": bytes += #"\\"#.utf8
      case "\n": bytes += #"\n"#.utf8
      case "\r": bytes += #"\r"#.utf8
      case "\t": bytes += #"\t"#.utf8
      case _ where Escaping.isUnsafe(scalar):
        let digits = String(scalar.value, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
      default: bytes += scalar.utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a JSON string of bytes in base64, which needs no escape.
  mutating func append(base64 content: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    Base64Text.append(content, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  fileprivate mutating func append(plain text: some CustomStringConvertible) {
    bytes += text.description.utf8
  }
}

extension String: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(self) }
}

extension Bool: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(plain: self) }
}

extension Int: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(plain: self) }
}

extension Int32: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(plain: self) }
}

extension Int64: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(plain: self) }
}

extension UInt64: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(plain: self) }
}

/// A finite number; JSON has no other.
extension Double: JSONScalar {
  package func write(to json: inout JSONWriter) {
    precondition(isFinite, "JSON has no such number")
    json.append(plain: self)
  }
}

/// Bytes that should be UTF-8; what is not is replaced by U+FFFD.
extension [UInt8]: JSONScalar {
  package func write(to json: inout JSONWriter) {
    json.append(String(decoding: self, as: UTF8.self))
  }
}

extension Seq: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(plain: value) }
}

extension DeviceTime: JSONScalar {
  package func write(to json: inout JSONWriter) { json.append(description) }
}

extension Optional: JSONScalar where Wrapped: JSONScalar {
  package func write(to json: inout JSONWriter) {
    guard let self else { return json.append(plain: "null") }
    self.write(to: &json)
  }
}
