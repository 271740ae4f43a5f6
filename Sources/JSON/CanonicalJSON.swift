extension JSONScanner {
  /// Passes the next value and appends it in a form in which equal values are equal bytes.
  ///
  /// White space goes, members are sorted by name, strings are decoded and have their length before
  /// them. Numbers stay as they are written. The form is for hashing, not for reading.
  package mutating func appendCanonical(to bytes: inout [UInt8]) throws(JSONError) {
    switch try kind() {
    case .object:
      let members = try canonicalMembers().sorted { $0.lexicographicallyPrecedes($1) }
      bytes.append(contentsOf: "{\(members.count):".utf8)
      for member in members { bytes += member }
    case .array:
      try enter()
      bytes.append(UInt8(ascii: "["))
      while try nextElement() { try appendCanonical(to: &bytes) }
      bytes.append(UInt8(ascii: "]"))
    case .string: JSONScanner.append(try string()?.bytes ?? [], to: &bytes)
    case .number, .true, .false, .null:
      bytes += try scalar()
      bytes.append(UInt8(ascii: ";"))
    }
  }

  private mutating func canonicalMembers() throws(JSONError) -> [[UInt8]] {
    var members: [[UInt8]] = []
    try enter()
    while try nextMember() {
      var member: [UInt8] = []
      JSONScanner.append(Array(nameText.utf8), to: &member)
      try appendCanonical(to: &member)
      members.append(member)
    }
    return members
  }

  private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\"\(text.count):".utf8)
    bytes += text
  }
}
