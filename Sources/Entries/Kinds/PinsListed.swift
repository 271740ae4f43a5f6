/// More pins of the list that was received before, in the same append.
public struct PinsListed: EntryKind {
  public static let number: UInt16 = 63
  public static let name = "pins-listed"
  public static let fields = [KindField(1, "pins", .pins)]

  /// The next of them.
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
