/// The list as the server has it was read whole, and is the snapshot now.
///
/// What its request sent is acknowledged by it. A list that does not fit goes on in `pins-listed`
/// entries of the same append.
public struct PinsReceived: EntryKind {
  public static let number: UInt16 = 62
  public static let name = "pins-received"
  public static let fields = [
    KindField(1, "sent", .seq), KindField(2, "status", .integer), KindField(3, "body", .body),
    KindField(4, "count", .integer), KindField(5, "pins", .pins),
  ]

  /// The `pins-sent` entry that is answered.
  public var sent: Seq

  /// The status of the answer.
  public var status: UInt64

  /// The list as it came.
  public var body: BodyReference

  /// How many pins the list has.
  public var count: UInt64

  /// The first of them.
  public var pins: [PinVersion]

  public init(sent: Seq, status: UInt64, body: BodyReference, count: UInt64, pins: [PinVersion]) {
    self.sent = sent
    self.status = status
    self.body = body
    self.count = count
    self.pins = pins
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    sent = try payload.seq(1)
    status = try payload.integer(2)
    body = try payload.body(3)
    count = try payload.integer(4)
    pins = try payload.list(5, PinVersion.init(from:_:))
  }

  public func write(to payload: inout PayloadWriter) {
    payload.seq(1, sent)
    payload.integer(2, status)
    payload.body(3, body)
    payload.integer(4, count)
    payload.list(5, pins) { $0.write(to: &$1) }
  }
}
