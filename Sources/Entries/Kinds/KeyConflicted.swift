/// A key came a second time with other content: an incident.
///
/// What came was not written.
public struct KeyConflicted: EntryKind {
  public static let number: UInt16 = 121
  public static let name = "key-conflicted"
  public static let fields = [
    KindField(1, "repeatedKey", .key), KindField(2, "prior", .seq), KindField(3, "fields", .texts),
    KindField(4, "offered", .digest),
  ]

  /// The key that came twice.
  public var key: IdempotencyKey

  /// The entry that has the key.
  public var prior: Seq

  /// The names of the fields that differ.
  public var fields: [String]

  /// SHA-256 of the content that came, as it would have been written.
  public var offered: Digest

  public init(key: IdempotencyKey, prior: Seq, fields: [String], offered: Digest) {
    self.key = key
    self.prior = prior
    self.fields = fields
    self.offered = offered
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    key = try IdempotencyKey(try payload.bytes(1))
    prior = try payload.seq(2)
    fields = try payload.list(3) { (reader, _) throws(EntryError) in try reader.string() }
    offered = try payload.digest(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.bytes(1, key.bytes)
    payload.seq(2, prior)
    payload.list(3, fields) { field, writer in writer.text(field) }
    payload.digest(4, offered)
  }
}
