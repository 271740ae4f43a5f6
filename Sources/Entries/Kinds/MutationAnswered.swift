/// The answer to a change was read, and what it says was written.
///
/// A fence for what the change declared. The bump of the generation is the entry behind it, in the
/// same append. Each copy and each removal is a path of the envelope with the role `write`.
public struct MutationAnswered: EntryKind {
  public static let number: UInt16 = 21
  public static let name = "mutation-answered"
  public static let fields = [
    KindField(1, "mutation", .seq), KindField(2, "status", .integer),
    KindField(3, "copies", .copies), KindField(4, "removals", .indexes),
    KindField(5, "answer", .body),
  ]

  /// A copy that the answer holds.
  public struct Copy: Sendable, Hashable {
    /// Which path of the envelope it is the copy of, counted from 0.
    public var path: UInt64

    /// The content of the copy.
    public var body: BodyReference

    /// The server's revision of the path, if it sends one.
    public var revision: UInt64?

    public init(path: UInt64, body: BodyReference, revision: UInt64? = nil) {
      self.path = path
      self.body = body
      self.revision = revision
    }
  }

  /// The `mutation-sent` entry that is answered.
  public var mutation: Seq

  /// The status of the answer, such as 201.
  public var status: UInt64

  /// What the answer wrote, path by path.
  public var copies: [Copy]

  /// Which paths of the envelope have no copy any more, counted from 0.
  public var removals: [UInt64]

  /// The answer as it came, where it is not a copy of a path.
  public var answer: BodyReference?

  public init(
    mutation: Seq,
    status: UInt64,
    copies: [Copy] = [],
    removals: [UInt64] = [],
    answer: BodyReference? = nil
  ) {
    self.mutation = mutation
    self.status = status
    self.copies = copies
    self.removals = removals
    self.answer = answer
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    mutation = try payload.seq(1)
    status = try payload.integer(2)
    copies = try payload.optionalList(3, Copy.init(from:_:)) ?? []
    removals =
      try payload.optionalList(4) { (reader, _) throws(EntryError) in try reader.unsigned() } ?? []
    answer = try payload.optionalBody(5)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, mutation)
    payload.integer(2, status)
    payload.list(3, copies.isEmpty ? nil : copies) { $0.write(to: &$1) }
    payload.list(4, removals.isEmpty ? nil : removals) { index, writer in writer.unsigned(index) }
    payload.body(5, answer)
  }
}

extension MutationAnswered.Copy {
  func write(to writer: inout CBORWriter) {
    writer.array(count: revision == nil ? 2 : 3)
    writer.unsigned(path)
    body.write(to: &writer)
    if let revision { writer.unsigned(revision) }
  }

  init(from reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    let count = try reader.array()
    guard (2...3).contains(count) else {
      throw EntryError(.malformed, "a copy is a path, a body and perhaps a revision")
    }
    path = try reader.unsigned()
    body = try BodyReference(from: &reader, storage)
    revision = count == 3 ? try reader.unsigned() : nil
  }
}
