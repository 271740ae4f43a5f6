package import TidemarkEntries
internal import TidemarkSQLite

/// What a judge of the bytes asks for beside the entries.
extension JournalReader {
  /// What SQLite finds wrong with its pages, at most `max` findings; every page is read.
  package func containerFindings(atMost max: Int) throws(JournalError) -> [Finding] {
    try ContainerCheck.findings(in: database, atMost: max)
  }

  /// How much there is of everything.
  package struct Inventory: Sendable, Equatable {
    package var blocks: UInt64 = 0

    /// The bytes of the blocks, as they are stored.
    package var blockBytes: UInt64 = 0

    /// The bytes of the blocks before they were packed.
    package var rawBlockBytes: UInt64 = 0

    /// The contents that are kept, and their bytes as they are stored.
    package var bodies: UInt64 = 0
    package var bodyBytes: UInt64 = 0

    /// The bytes of the contents before they were packed.
    package var rawBodyBytes: UInt64 = 0

    /// The torn blocks that were taken out of the way, and their bytes.
    package var setAside: UInt64 = 0
    package var setAsideBytes: UInt64 = 0

    package init() {}
  }

  /// How much there is of everything; nothing of what SQLite cannot count.
  ///
  /// - Throws: ``JournalError`` if it is not damage.
  /// - Complexity: O(*n*) in the rows; contents are not read for it.
  package func inventory() throws(JournalError) -> Inventory {
    var inventory = Inventory()
    (inventory.blocks, inventory.blockBytes, inventory.rawBlockBytes) = try count(
      "sum(length(frames)), sum(raw_bytes) FROM blocks"
    )
    (inventory.bodies, inventory.bodyBytes, inventory.rawBodyBytes) = try count(
      "sum(length(content)), sum(raw_bytes) FROM bodies WHERE content IS NOT NULL"
    )
    (inventory.setAside, inventory.setAsideBytes, _) = try count(
      "sum(length(frames)), 0 FROM set_aside"
    )
    return inventory
  }

  private func count(_ sums: String) throws(JournalError) -> (UInt64, UInt64, UInt64) {
    do throws(SQLiteError) {
      let query = try database.prepare("SELECT count(*), \(sums)")
      guard try query.step() else { return (0, 0, 0) }
      return (
        UInt64(clamping: query.integer(0)), UInt64(clamping: query.integer(1)),
        UInt64(clamping: query.integer(2))
      )
    } catch {
      guard error.code == .damaged else { throw JournalError(error, doing: "cannot count") }
      return (0, 0, 0)
    }
  }

  /// A head that stands beside the entries: the first `size` of them have `root`.
  package struct StoredHead: Sendable {
    package var size: UInt64
    package var root: Digest

    package init(size: UInt64, root: Digest) {
      self.size = size
      self.root = root
    }
  }

  /// The head that the index rests on, if there is an index that is whole.
  package func indexedHead() throws(JournalError) -> StoredHead? {
    let index = try sqlite("cannot read the index") { () throws(SQLiteError) in
      try JournalIndex(database, seed: identity.seed)
    }
    do throws(IndexFailure) {
      return try index.load().map { StoredHead(size: $0.range.end, root: $0.range.root) }
    } catch {
      guard error.isDamage else { throw error.asJournalError }
      return nil
    }
  }
}
