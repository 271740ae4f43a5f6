/// A change was sent to the server; the seq of this entry is the ticket of the change.
///
/// It may declare what it touches. Only an answer that was read says what became of it.
public struct MutationSent: EntryKind {
  public static let number: UInt16 = 20
  public static let name = "mutation-sent"
  public static let fields = [
    KindField(1, "method", .text), KindField(2, "touches", .touches), KindField(3, "body", .body),
    KindField(4, "label", .text),
  ]

  /// The method of the request, such as `PUT`.
  public var method: String

  /// What the change touches; absent: everything in the store.
  public var touches: [Touch]?

  /// What was sent.
  public var body: BodyReference?

  /// What is changed, where the path does not say it; a label.
  public var label: String?

  public init(
    method: String,
    touches: [Touch]? = nil,
    body: BodyReference? = nil,
    label: String? = nil
  ) {
    self.method = method
    self.touches = touches
    self.body = body
    self.label = label
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    method = try payload.text(1)
    touches = try payload.optionalList(2, Touch.init(from:_:))
    body = try payload.optionalBody(3)
    label = try payload.optionalText(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, method)
    payload.list(2, touches) { touch, writer in touch.write(to: &writer) }
    payload.body(3, body)
    payload.text(4, label)
  }
}
