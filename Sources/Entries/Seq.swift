/// The place of an entry in its journal: 1, 2, 3 … without gaps.
public struct Seq: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number; 1 is the first entry.
  public let value: UInt64

  @inlinable
  public init(_ value: UInt64) {
    self.value = value
  }

  @inlinable
  public static func < (left: Seq, right: Seq) -> Bool {
    left.value < right.value
  }

  public var description: String { "\(value)" }

  /// The place behind this one.
  @inlinable package var next: Seq { Seq(value + 1) }
}

extension Seq {
  // As one of a list.
  func write(to writer: inout CBORWriter) { writer.unsigned(value) }

  init(item reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    self.init(try reader.unsigned())
  }
}
