package import TidemarkEntries
internal import TidemarkSQLite

extension JournalReader {
  /// Goes through the entries from `last` down to `first`.
  ///
  /// - Returns: what could not be read on the way.
  /// - Complexity: O(*n*) in the entries handed on, not in those before them; memory holds two
  ///   blocks.
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
  /// Whole blocks are handed on, as by ``forEachPart(from:through:_:mapping:)``. What SQLite cannot
  /// read ends the walk, with all that stands before it.
  package func forEachPartReversed<Failure: Error>(
    from first: Seq,
    through last: Seq,
    _ body: (Part) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    let unpacker = unpacking.unpacker()
    var expected = last
    while expected >= first, expected.value > 0 {
      let read: Block?
      do throws(SQLiteError) { read = try blocks.block(atOrBefore: expected) } catch {
        guard error.code == .damaged else {
          throw mapping(JournalError(error, doing: "cannot read the blocks"))
        }
        let message = "SQLite cannot read entries \(first) to \(expected): \(error)"
        let finding = Finding(.containerDamaged, message, at: first)
        _ = try body(.damage(finding, through: expected))
        return
      }
      let end = read?.last ?? Seq(0)
      if end < expected {
        guard try body(JournalReader.gap(from: max(first, end.next), through: expected)) else {
          return
        }
      }
      guard let block = read, end >= first else { return }
      let walked = WalkedBlock(block: block, number: 0, next: end == self.last ? nil : end.next)
      guard try body(unpacker.part(of: walked)) else { return }
      expected = Seq(min(block.first.value, expected.value) - 1)
    }
  }

  private static func gap(from first: Seq, through last: Seq) -> Part {
    let message = "entries \(first) to \(last) are missing"
    return .damage(
      Finding(.seqGap, message, at: first, expected: "\(first)"),
      through: last
    )
  }
}
