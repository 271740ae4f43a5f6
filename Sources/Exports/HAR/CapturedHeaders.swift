internal import TidemarkJSON

/// The headers of a request or an answer, looked up by lower-case name.
package struct CapturedHeaders: Sendable {
  // All names, in lower case, and values in one piece: a capture has millions of headers.
  private var bytes: [UInt8] = []
  private var fields: [Field] = []

  private struct Field {
    var name: Range<Int>
    var value: Range<Int>
  }

  package init() {}

  package var count: Int { fields.count }

  /// The first value of a header; `name` is in lower case.
  package func first(_ name: String) -> String? {
    fields.first { isNamed(name, $0) }.map(value)
  }

  /// All values of a header, in their order.
  package func all(_ name: String) -> [String] {
    fields.filter { isNamed(name, $0) }.map(value)
  }

  package func has(_ name: String) -> Bool {
    fields.contains { isNamed(name, $0) }
  }

  private func isNamed(_ name: String, _ field: Field) -> Bool {
    field.name.count == name.utf8.count && bytes[field.name].elementsEqual(name.utf8)
  }

  private func value(_ field: Field) -> String {
    String(decoding: bytes[field.value], as: UTF8.self)
  }

  /// Reads an array of objects with a name and a value; anything else in it is passed.
  init(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.array) else { return }
    bytes.reserveCapacity(512)
    fields.reserveCapacity(16)
    while try scanner.nextElement() {
      if try scanner.enter(.object) { try readField(from: &scanner) }
    }
  }

  private mutating func readField(from scanner: inout JSONScanner) throws(JSONError) {
    var field = Field(name: 0..<0, value: 0..<0)
    while try scanner.nextMember() {
      let start = bytes.count
      if scanner.isNamed("name") {
        try scanner.appendString(to: &bytes)
        for index in start..<bytes.count { bytes[index] = bytes[index].lowercased }
        field.name = start..<bytes.count
      } else if scanner.isNamed("value") {
        try scanner.appendString(to: &bytes)
        field.value = start..<bytes.count
      } else {
        try scanner.skip()
      }
    }
    if !field.name.isEmpty { fields.append(field) }
  }
}

extension JSONScanner {
  /// The name and the value of an object that has both, as texts; any other value is passed.
  mutating func pair() throws(JSONError) -> (name: JSONString, value: JSONString)? {
    guard try enter(.object) else { return nil }
    var name: JSONString?
    var value: JSONString?
    while try nextMember() {
      if isNamed("name") {
        name = try string()
      } else if isNamed("value") {
        value = try string()
      } else {
        try skip()
      }
    }
    guard let name else { return nil }
    return (name, value ?? JSONString())
  }
}

extension UInt8 {
  /// The byte with an ASCII capital made small.
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
