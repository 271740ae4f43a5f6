/// Entries were made from a file of another format; the counts say what of it.
public struct Imported: EntryKind {
  public static let number: UInt16 = 120
  public static let name = "imported"
  public static let fields = [
    KindField(1, "format", .text), KindField(2, "digest", .digest),
    KindField(3, "taken", .integer), KindField(4, "left", .integer), KindField(5, "policy", .text),
    KindField(6, "creator", .text),
  ]

  /// The format, such as `har`.
  public var format: String

  /// SHA-256 of the file.
  public var digest: Digest

  /// How many elements of the file became entries.
  public var taken: UInt64

  /// How many did not.
  public var left: UInt64

  /// What a change was taken to touch: `paths`, `scope`, or the rules that were given.
  public var policy: String

  /// The program that wrote the file, as the file says.
  public var creator: String?

  public init(
    format: String,
    digest: Digest,
    taken: UInt64,
    left: UInt64,
    policy: String,
    creator: String? = nil
  ) {
    self.format = format
    self.digest = digest
    self.taken = taken
    self.left = left
    self.policy = policy
    self.creator = creator
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    format = try payload.text(1)
    digest = try payload.digest(2)
    taken = try payload.integer(3)
    left = try payload.integer(4)
    policy = try payload.text(5)
    creator = try payload.optionalText(6)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, format)
    payload.digest(2, digest)
    payload.integer(3, taken)
    payload.integer(4, left)
    payload.text(5, policy)
    payload.text(6, creator)
  }
}
