/// A JSON document as a tree, for content that is compared and shown.
///
/// Numbers are doubles: two that differ beyond 2^53 alone are equal here.
package indirect enum JSONValue: Sendable, Hashable {
  case object([Member])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// A name of an object with its value.
  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The most values that one document may have; what has more is not taken apart.
  package static let valuesMax = 1_000_000

  /// Reads one document that takes up all of `bytes`; nothing if it is none.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package init?(_ bytes: [UInt8]) {
    guard let first = bytes.first(where: { !" \n\r\t".utf8.contains($0) }),
      "{[\"".utf8.contains(first)
    else { return nil }
    var scanner = JSONScanner(bytes)
    var budget = JSONValue.valuesMax
    do throws(JSONError) {
      let value = try JSONValue(&scanner, &budget)
      try scanner.finish()
      self = value
    } catch { return nil }
  }

  private init(_ scanner: inout JSONScanner, _ budget: inout Int) throws(JSONError) {
    budget -= 1
    guard budget > 0 else {
      throw JSONError(.limit, "more than \(JSONValue.valuesMax) values", at: scanner.offset)
    }
    switch try scanner.kind() {
    case .object:
      var members: [Member] = []
      try scanner.enter()
      while try scanner.nextMember() {
        let name = scanner.nameText
        members.append(Member(name, try JSONValue(&scanner, &budget)))
      }
      self = .object(members)
    case .array:
      var elements: [JSONValue] = []
      try scanner.enter()
      while try scanner.nextElement() { elements.append(try JSONValue(&scanner, &budget)) }
      self = .array(elements)
    case .string: self = .string(try scanner.string()?.description ?? "")
    case .number: self = try scanner.number().map { .number($0) } ?? .null
    case .true, .false: self = .bool(try scanner.isTrue())
    case .null:
      try scanner.skip()
      self = .null
    }
  }

  /// The value of the last member of this name, as a browser takes it; nothing if there is none.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The value in few words: `"Check mooring"`, `52`, `3 members`.
  package var summary: String {
    switch self {
    case .object(let members): "\(members.count) members"
    case .array(let elements): "\(elements.count) elements"
    case .string(let text): "\"\(text.count > 60 ? text.prefix(57) + "…" : text[...])\""
    case .number(let number):
      number.magnitude < 0x1p53 && number == Double(Int64(number))
        ? "\(Int64(number))" : "\(number)"
    case .bool(let bool): "\(bool)"
    case .null: "null"
    }
  }
}
