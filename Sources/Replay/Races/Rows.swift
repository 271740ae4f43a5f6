internal import TidemarkEntries
internal import TidemarkJSON

/// The objects of a JSON document, wherever they stand: what it says of one thing each.
struct Rows {
  /// One object.
  struct Row {
    var fields: [String: JSONValue]

    /// What names the thing, if the object says it.
    var identity: Identity?
  }

  /// A field that names a thing, with its value as text.
  struct Identity: Hashable, CustomStringConvertible {
    var field: String
    var value: String

    var description: String { "\(field) \(value)" }
  }

  /// All objects, outer ones first.
  private(set) var objects: [Row] = []

  /// The document itself, if it is an object.
  private(set) var top: Row?

  /// Whether the document is a list, or an object with a list in it.
  private(set) var isList = false

  /// Where the objects are that a usual field names so; of one name, the first few.
  private var places: [Identity: [Int]] = [:]

  private static let identityNames = IdentityFields.names.map(\.description)
  private static let depthMax = 8
  private static let placesMax = 16

  /// Nothing if the bytes are no JSON object or array.
  init?(_ bytes: [UInt8]) {
    guard let document = JSONValue(bytes) else { return nil }
    switch document {
    case .array: isList = true
    case .object(let members):
      isList = members.contains { if case .array = $0.value { true } else { false } }
    default: return nil
    }
    collect(document, 0)
    if case .object = document { top = objects.first }
  }

  private mutating func collect(_ value: JSONValue, _ depth: Int) {
    guard depth <= Rows.depthMax else { return }
    switch value {
    case .array(let elements): for element in elements { collect(element, depth + 1) }
    case .object(let members):
      append(Row(members))
      for member in members { collect(member.value, depth + 1) }
    default: return
    }
  }

  private mutating func append(_ row: Row) {
    for name in Rows.identityNames {
      guard let value = row.text(of: name) else { continue }
      let identity = Identity(field: name, value: value)
      if places[identity]?.count ?? 0 < Rows.placesMax {
        places[identity, default: []].append(objects.count)
      }
    }
    objects.append(row)
  }

  /// The object that is about the same thing as `row`, if one is.
  ///
  /// Numbers are used again for things of other kinds, so most of the fields must be the same.
  func row(like row: Row, named identity: Identity) -> Row? {
    let named =
      Rows.identityNames.contains(identity.field)
      ? (places[identity] ?? []).map { objects[$0] }
      : objects.filter { $0.text(of: identity.field) == identity.value }
    return named.filter { $0.isLike(row) }.max {
      $0.sharedCount(with: row) < $1.sharedCount(with: row)
    }
  }

  /// Whether any object is named so: by a usual name of identities, or by any field if it has none.
  func contains(_ value: String) -> Bool {
    objects.contains { row in
      row.identity.map { $0.value == value } ?? (row.field(holding: value) != nil)
    }
  }

  /// The object that a change is about: the one that the path of the change names, or the answer
  /// itself.
  func row(of change: JudgedChange) -> Row? {
    if let segment = change.path.lastSegment {
      for row in objects {
        guard let field = row.field(holding: segment) else { continue }
        var named = row
        named.identity = Identity(field: field, value: segment)
        return named
      }
    }
    if let top, top.identity != nil { return top }
    // An envelope around the one thing: {"data": {"id": …}}.
    let named = objects.filter { $0.identity != nil }
    return named.count == 1 ? named.first : nil
  }

  fileprivate static func identity(in fields: [String: JSONValue]) -> Identity? {
    for name in identityNames {
      guard let text = text(fields[name]) else { continue }
      return Identity(field: name, value: text)
    }
    return nil
  }

  /// A string or a whole number as it would stand in a path.
  fileprivate static func text(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)?: text
    case .number?: value?.summary
    default: nil
    }
  }

  fileprivate static func rank(_ name: String) -> Int {
    identityNames.firstIndex(of: name) ?? identityNames.count
  }
}

extension Rows.Row {
  fileprivate init(_ members: [JSONValue.Member]) {
    fields = [:]
    for member in members { fields[member.name] = member.value }
    identity = Rows.identity(in: fields)
  }

  /// How two states of one thing stand in the server's own order.
  enum Order {
    case older
    case same
    case newer
  }

  private static let versionNames = [
    "revision", "rev", "version", "_version", "sequence", "seq", "updatedAt", "updated_at",
    "modifiedAt", "modified_at", "lastModified", "last_modified", "modified", "updated",
  ]

  fileprivate func text(of field: String) -> String? { Rows.text(fields[field]) }

  /// The field whose value is `text`; usual names of identities before others.
  fileprivate func field(holding text: String) -> String? {
    fields.keys.filter { self.text(of: $0) == text }
      .min { (Rows.rank($0), $0) < (Rows.rank($1), $1) }
  }

  fileprivate func sharedCount(with other: Rows.Row) -> Int {
    fields.keys.count { other.fields[$0] != nil }
  }

  /// Whether most fields of the smaller one are in the other.
  fileprivate func isLike(_ other: Rows.Row) -> Bool {
    if let mine = fields["__typename"], let its = other.fields["__typename"], mine != its {
      return false
    }
    return sharedCount(with: other) * 2 >= min(fields.count, other.fields.count)
  }

  /// The first field that both have and that numbers or dates the thing's states, and what it says.
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
    let isTime =
      mine.utf8.count == its.utf8.count && mine.utf8.count >= 19
      && Array(mine.utf8)[4] == UInt8(ascii: "-") && mine.hasSuffix("Z") && its.hasSuffix("Z")
    guard isTime else { return nil }
    return mine < its ? .older : .newer
  }

  /// The fields, by name, that both have with different values.
  func differences(from other: Rows.Row) -> [String] {
    fields.keys.filter { name in
      guard let its = other.fields[name] else { return false }
      return fields[name] != its
    }
    .sorted()
  }

  /// The first of them.
  func firstDifference(from other: Rows.Row) -> String? { differences(from: other).first }

  func shares(fieldsWith other: Rows.Row) -> Bool { sharedCount(with: other) > 0 }

  func summary(of field: String) -> String { fields[field]?.summary ?? "nothing" }
}
