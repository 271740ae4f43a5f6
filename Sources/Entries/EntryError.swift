/// Why a value is not one that an entry can hold.
public struct EntryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the caller can do about it.
  public enum Code: String, Sendable, Hashable {
    /// The bytes are not deterministic CBOR, or not the shape that the kind has.
    case malformed

    /// A length or a number is beyond what the format allows.
    ///
    /// Send less.
    case limit

    /// The address or path has no canonical form.
    ///
    /// Correct it.
    case address
  }

  /// What to decide by.
  public var code: Code

  /// What to read: what is wrong, with the value that is.
  public var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(code.rawValue): \(message)" }
}
