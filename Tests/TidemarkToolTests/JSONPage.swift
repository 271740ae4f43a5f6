import Foundation
import TidemarkJSON

/// `docs/JSON.md`, read as the contract that it is: the fields of every shape, with their types.
struct JSONPage {
  struct Field {
    var name: String
    var type: String

    /// Whether it may be left out.
    var isOptional: Bool
  }

  /// By the name of the shape, or by a whole schema.
  private(set) var shapes: [String: [Field]] = [:]

  /// The name under which a shape stands that a type names: `body`, or `entry` for its schema.
  func shape(named name: String) -> String? {
    [name, "tidemark.\(name)/1"].first { shapes[$0] != nil }
  }

  init(_ text: String) {
    var shape = ""
    var isOptionalTable = false
    for line in text.split(separator: "\n") {
      if let match = line.firstMatch(of: #/^## `(tidemark\.[a-z-]+\/1)`$/#) {
        shape = String(match.1)
      } else if let match = line.firstMatch(of: #/^### Shape: (.+)$/#) {
        shape = String(match.1)
      } else if line.hasPrefix("#") {
        shape = ""
      } else if line.hasPrefix("| Field") {
        // The fields of kinds stand in entries of those kinds only.
        isOptionalTable = line.hasSuffix("Kinds |")
      } else if !shape.isEmpty,
        let match = line.firstMatch(of: #/^\| `([A-Za-z0-9.]+)` \| ([^|]+?) \|/#)
      {
        shapes[shape, default: []].append(JSONPage.field(match.1, match.2, isOptionalTable))
      }
    }
  }

  private static func field(_ name: Substring, _ type: Substring, _ isOptional: Bool) -> Field {
    let plain = type.replacing(", or absent", with: "")
    return Field(
      name: String(name),
      type: String(plain),
      isOptional: isOptional || plain.count != type.count
    )
  }

  static func read() throws -> JSONPage {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return JSONPage(try String(contentsOf: root.appending(path: "docs/JSON.md"), encoding: .utf8))
  }
}

/// Compares what the tool writes with the page, and remembers what it has seen.
struct JSONAudit {
  let page: JSONPage

  /// What contradicts the page.
  private(set) var complaints: Set<String> = []

  /// The fields that came, as `shape.field`.
  private(set) var seen: Set<String> = []

  init(_ page: JSONPage) {
    self.page = page
  }

  /// Takes a document, or a line.
  mutating func take(_ text: some StringProtocol) {
    guard let value = JSONValue(Array(text.utf8)), case .string(let schema)? = value["schema"]
    else {
      complaints.insert("no JSON with a schema: \(text.prefix(80))")
      return
    }
    check(value, schema)
  }

  private mutating func check(_ value: JSONValue, _ shape: String) {
    guard let fields = page.shapes[shape] else {
      complaints.insert("the page has no shape \(shape)")
      return
    }
    guard case .object = value else {
      complaints.insert("\(shape) is no object")
      return
    }
    check(value, shape, fields, below: "")
  }

  private mutating func check(
    _ value: JSONValue,
    _ shape: String,
    _ fields: [JSONPage.Field],
    below prefix: String
  ) {
    guard case .object(let members) = value else { return }
    for member in members {
      let name = prefix + member.name
      if let field = fields.first(where: { $0.name == name }) {
        seen.insert("\(shape).\(name)")
        if !isOf(field.type, member.value) {
          complaints.insert("\(shape).\(name) is not \(field.type): \(member.value.summary)")
        }
      } else if fields.contains(where: { $0.name.hasPrefix(name + ".") }) {
        check(member.value, shape, fields, below: name + ".")
      } else {
        complaints.insert("\(shape).\(name) is not on the page")
      }
    }
    let names = Set(members.map { prefix + $0.name })
    for field in fields where !field.isOptional && field.name.hasPrefix(prefix) {
      let rest = field.name.dropFirst(prefix.count)
      guard !rest.contains("."), !names.contains(field.name) else { continue }
      complaints.insert("\(shape).\(field.name) is missing")
    }
  }

  private mutating func isOf(_ type: String, _ value: JSONValue) -> Bool {
    if type.hasPrefix("list of ") {
      guard case .array(let elements) = value else { return false }
      var areGood = true
      for element in elements where !isOf(String(type.dropFirst(8)), element) { areGood = false }
      return areGood
    }
    if type.hasPrefix("numbers by ") {
      guard case .object(let members) = value else { return false }
      return members.allSatisfy { if case .number = $0.value { true } else { false } }
    }
    let names = type.replacing(" or ", with: "|").split(separator: "|").map(String.init)
    return names.contains { name in
      switch (name, value) {
      case ("string", .string), ("number", .number), ("boolean", .bool), ("null", .null): true
      default: false
      }
    } || isShape(names.lazy.compactMap(page.shape(named:)).first, value)
  }

  private mutating func isShape(_ name: String?, _ value: JSONValue) -> Bool {
    guard let name, case .object = value else { return false }
    check(value, name)
    return true
  }

  /// The fields of `shapes` that nothing has shown.
  func unseen(in shapes: some Sequence<String>) -> [String] {
    shapes.flatMap { shape in
      (page.shapes[shape] ?? []).map { "\(shape).\($0.name)" }
    }
    .filter { !seen.contains($0) }
  }
}
