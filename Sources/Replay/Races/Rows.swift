internal import TidemarkEntries
internal import TidemarkJSON

/// The things in a JSON document that have an identity: its rows, wherever they stand.
struct Rows {
  /// One object that says who it is.
  struct Row {
    var id: String
    var fields: [String: JSONValue]
  }

  /// The rows by id; of two with one id, the one that has more fields.
  private(set) var rows: [String: Row] = [:]

  /// The document itself, if it is an object.
  private(set) var top: Row?

  /// Whether the document is a list, or an object with a list in it.
  private(set) var isList = false

  private static let idNames = ["id", "_id", "uuid", "guid", "key", "slug"]
  private static let depthMax = 6

  /// Nothing if the bytes are no JSON object or array.
  init?(_ bytes: [UInt8]) {
    guard let document = JSONValue(bytes) else { return nil }
    switch document {
    case .array: isList = true
    case .object(let members):
      top = Rows.row(document, orElse: "")
      isList = members.contains { if case .array = $0.value { true } else { false } }
    default: return nil
    }
    collect(document, 0)
  }

  private mutating func collect(_ value: JSONValue, _ depth: Int) {
    guard depth <= Rows.depthMax else { return }
    switch value {
    case .array(let elements): for element in elements { collect(element, depth + 1) }
    case .object(let members):
      if let row = Rows.row(value, orElse: nil),
        rows[row.id].map({ $0.fields.count < row.fields.count }) ?? true
      {
        rows[row.id] = row
      }
      for member in members { collect(member.value, depth + 1) }
    default: return
    }
  }

  private static func row(_ value: JSONValue, orElse unnamed: String?) -> Row? {
    guard case .object(let members) = value else { return nil }
    var id = unnamed
    for name in idNames {
      switch value[name] {
      case .string(let text)?: id = text
      case .number(let number)?: id = JSONValue.number(number).summary
      default: continue
      }
      break
    }
    guard let id else { return nil }
    var fields: [String: JSONValue] = [:]
    for member in members { fields[member.name] = member.value }
    return Row(id: id, fields: fields)
  }

  /// The row that a change is about: the one its path names, or the one that its answer is.
  func row(of change: ChangeContent) -> Row? {
    let segments = change.path.resource.split(separator: UInt8(ascii: "/"))
    if let last = segments.last, let named = rows[String(decoding: last, as: UTF8.self)] {
      return named
    }
    if let top, !top.id.isEmpty { return top }
    // An envelope around the one thing: {"data": {"id": …}}.
    return rows.count == 1 ? rows.first?.value : nil
  }
}

extension Rows.Row {
  /// How two states of one row stand in the server's own order.
  enum Order {
    case older
    case same
    case newer
  }

  private static let versionNames = [
    "revision", "rev", "version", "_version", "etag_version", "sequence", "seq", "updatedAt",
    "updated_at", "modifiedAt", "modified_at", "lastModified", "last_modified", "modified",
    "updated",
  ]

  /// The first field that both have and that numbers or dates the row's states, and what it says.
  func versionOrder(against other: Rows.Row) -> (field: String, order: Order)? {
    for name in Rows.Row.versionNames {
      switch (fields[name], other.fields[name]) {
      case (.number(let mine)?, .number(let its)?):
        return (name, mine == its ? .same : mine < its ? .older : .newer)
      case (.string(let mine)?, .string(let its)?):
        if let order = Rows.Row.order(mine, its) { return (name, order) }
      default: continue
      }
    }
    return nil
  }

  /// Whole numbers compare as numbers; times in one ISO 8601 form compare as text.
  private static func order(_ mine: String, _ its: String) -> Order? {
    if mine == its { return .same }
    if let left = UInt64(mine), let right = UInt64(its) { return left < right ? .older : .newer }
    let isTime = mine.utf8.count == its.utf8.count && mine.utf8.count >= 19
      && Array(mine.utf8)[4] == UInt8(ascii: "-") && mine.hasSuffix("Z") && its.hasSuffix("Z")
    guard isTime else { return nil }
    return mine < its ? .older : .newer
  }

  /// The first field, by name, that both have with different values.
  func firstDifference(from other: Rows.Row) -> String? {
    fields.keys.sorted().first { name in
      guard let its = other.fields[name] else { return false }
      return fields[name] != its
    }
  }

  func text(_ field: String) -> String { fields[field]?.summary ?? "nothing" }
}
