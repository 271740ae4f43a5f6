internal import TidemarkEntries

/// A place in one journal, as tools hand it from run to run: `7f3a9c21:1:4122:b81e44d0`.
///
/// The journal, its term, the seq, and the first digits of that entry's leaf. A cursor of another
/// journal, or of another history of it, is refused and never guessed at.
public struct Cursor: Sendable, Hashable, CustomStringConvertible {
  /// The first eight digits of the journal's id.
  public var journal: String

  /// The journal's term.
  public var term: UInt64

  /// The last entry that was seen; 0 before the first.
  public var seq: UInt64

  /// The first eight digits of the entry's leaf; zeros before the first entry.
  public var leaf: String

  package init(journal: String, term: UInt64, seq: UInt64, leaf: String) {
    self.journal = journal
    self.term = term
    self.seq = seq
    self.leaf = leaf
  }

  /// The cursor that `text` prints, or nothing if it prints none.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].utf8.count == 8, Hex.decode(parts[0]) != nil,
      let term = UInt64(parts[1]), let seq = UInt64(parts[2]), parts[3].utf8.count == 8,
      Hex.decode(parts[3]) != nil
    else { return nil }
    self.init(journal: String(parts[0]), term: term, seq: seq, leaf: String(parts[3]))
  }

  public var description: String { "\(journal):\(term):\(seq):\(leaf)" }
}
