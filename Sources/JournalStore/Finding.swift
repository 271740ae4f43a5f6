public import TidemarkEntries

/// One thing that a judge found, with the place and the two values that contradict each other.
public struct Finding: Sendable, Hashable {
  /// What was found.
  public var code: FindingCode

  /// The entry that is wrong, if it is one entry.
  public var seq: Seq?

  /// The entry that shows that it is wrong.
  public var witness: Seq?

  /// Whose copies are concerned, where it is a matter of one store.
  public var scope: Scope?

  /// The path that is concerned, if one is.
  public var path: Path?

  /// The key, where there is no path.
  public var key: IdempotencyKey?

  /// Where in the stored bytes, in bytes, if bytes are wrong.
  public var offset: Int?

  /// What happened, in one sentence with both values.
  public var message: String

  /// The value that should stand there.
  public var expected: String?

  /// The value that stands there.
  public var actual: String?

  public init(
    _ code: FindingCode,
    _ message: String,
    at seq: Seq? = nil,
    witness: Seq? = nil,
    scope: Scope? = nil,
    path: Path? = nil,
    key: IdempotencyKey? = nil,
    offset: Int? = nil,
    expected: String? = nil,
    actual: String? = nil
  ) {
    self.code = code
    self.message = message
    self.seq = seq
    self.witness = witness
    self.scope = scope
    self.path = path
    self.key = key
    self.offset = offset
    self.expected = expected
    self.actual = actual
  }
}
