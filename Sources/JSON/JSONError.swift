/// Where a text stops being JSON, and why (RFC 8259).
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the caller can do about it.
  package enum Code: Sendable, Hashable {
    /// The text ends too early; what came before it is good.
    case cut

    /// A byte stands where the grammar has no place for it.
    case syntax

    /// Objects and arrays nest deeper than ``JSONScanner/depthMax``.
    case depth

    /// A name or a value that must be held as a whole is longer than the limit.
    case limit

    /// The file could not be read.
    case unreadable
  }

  package var code: Code
  package var message: String

  /// The offset of the byte at which it was noticed.
  package var offset: Int

  package init(_ code: Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  package var description: String { "\(message) at byte \(offset)" }
}
