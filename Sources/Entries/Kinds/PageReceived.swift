/// One page of a list arrived, under the ticket of the read of the whole list.
///
/// It is no copy: the list is written when all pages are there.
public struct PageReceived: EntryKind {
  public static let number: UInt16 = 13
  public static let name = "page-received"
  public static let fields = [
    KindField(1, "begin", .seq), KindField(2, "index", .integer), KindField(3, "body", .body),
    KindField(4, "status", .integer), KindField(5, "count", .integer),
    KindField(6, "rowKeys", .bytes),
  ]

  /// The `read-began` entry of the ticket.
  public var begin: Seq

  /// Which page it is, counted from 0.
  public var index: UInt64

  /// The page as it came.
  public var body: BodyReference

  /// The status of the answer.
  public var status: UInt64

  /// How many rows came with it.
  public var count: UInt64

  /// The rows that no page before had, in order: the first 16 bytes of the SHA-256 of each id.
  public var rowKeys: [UInt8]

  public init(
    begin: Seq,
    index: UInt64,
    body: BodyReference,
    status: UInt64,
    count: UInt64,
    rowKeys: [UInt8]
  ) {
    self.begin = begin
    self.index = index
    self.body = body
    self.status = status
    self.count = count
    self.rowKeys = rowKeys
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    begin = try payload.seq(1)
    index = try payload.integer(2)
    body = try payload.body(3)
    status = try payload.integer(4)
    count = try payload.integer(5)
    rowKeys = try payload.bytes(6)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, begin)
    payload.integer(2, index)
    payload.body(3, body)
    payload.integer(4, status)
    payload.integer(5, count)
    payload.bytes(6, rowKeys)
  }
}
