/// The journal goes on under another writer id: it was restored from a backup, or copied.
///
/// What was written under the old id behind this place, on another device or before the device was
/// restored, is not part of this journal.
public struct IdentityRenewed: EntryKind {
  public static let number: UInt16 = 123
  public static let name = "identity-renewed"
  public static let fields = [
    KindField(1, "term", .integer), KindField(2, "writer", .bytes),
    KindField(3, "previousWriter", .bytes),
  ]

  /// The term that begins here.
  public var term: UInt64

  /// Who writes from here on.
  public var writer: [UInt8]

  /// Who wrote until here.
  public var previous: [UInt8]

  public init(term: UInt64, writer: [UInt8], previous: [UInt8]) {
    self.term = term
    self.writer = writer
    self.previous = previous
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    term = try payload.integer(1)
    writer = try payload.bytes(2)
    previous = try payload.bytes(3)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.integer(1, term)
    payload.bytes(2, writer)
    payload.bytes(3, previous)
  }
}
