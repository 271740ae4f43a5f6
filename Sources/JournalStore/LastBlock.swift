internal import TidemarkEntries

/// What a last block that cannot be read comes to, the same for a writer and for a reader.
enum LastBlock {
  /// The finding for a block that nothing follows and that stands right behind the one before it.
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
    guard let anchor, anchor.journal == journal else {
      return damage(fault, of: block, isAnchored: false)
    }
    guard fault.code == .blockDamaged, anchor.size < block.first.value else {
      return damage(fault, of: block, isAnchored: true)
    }
    return Finding(
      .tornTail,
      "the last block, from entry \(block.first) on, is torn; nobody was told of it",
      at: fault.seq ?? block.first
    )
  }

  /// The finding for a last block that counts, because it is not torn or nobody knows.
  static func damage(_ fault: Block.Fault, of block: Block, isAnchored: Bool) -> Finding {
    let seq = fault.seq ?? block.first
    guard fault.code == .blockDamaged, !isAnchored else {
      return Finding(fault.code, fault.message, at: seq)
    }
    let doubt = "no anchor tells whether the last block was acknowledged"
    return Finding(.blockDamaged, "\(doubt), and \(fault.message)", at: seq)
  }
}
