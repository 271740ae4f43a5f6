/// Where the projections stood at this place of the journal: everything before this entry is in
/// them.
public struct Checkpointed: EntryKind {
  public static let number: UInt16 = 122
  public static let name = "checkpointed"
  public static let fields = [KindField(1, "states", .states)]

  /// Each projection, with its version and the digest of its state.
  public var states: [ProjectionState]

  public init(states: [ProjectionState]) {
    self.states = states
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    states = try payload.list(1, ProjectionState.init(from:_:))
  }

  public func write(to payload: inout PayloadWriter) {
    payload.list(1, states) { $0.write(to: &$1) }
  }
}
