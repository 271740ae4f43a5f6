/// All pages of a list arrived, and the whole became the device copy of its path.
///
/// It ends the read, like a landing.
public struct ListAssembled: EntryKind {
  public static let number: UInt16 = 14
  public static let name = "list-assembled"
  public static let fields = [
    KindField(1, "begin", .seq), KindField(2, "body", .body), KindField(3, "status", .integer),
    KindField(4, "revision", .revision), KindField(5, "pages", .seqs),
    KindField(6, "pageSize", .integer),
  ]

  /// The `read-began` entry of the ticket.
  public var begin: Seq

  /// The content of the whole list.
  public var body: BodyReference

  /// The status of the last page.
  public var status: UInt64

  /// The server's revision of the list, if it sends one.
  public var revision: UInt64?

  /// The `page-received` entries that the list is made of, in order.
  public var pages: [Seq]

  /// How many rows a full page has; absent: the server says itself which page is the last.
  public var pageSize: UInt64?

  public init(
    begin: Seq,
    body: BodyReference,
    status: UInt64,
    revision: UInt64? = nil,
    pages: [Seq],
    pageSize: UInt64? = nil
  ) {
    self.begin = begin
    self.body = body
    self.status = status
    self.revision = revision
    self.pages = pages
    self.pageSize = pageSize
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    begin = try payload.seq(1)
    body = try payload.body(2)
    status = try payload.integer(3)
    revision = try payload.optionalInteger(4)
    pages = try payload.list(5, Seq.init(item:_:))
    pageSize = try payload.optionalInteger(6)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, begin)
    payload.body(2, body)
    payload.integer(3, status)
    payload.integer(4, revision)
    payload.list(5, pages) { $0.write(to: &$1) }
    payload.integer(6, pageSize)
  }
}
