package import TidemarkEntries
internal import TidemarkSQLite

extension JournalReader {
  /// Goes through the entries from `last` down to `first`.
  ///
  /// - Returns: what could not be read on the way.
  /// - Complexity: O(*n*) in the entries handed on, not in those before them; memory holds one block.
  @discardableResult
  package func forEachReversed<Failure: Error>(
    from first: Seq = Seq(1),
    through last: Seq? = nil,
    _ body: (Entry) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) -> [Finding] {
    var findings: [Finding] = []
    let through = min(last ?? self.last, self.last)
    try forEachPartReversed(
      from: first,
      through: through,
      { (part) throws(Failure) in
        switch part {
        case .damage(let finding, _): findings.append(finding)
        case .entries(let entries):
          for entry in entries.reversed() where entry.seq >= first && entry.seq <= through {
            guard try body(entry) else { return false }
          }
        }
        return true
      },
      mapping: mapping
    )
    return findings
  }

  /// Goes through the blocks that hold entries from `first` to `last`, the last one first.
  ///
  /// Whole blocks are handed on, as by ``forEachPart(from:through:_:mapping:)``.
  package func forEachPartReversed<Failure: Error>(
    from first: Seq,
    through last: Seq,
    _ body: (Part) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    var expected = last
    var later: Block?
    while expected >= first, expected.value > 0 {
      let read: Block?
      do throws(JournalError) { read = try block(atOrBefore: expected) } catch {
        throw mapping(error)
      }
      let end = read?.last ?? Seq(0)
      if end < expected, let after = read ?? later {
        let start = max(first, end.next)
        guard try body(JournalReader.gap(from: start, through: expected, after)) else { return }
      }
      guard let block = read, end >= first else { return }
      guard try body(part(of: block)) else { return }
      expected = Seq(min(block.first.value, expected.value) - 1)
      later = block
    }
  }

  private func block(atOrBefore seq: Seq) throws(JournalError) -> Block? {
    try sqlite("cannot read the blocks") { () throws(SQLiteError) in
      try blocks.block(atOrBefore: seq)
    }
  }
}
