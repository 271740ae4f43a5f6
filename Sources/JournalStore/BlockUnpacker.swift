internal import TidemarkCompression
package import TidemarkEntries

/// A block, its number among those of a walk, and where the next one begins, if one is there.
package struct WalkedBlock: Sendable {
  package var block: Block
  package var number: UInt64
  package var next: Seq?
}

/// What it takes to unpack blocks of one journal, in any thread.
package struct BlockUnpacking: Sendable {
  /// What stands beside the journal: a last block beyond it is torn.
  var anchor: Anchor?

  /// The identity of the journal.
  var journal: [UInt8]

  /// Unpacks one block after the other, in one thread.
  package func unpacker() -> BlockUnpacker { BlockUnpacker(self) }
}

package struct BlockUnpacker {
  private let unpacking: BlockUnpacking
  private let decompressor = Decompressor()

  fileprivate init(_ unpacking: BlockUnpacking) {
    self.unpacking = unpacking
  }

  /// What the block holds, or why it cannot be read.
  package func part(of walked: WalkedBlock) -> JournalReader.Part {
    do throws(Block.Fault) { return .entries(try walked.block.entries(decompressor)) } catch {
      let (finding, last) = damage(error, walked)
      return .damage(finding, through: last)
    }
  }

  /// Goes through the entries of the block.
  ///
  /// - Returns: why it cannot be read to its end, if it cannot.
  package func forEachEntry(
    of walked: WalkedBlock,
    _ body: (Entry) -> Void
  ) -> (Finding, through: Seq)? {
    do throws(Block.Fault) { try walked.block.forEachEntry(decompressor, body) } catch {
      return damage(error, walked)
    }
    return nil
  }

  private func damage(_ fault: Block.Fault, _ walked: WalkedBlock) -> (Finding, through: Seq) {
    let block = walked.block
    let finding =
      walked.next == nil
      ? LastBlock.finding(for: block, fault, unpacking.anchor, of: unpacking.journal)
      : Finding(fault.code, fault.message, at: fault.seq ?? block.first)
    // How many entries a damaged block had cannot be read from it.
    return (finding, through: walked.next.map { Seq($0.value - 1) } ?? block.last)
  }
}
