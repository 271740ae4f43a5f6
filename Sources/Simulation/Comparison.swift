package import TidemarkJSON

/// Compares a state with what is told of it.
///
/// Objects need not be told whole, unless they stand under `!exact`; lists and values are compared
/// as they are. Texts and names are bytes: two spellings of one text differ.
package enum Comparison {
  /// What differs, a line each; none if `found` is as `wanted` tells.
  package static func differences(
    _ wanted: JSONValue,
    _ found: JSONValue?,
    at place: String = "",
    isExact: Bool = false
  ) -> [String] {
    if case .object(let members) = wanted {
      if members.count == 1, members[0].name == "!exact" {
        return differences(members[0].value, found, at: place, isExact: true)
      }
      guard case .object(let others)? = found else {
        return isExact && members.isEmpty && found == nil ? [] : [line(place, wanted, found)]
      }
      return differences(members, others, at: place, isExact: isExact)
    }
    guard let found, isEqual(wanted, found) else { return [line(place, wanted, found)] }
    return []
  }

  private static func differences(
    _ wanted: [JSONValue.Member],
    _ found: [JSONValue.Member],
    at place: String,
    isExact: Bool
  ) -> [String] {
    var lines: [String] = []
    for member in wanted {
      let place = place.isEmpty ? member.name : "\(place) › \(member.name)"
      let other = value(of: member.name, in: found)
      // Under `!exact` a name that is absent and one that holds nothing are the same.
      if isExact, other == nil, isEmpty(member.value) { continue }
      if other == nil, case .object(let inner) = member.value, inner.count == 1,
        inner[0].name == "!exact", isEmpty(inner[0].value)
      {
        continue
      }
      lines += differences(member.value, other, at: place, isExact: isExact)
    }
    guard isExact else { return lines }
    for member in found where value(of: member.name, in: wanted) == nil && !isEmpty(member.value) {
      lines.append("\(place) › \(member.name): \(member.value.json) is there, and should not be")
    }
    return lines
  }

  private static func value(of name: String, in members: [JSONValue.Member]) -> JSONValue? {
    members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  private static func isEmpty(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let members): members.allSatisfy { isEmpty($0.value) }
    case .array(let elements): elements.isEmpty
    case .null: true
    case .string, .number, .bool: false
    }
  }

  private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { member in
          value(of: member.name, in: right).map { isEqual(member.value, $0) } ?? false
        }
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.number(let left), .number(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }

  private static func line(_ place: String, _ wanted: JSONValue, _ found: JSONValue?) -> String {
    "\(place): \(wanted.json) was expected, \(found?.json ?? "nothing") found"
  }
}

extension JSONValue {
  /// The value as JSON in one line.
  package var json: String { String(decoding: encoded, as: UTF8.self) }

  /// The value as JSON bytes in one line.
  var encoded: [UInt8] {
    var json = JSONWriter(pretty: false)
    json.beginArray()
    write(to: &json, name: nil)
    json.endArray()
    return Array(json.bytes.dropFirst().dropLast())
  }

  /// The value that a content of the stores holds; nothing if it is no JSON.
  init?(content: [UInt8]) {
    let list = [UInt8(ascii: "[")] + content + [UInt8(ascii: "]")]
    guard case .array(let values)? = JSONValue(list), values.count == 1 else { return nil }
    self = values[0]
  }

  /// Writes the value as a field of the open object, or as an element of the open array.
  package func write(to json: inout JSONWriter, name: String?) {
    switch self {
    case .object(let members):
      json.object(name) { json in
        for member in members { member.value.write(to: &json, name: member.name) }
      }
    case .array(let elements):
      json.array(name) { json in for element in elements { element.write(to: &json, name: nil) } }
    case .string(let text): JSONValue.write(text, name, &json)
    case .bool(let flag): JSONValue.write(flag, name, &json)
    case .null: JSONValue.write(String?.none, name, &json)
    case .number(let number):
      if let whole = Int64(exactly: number) {
        JSONValue.write(whole, name, &json)
      } else {
        JSONValue.write(number, name, &json)
      }
    }
  }

  private static func write(
    _ value: some JSONScalar,
    _ name: String?,
    _ json: inout JSONWriter
  ) {
    if let name { json.field(name, value) } else { json.element(value) }
  }
}
