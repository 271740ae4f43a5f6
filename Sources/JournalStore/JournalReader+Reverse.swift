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
  /// Whole blocks are handed on, and damage is passed over, as by
  /// ``forEachPart(from:through:_:mapping:)``.
  package func forEachPartReversed<Failure: Error>(
    from first: Seq,
    through last: Seq,
    _ body: (Part) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    let unpacker = unpacking.unpacker()
    var expected = last
    var following: Seq?
    while expected >= first, expected.value > 0 {
      do throws(JournalError) { try checkStop() } catch { throw mapping(error) }
      let read: BlockWalk.Found
      do throws(SQLiteError) { read = try blocks.readable(atOrBefore: expected) } catch {
        throw mapping(JournalError(error, doing: "cannot read the blocks"))
      }
      let end = read.block?.last ?? Seq(0)
      let block = end < first ? nil : read.block
      let part = block.map { self.part(of: $0, through: expected, following, unpacker) }
      // How far a damaged block went cannot be read from it: what lacks behind it is its own.
      if end < expected, part?.isDamage != true {
        let hole = Finding.hole(
          from: max(first, end.next),
          through: expected,
          before: following ?? next(after: expected),
          read.error
        )
        guard try body(.damage(hole, through: expected)) else { return }
      }
      guard let block, let part else { return }
      if let following, block.last >= following, !part.isDamage {
        let overlap = Finding.overlap(of: block, with: following)
        guard try body(.damage(overlap, through: Seq(following.value - 1))) else { return }
      }
      guard try body(part) else { return }
      expected = Seq(min(block.first.value, expected.value) - 1)
      following = block.first
    }
  }

  /// What a block holds that is the last one up to `last`, with the one at `following` behind it.
  private func part(
    of block: Block,
    through last: Seq,
    _ following: Seq?,
    _ unpacker: BlockUnpacker
  ) -> Part {
    let reach = max(block.last, last)
    let end = reach >= self.last ? nil : reach.next
    let next = following ?? next(after: block.first) ?? end
    return unpacker.part(of: WalkedBlock(block: block, number: 0, next: next))
  }

  /// Where the next block behind `seq` begins, if there is one that can be read.
  private func next(after seq: Seq) -> Seq? { (try? blocks.block(after: seq))?.first }
}
