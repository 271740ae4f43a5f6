/// What a change touches: one rule of those that it declares when it is sent.
///
/// A read in flight goes stale when the answer comes only if a rule covers its path. A change that
/// declares no rules touches its whole store.
public struct Touch: Sendable, Hashable {
  /// How ``path`` is compared.
  public enum Form: UInt8, Sendable, Hashable {
    /// This path and no other, its query included.
    case exact = 0

    /// The same path, whatever the query.
    case resource = 1

    /// What lies below the path, whatever the query.
    case under = 2
  }

  /// How the path is compared.
  public var form: Form

  /// For ``Form/resource`` and ``Form/under``, a path without a query.
  public var path: Path

  public init(_ form: Form, _ path: Path) {
    self.form = form
    self.path = path
  }

  /// Whether a read of `path` goes stale by this rule.
  ///
  /// - Complexity: O(*n*) in the length of the path.
  public func covers(_ path: Path) -> Bool {
    switch form {
    case .exact: return path == self.path
    case .resource: return path.resource.elementsEqual(self.path.bytes)
    case .under:
      let root = self.path.bytes.elementsEqual("/".utf8) ? [] : self.path.bytes
      let resource = path.resource
      return resource.count > root.count + 1 && resource.starts(with: root)
        && resource[resource.startIndex + root.count] == UInt8(ascii: "/")
    }
  }

  package func write(to writer: inout CBORWriter) {
    writer.array(count: 2)
    writer.unsigned(UInt64(form.rawValue))
    writer.byteString(path.bytes)
  }

  package init(from reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    guard try reader.array() == 2, let form = Form(rawValue: UInt8(clamping: try reader.unsigned()))
    else { throw EntryError(.malformed, "a touch is a form and a path") }
    self.form = form
    path = Path(canonical: Array(storage[try reader.byteString()]))
  }
}
