internal import TidemarkEntries
internal import TidemarkJournalStore

/// What was found in one block, apart from all others.
enum ExaminedBlock: Sendable {
  struct Entries: Sendable {
    /// The tree over the entries.
    var range: CompactRange

    /// The tree over those of them that a head ends with.
    var heads: [CompactRange] = []

    /// The fingerprints of the keys.
    var keys: [UInt64] = []
    var findings: [Finding] = []

    /// The contents that are named, if they are to be examined.
    var bodies: [(entry: Entry, reference: BodyReference)] = []
  }

  case entries(Entries)

  /// Not examined; this is what the row says of its tree.
  case passed(CompactRange)
  case damaged(Finding, through: Seq)
}

/// Examines blocks, on any thread.
struct BlockExaminer: Sendable {
  private let unpacking: BlockUnpacking
  private let options: Verification.Options

  /// The sizes of the heads that the tree is compared with.
  private let heads: [UInt64]

  init(_ reader: JournalReader, _ options: Verification.Options, _ heads: [UInt64]) {
    unpacking = reader.unpacking
    self.options = options
    self.heads = heads
  }

  /// What examines one block after the other, in one thread.
  func worker() -> (WalkedBlock) -> ExaminedBlock {
    let unpacker = unpacking.unpacker()
    return { examine($0, unpacker) }
  }

  private func examine(
    _ walked: WalkedBlock,
    _ unpacker: BlockUnpacker
  ) -> ExaminedBlock {
    let block = walked.block
    let inside = heads.filter { $0 >= block.first.value && $0 < block.last.value }
    if options.sample?.contains(walked.number) == false, inside.isEmpty,
      let range = block.storedRange
    {
      return .passed(range)
    }
    var entries = ExaminedBlock.Entries(range: CompactRange(start: block.first.value - 1))
    let damage = unpacker.forEachEntry(of: walked) { entry in
      entries.range.append(Tree.leaf(of: entry))
      // What stands where the next block is counts there; the nodes here cover it all the same.
      guard walked.holds(entry) else { return }
      if inside.contains(entry.seq.value) { entries.heads.append(entries.range) }
      entries.keys.append(KeyCensus.fingerprint(of: entry))
      examine(entry, &entries)
    }
    if let (finding, last) = damage { return .damaged(finding, through: last) }
    if block.storedRange != entries.range {
      entries.findings.append(difference(block, entries.range))
    }
    return .entries(entries)
  }

  private func examine(_ entry: Entry, _ examined: inout ExaminedBlock.Entries) {
    do throws(EntryError) { try entry.check() } catch {
      examined.findings.append(Finding(.entryMalformed, error.message, at: entry.seq))
      return
    }
    guard options.bodies else { return }
    for reference in entry.readableBodies { examined.bodies.append((entry, reference)) }
  }

  private func difference(_ block: Block, _ range: CompactRange) -> Finding {
    Finding(
      .rootDiffers,
      "the entries of the block at \(block.first) give other nodes of the tree than it holds",
      at: block.first,
      expected: block.storedRange?.digests.last?.description,
      actual: range.digests.last?.description
    )
  }
}
