/// The user took pins off the list; the server is still to be told.
public struct PinsRemoved: EntryKind {
  public static let number: UInt16 = 60
  public static let name = "pins-removed"
  public static let fields = [KindField(1, "pins", .pins)]

  /// Each with the version that was seen, if the server sends one.
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
