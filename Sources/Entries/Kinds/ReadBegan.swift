/// A read of its path began and took a ticket; the seq of this entry is the ticket's.
///
/// It becomes the latest read of the path: a reply to an earlier one is late.
public struct ReadBegan: EntryKind {
  public static let number: UInt16 = 10
  public static let name = "read-began"
  public static let fields = [
    KindField(1, "generation", .integer), KindField(2, "label", .text),
  ]

  /// The generation of the store when the read began.
  public var generation: UInt64

  /// What is read, where the path does not say it (an operation of GraphQL); a label.
  public var label: String?

  public init(generation: UInt64, label: String? = nil) {
    self.generation = generation
    self.label = label
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    generation = try payload.integer(1)
    label = try payload.optionalText(2)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.integer(1, generation)
    payload.text(2, label)
  }
}
