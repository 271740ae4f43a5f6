internal import TidemarkEntries

/// What a last block that cannot be read comes to, the same for a writer and for a reader.
enum LastBlock {
  /// The finding for the block that nothing follows.
  ///
  /// It is a torn tail, which may be left out, only if the anchor of this very journal says that
  /// nobody was told of it. Without one nobody knows, so it counts as acknowledged: SQLite keeps a
  /// commit whole or not at all, and a row that does not add up is more likely damage than a tear.
  static func finding(
    for block: Block,
    _ fault: Block.Fault,
    _ anchor: Anchor?,
    of journal: [UInt8]
  ) -> Finding {
    let seq = fault.seq ?? block.first
    guard fault.code == .blockDamaged else { return Finding(fault.code, fault.message, at: seq) }
    guard let anchor, anchor.journal == journal else {
      let doubt = "no anchor tells whether the last block was acknowledged"
      return Finding(.blockDamaged, "\(doubt), and \(fault.message)", at: seq)
    }
    guard anchor.size < block.first.value else {
      return Finding(.blockDamaged, fault.message, at: seq)
    }
    return Finding(
      .tornTail,
      "the last block, from entry \(block.first) on, is torn; nobody was told of it",
      at: seq
    )
  }
}
