extension Entry {
  /// The contents that the entry names, in the order of its fields.
  ///
  /// Of a kind that this build does not know, nothing is known; what is malformed is passed over.
  package var bodies: [BodyReference] {
    guard let kind = KindRegistry.type(of: kind), !payloadRange.isEmpty else { return [] }
    var found: [BodyReference] = []
    var reader = CBORReader(storage, in: payloadRange)
    // What cannot be read ends the payload: what stands before it counts.
    try? readBodies(from: &reader, kind.fields, into: &found)
    return found
  }

  private func readBodies(
    from reader: inout CBORReader,
    _ fields: [KindField],
    into found: inout [BodyReference]
  ) throws(EntryError) {
    for _ in 0..<(try reader.map()) {
      let number = try reader.unsigned()
      switch fields.first(where: { $0.number == number })?.form {
      case .body: found.append(try BodyReference(from: &reader, storage))
      case .copies:
        for _ in 0..<(try reader.array()) {
          let count = try reader.array()
          try reader.skip()
          found.append(try BodyReference(from: &reader, storage))
          if count > 2 { try reader.skip() }
        }
      default: try reader.skip()
      }
    }
  }
}
