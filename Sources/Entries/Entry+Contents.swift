extension Entry {
  /// The entries that this one names in its fields, with the names of the fields.
  ///
  /// Of a kind that this build does not know, nothing is known; what is malformed is passed over.
  package var references: [(field: String, seq: Seq)] {
    guard let kind = KindRegistry.type(of: kind), !payloadRange.isEmpty else { return [] }
    var found: [(field: String, seq: Seq)] = []
    var reader = CBORReader(storage, in: payloadRange)
    try? readReferences(from: &reader, kind.fields, into: &found)
    return found
  }

  private func readReferences(
    from reader: inout CBORReader,
    _ fields: [KindField],
    into found: inout [(field: String, seq: Seq)]
  ) throws(EntryError) {
    for _ in 0..<(try reader.map()) {
      let number = try reader.unsigned()
      let field = fields.first { $0.number == number }
      switch field?.form {
      case .seq: found.append((field?.name ?? "", Seq(try reader.unsigned())))
      case .seqs:
        for _ in 0..<(try reader.array()) {
          found.append((field?.name ?? "", Seq(try reader.unsigned())))
        }
      default: try reader.skip()
      }
    }
  }

  /// The contents that the entry refers to; none if its payload cannot be read.
  package var readableBodies: [BodyReference] { (try? bodies) ?? [] }
}
