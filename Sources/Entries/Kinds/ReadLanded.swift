/// A reply became the device copy of its path.
///
/// The live shelf writes it while the ticket is current; `Shelf` and the fence checks read it.
public struct ReadLanded: EntryKind {
  public static let number: UInt16 = 11
  public static let name = "read-landed"
  public static let fields = [
    KindField(1, "begin", .seq), KindField(2, "body", .body), KindField(3, "status", .integer),
    KindField(4, "revision", .revision),
  ]

  /// The `read-began` entry of its ticket.
  public var begin: Seq

  /// What the server sent; for a 304, the copy that it confirmed.
  public var body: BodyReference

  /// The status of the answer, such as 200.
  public var status: UInt64

  /// The server's revision, if it sends one; within an epoch it never falls.
  public var revision: UInt64?

  public init(begin: Seq, body: BodyReference, status: UInt64, revision: UInt64? = nil) {
    self.begin = begin
    self.body = body
    self.status = status
    self.revision = revision
  }
  public init(from payload: inout PayloadReader) throws(EntryError) {
    begin = try payload.seq(1)
    body = try payload.body(2)
    status = try payload.integer(3)
    revision = try payload.optionalInteger(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, begin)
    payload.body(2, body)
    payload.integer(3, status)
    payload.integer(4, revision)
  }
}
