import Foundation
import TidemarkEntries

/// One kind, in the shape in which `Journal/kinds/kinds.json` registers it.
struct RegisteredKind: Decodable, Hashable, CustomStringConvertible {
  struct Field: Decodable, Hashable {
    let number: UInt64
    let name: String
    let form: String
  }

  let number: UInt16
  let name: String
  let fields: [Field]

  var description: String {
    let list = fields.map { "\($0.number) \($0.name): \($0.form)" }.joined(separator: ", ")
    return "\(number) \(name) (\(list))"
  }

  /// The kinds that the code knows.
  static var built: [RegisteredKind] {
    KindRegistry.kinds.map { kind in
      RegisteredKind(
        number: kind.number,
        name: kind.name,
        fields: kind.fields.map {
          Field(number: $0.number, name: $0.name, form: $0.form.rawValue)
        }
      )
    }
  }

  /// The kinds that `json` registers.
  static func registered(in json: String) throws -> [RegisteredKind] {
    try JSONDecoder().decode([RegisteredKind].self, from: Data(json.utf8))
  }

  /// What stands in one list and not in the other.
  static func differences(_ registered: [Self], _ built: [Self]) -> [Complaint] {
    let path = "Journal/kinds/kinds.json"
    return built.filter { !registered.contains($0) }.map {
      Complaint(path, 0, "the code has \($0): this changes what old journals mean")
    }
      + registered.filter { !built.contains($0) }.map {
        Complaint(path, 0, "registered is \($0): no code reads it so")
      }
  }

  /// Numbers and names that are used twice, or fields that are not in order.
  static func repetitions(in kinds: [Self]) -> [Complaint] {
    let repeated =
      duplicates(kinds.map { "number \($0.number)" }) + duplicates(kinds.map { "name \($0.name)" })
    let unordered = kinds.filter { kind in
      zip(kind.fields, kind.fields.dropFirst()).contains { $0.number >= $1.number }
        || !duplicates(kind.fields.map(\.name)).isEmpty
    }
    return repeated.map { Complaint("Journal/kinds/kinds.json", 0, "\($0) is used twice") }
      + unordered.map { Complaint("Journal/kinds/kinds.json", 0, "fields of \($0.name): order") }
  }

  private static func duplicates(_ names: [String]) -> [String] {
    Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
  }
}
