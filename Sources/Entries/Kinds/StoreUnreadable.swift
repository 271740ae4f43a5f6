/// What a part of a store keeps could not be read.
///
/// The part is kept as it is, and nothing is synchronised from it until a person decides.
public struct StoreUnreadable: EntryKind {
  public static let number: UInt16 = 4
  public static let name = "store-unreadable"
  public static let fields = [KindField(1, "part", .text), KindField(2, "detail", .text)]

  /// A part of what an app keeps.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// Device copies.
    case shelf

    /// Authored work.
    case outbox

    /// A list with two writers.
    case pins

    /// What other processes shared.
    case inbox

    /// Records that are pushed and pulled.
    case records
  }

  /// Which part.
  public var part: Part

  /// What could not be read, for people.
  public var detail: String

  public init(part: Part, detail: String) {
    self.part = part
    self.detail = detail
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    part = try payload.word(1)
    detail = try payload.text(2)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, part.rawValue)
    payload.text(2, detail)
  }
}
