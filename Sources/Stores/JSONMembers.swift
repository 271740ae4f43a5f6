internal import TidemarkJSON

/// The members of a JSON object, as far as a format asks for them.
struct JSONMembers {
  /// The kind of each value, and the characters of it if it is a text or a number.
  private var members: [[UInt8]: (kind: JSONKind, text: [UInt8])] = [:]

  /// Nothing if `content` is no object.
  init?(_ content: [UInt8]) {
    do throws(JSONError) {
      var scanner = JSONScanner(content)
      guard try scanner.enter(.object) else { return nil }
      while try scanner.nextMember() {
        let name = Array(scanner.nameText.utf8)
        let value = try JSONMembers.value(&scanner)
        // Of a name that stands twice the first counts.
        if members[name] == nil { members[name] = value }
      }
    } catch { return nil }
  }

  private static func value(
    _ scanner: inout JSONScanner
  ) throws(JSONError) -> (kind: JSONKind, text: [UInt8]) {
    let kind = try scanner.kind()
    switch kind {
    case .string: return (kind, try scanner.string()?.bytes ?? [])
    case .number: return (kind, try scanner.scalarText())
    case .object, .array, .true, .false, .null:
      try scanner.skip()
      return (kind, [])
    }
  }

  /// Whether there is a member of the name that is not null.
  func has(_ name: String) -> Bool {
    members[Array(name.utf8)].map { $0.kind != .null } ?? false
  }

  /// The whole number of the name: digits, or a text of digits.
  func number(_ name: String) -> UInt64? {
    members[Array(name.utf8)].flatMap { UInt64(String(decoding: $0.text, as: UTF8.self)) }
  }
}
