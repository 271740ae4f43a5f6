internal import TidemarkCompression
package import TidemarkEntries

/// A block, its number among those of a walk, and where the next one begins, if one is there.
package struct WalkedBlock: Sendable {
  package var block: Block
  package var number: UInt64
  package var next: Seq?

  /// Whether the next one begins before this one ends.
  var isCut: Bool { next.map { block.last >= $0 } ?? false }

  /// Whether an entry of the block stands before the next one.
  package func holds(_ entry: Entry) -> Bool { next.map { entry.seq < $0 } ?? true }
}

/// What it takes to unpack blocks of one journal, in any thread.
package struct BlockUnpacking: Sendable {
  /// Whether the anchor beside the journal is its own.
  var isAnchored: Bool

  /// Unpacks one block after the other, in one thread.
  package func unpacker() -> BlockUnpacker { BlockUnpacker(self) }
}

package struct BlockUnpacker {
  private let unpacking: BlockUnpacking
  private let decompressor = Decompressor()

  fileprivate init(_ unpacking: BlockUnpacking) {
    self.unpacking = unpacking
  }

  /// What the block holds up to the next one, or why it cannot be read.
  package func part(of walked: WalkedBlock) -> JournalReader.Part {
    do throws(Block.Fault) {
      let entries = try walked.block.entries(decompressor)
      return .entries(walked.isCut ? entries.filter(walked.holds) : entries)
    } catch {
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
      ? LastBlock.damage(fault, of: block, isAnchored: unpacking.isAnchored)
      : Finding(fault.code, fault.message, at: fault.seq ?? block.first)
    // How many entries a damaged block had cannot be read from it.
    return (finding, through: walked.next.map { Seq($0.value - 1) } ?? block.last)
  }
}
