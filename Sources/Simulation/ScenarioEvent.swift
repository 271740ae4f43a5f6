internal import TidemarkJSON

/// One thing that happens: to the stores, to the server, to the device.
package struct ScenarioEvent: Sendable {
  /// The name of the event.
  package let name: String
  let shape: EventShape
  private let value: JSONValue

  init(_ value: JSONValue) throws(ScenarioError) {
    guard let name = value["e"]?.text, let shape = EventShape.all[name] else {
      throw ScenarioError("there is no event '\(value["e"]?.text ?? "without a name")'")
    }
    for member in value.members where !shape.allows(member.name) {
      throw ScenarioError("'\(name)' has no field '\(member.name)'")
    }
    for field in shape.required where value[field] == nil {
      throw ScenarioError("'\(name)' needs the field '\(field)'")
    }
    self.name = name
    self.shape = shape
    self.value = value
  }

  subscript(field: String) -> JSONValue? { value[field] }

  /// The text of a field that must be there.
  func text(_ field: String) throws(ScenarioError) -> String {
    guard let text = value[field]?.text else {
      throw ScenarioError("'\(field)' of '\(name)' is a text")
    }
    return text
  }

  func optionalText(_ field: String) throws(ScenarioError) -> String? {
    value[field] == nil ? nil : try text(field)
  }

  /// The whole number of a field that must be there.
  func integer(_ field: String) throws(ScenarioError) -> Int64 {
    guard let number = value[field]?.integer else {
      throw ScenarioError("'\(field)' of '\(name)' is a whole number")
    }
    return number
  }

  func optionalInteger(_ field: String) throws(ScenarioError) -> Int64? {
    value[field] == nil ? nil : try integer(field)
  }

  /// A number that is not below 0, such as a revision or a count.
  func optionalCount(_ field: String) throws(ScenarioError) -> UInt64? {
    guard let number = try optionalInteger(field) else { return nil }
    guard let count = UInt64(exactly: number) else {
      throw ScenarioError("'\(field)' of '\(name)' is not below 0")
    }
    return count
  }

  /// Seconds as milliseconds.
  func milliseconds(_ field: String) throws(ScenarioError) -> Int64 {
    let (product, overflow) = try integer(field).multipliedReportingOverflow(by: 1000)
    guard !overflow else { throw ScenarioError("'\(field)' of '\(name)' is too long a time") }
    return product
  }

  func flag(_ field: String) throws(ScenarioError) -> Bool {
    switch value[field] {
    case nil: return false
    case .bool(let flag)?: return flag
    case _?: throw ScenarioError("'\(field)' of '\(name)' is true or false")
    }
  }

  func texts(_ field: String) throws(ScenarioError) -> [String] {
    guard let value = value[field] else { return [] }
    let texts = value.elements.compactMap(\.text)
    guard case .array(let all) = value, texts.count == all.count else {
      throw ScenarioError("'\(field)' of '\(name)' is a list of texts")
    }
    return texts
  }

  func numbers(_ field: String) throws(ScenarioError) -> [Int64] {
    guard let value = value[field] else { return [] }
    let numbers = value.elements.compactMap(\.integer)
    guard case .array(let all) = value, numbers.count == all.count else {
      throw ScenarioError("'\(field)' of '\(name)' is a list of whole numbers")
    }
    return numbers
  }
}

/// Which fields an event has.
struct EventShape: Sendable {
  enum Group: Sendable { case shelf, outbox, pins, device, records }

  let group: Group
  let required: [String]
  let optional: [String]

  init(_ group: Group, _ required: [String] = [], _ optional: [String] = []) {
    self.group = group
    self.required = required
    self.optional = optional
  }

  func allows(_ field: String) -> Bool {
    // `why` is a label, which decides nothing.
    field == "e" || field == "why" || required.contains(field) || optional.contains(field)
  }

  /// All events, a line each.
  static let all: [String: EventShape] = [
    "open": EventShape(.shelf, ["server"], ["account"]),
    "switch": EventShape(.shelf, ["server"], ["account"]),
    "begin": EventShape(.shelf, ["t", "path"], ["join"]),
    "land": EventShape(.shelf, ["t"], ["body", "append", "rev"]),
    "fail": EventShape(.shelf, ["t"]),
    "page": EventShape(.shelf, ["t", "items"], ["last"]),
    "mutate": EventShape(.shelf, ["path"], ["body", "rev", "row"]),
    "clearCache": EventShape(.shelf),

    "enqueue": EventShape(
      .outbox,
      ["key", "body"],
      ["lane", "path", "blobs", "ttl", "rekey"]
    ),
    "drain": EventShape(.outbox, [], ["keyRetention"]),
    "send": EventShape(.outbox, ["key", "srv"], ["byWriter"]),
    "answer": EventShape(.outbox, ["key"]),
    "lost": EventShape(.outbox, ["key"]),
    "localFail": EventShape(.outbox, ["key"]),
    "signIn": EventShape(.outbox),
    "serverForgetsKeys": EventShape(.outbox),
    "blobGone": EventShape(.outbox, ["blob"]),
    "storm": EventShape(.outbox, ["seconds", "every"]),

    "pinSeed": EventShape(.pins, ["pins"]),
    "pinRemove": EventShape(.pins, ["ids"]),
    "srvPin": EventShape(.pins, ["op", "id"], ["name"]),
    "pinSync": EventShape(.pins, ["phase"], ["run", "pins"]),

    "tick": EventShape(.device, ["by"]),
    "clock": EventShape(.device, ["offset"]),
    "disk": EventShape(.device, ["full"]),
    "checkpoint": EventShape(.device),
    "crash": EventShape(.device),
    "powerLoss": EventShape(.device),
    "reopen": EventShape(.device, [], ["restored"]),
    "damage": EventShape(.device, ["what"], ["at"]),
    "copyStore": EventShape(.device),
    "useCopy": EventShape(.device),
    "backupDevice": EventShape(.device, ["mark"]),
    "restoreDevice": EventShape(.device, ["mark"]),
    "compact": EventShape(.device, [], ["crashBeforeDelete"]),
    "budget": EventShape(.device, ["sizes", "limit"]),
    "commits": EventShape(.device, ["order"]),
    "preview": EventShape(.device, ["text", "limit"]),

    "save": EventShape(.records, ["id", "change", "body"], ["ts", "crashBetween"]),
    "del": EventShape(.records, ["id", "change"], ["body", "ts", "crashBetween"]),
    "push": EventShape(.records, ["change"]),
    "pushReply": EventShape(.records, ["change", "status"], ["epoch", "seq"]),
    "pushLost": EventShape(.records, ["change"]),
    "conflictLoop": EventShape(.records, ["change", "times"]),
    "pull": EventShape(.records, ["epoch", "changes", "cursor"], ["from", "crashDuring"]),
    "lww": EventShape(.records, ["id", "local"]),
    "purge": EventShape(.records),
    "srvRow": EventShape(.records, ["id", "ts"], ["body"]),
    "pullRows": EventShape(.records, ["limit"]),
  ]
}
