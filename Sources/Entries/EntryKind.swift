/// One kind of entry: what happened, and the fields that say it.
///
/// A kind is one file below `Kinds/`, one line in ``KindRegistry`` and one record in
/// `Journal/kinds/kinds.json`. Its number and the numbers of its fields are used once, for good.
public protocol EntryKind: Sendable, Hashable {
  /// The number on disk.
  static var number: UInt16 { get }

  /// The name that people read, in past participle: `read-landed`.
  static var name: String { get }

  /// The fields by number, for tools that print any kind.
  static var fields: [KindField] { get }

  /// - Throws: ``EntryError`` with code `malformed` if the fields are not those of the kind.
  init(from payload: inout PayloadReader) throws(EntryError)

  func write(to payload: inout PayloadWriter)
}

extension EntryKind {
  /// Throws if the payload is not that of the kind, or its bytes are not deterministic.
  static func check(_ payload: inout PayloadReader) throws(EntryError) {
    _ = try Self(from: &payload)
    try payload.finish()
  }
}

/// A field of a kind, as `Journal/kinds/kinds.json` registers it.
public struct KindField: Sendable, Hashable {
  /// How the value is written, and so how it is printed.
  public enum Form: String, Sendable, Hashable {
    case integer

    /// A number that a server gave; JSON has it as a string.
    case revision
    case seq
    case seqs
    case text
    case bytes

    /// An idempotency key.
    case key
    case digest
    case flag
    case body
    case copies
    case touches
    case texts
    case indexes

    /// Milliseconds since 1970; JSON has it as text.
    case time
    case files
    case pins
    case states
  }

  /// The number in the map of the payload.
  public var number: UInt64

  /// The name that people read, and that JSON has.
  public var name: String

  /// How the value is written.
  public var form: Form

  package init(_ number: UInt64, _ name: String, _ form: Form) {
    self.number = number
    self.name = name
    self.form = form
  }
}
