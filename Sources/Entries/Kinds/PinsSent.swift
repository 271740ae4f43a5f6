/// A pass began: the removals that it names are about to be sent.
///
/// Its seq is the ticket of the pass.
public struct PinsSent: EntryKind {
  public static let number: UInt16 = 61
  public static let name = "pins-sent"
  public static let fields = [KindField(1, "pins", .pins)]

  /// The removals that the request carries.
  public var pins: [PinVersion]

  public init(pins: [PinVersion]) {
    self.pins = pins
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    pins = try payload.list(1, PinVersion.init(from:_:))
  }

  public func write(to payload: inout PayloadWriter) {
    payload.list(1, pins) { $0.write(to: &$1) }
  }
}
