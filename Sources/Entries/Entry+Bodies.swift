extension Entry {
  /// The contents that the entry refers to; none if its kind is unknown here.
  ///
  /// - Throws: ``EntryError`` with code `malformed` if the payload is not that of its kind.
  package var bodies: [BodyReference] {
    get throws(EntryError) {
      guard !payloadRange.isEmpty, let fields = KindRegistry.type(of: kind)?.fields else {
        return []
      }
      var reader = CBORReader(storage, in: payloadRange)
      var references: [BodyReference] = []
      for _ in 0..<(try reader.map()) {
        let number = try reader.unsigned()
        switch fields.first(where: { $0.number == number })?.form {
        case .body: references.append(try BodyReference(from: &reader, storage))
        case .copies:
          for _ in 0..<(try reader.array()) {
            references.append(try MutationAnswered.Copy(from: &reader, storage).body)
          }
        case .files:
          for _ in 0..<(try reader.array()) {
            references.append(try AttachedFile(from: &reader, storage).body)
          }
        default: try reader.skip()
        }
      }
      return references
    }
  }
}
