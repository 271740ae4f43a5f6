package import TidemarkEntries
internal import TidemarkSQLite

extension JournalReader {
  /// A block as it lies in the file, or what is in its place.
  package enum Place {
    case block(Block)

    /// What is missing or cannot be read; it comes with the block next to it.
    case damage(Finding, through: Seq, beside: Block)
  }

  /// Goes through the blocks that hold entries from `first` to `last`, in order.
  ///
  /// Whole blocks are handed on: the first may begin before `first`. A block has no entries from
  /// where the next one begins, whatever it says: that two overlap is told between them. Damage
  /// does not end the walk; what is missing or cannot be read comes with the block next to it. All
  /// processors unpack; memory holds at most ``BlocksAhead/countMax`` blocks twice.
  ///
  /// - Parameters:
  ///   - first: where to begin.
  ///   - last: where to end.
  ///   - body: gets one part after the other, and returns whether to go on.
  ///   - mapping: makes an error of the journal one of the caller.
  /// - Throws: what `body` throws, and errors of the journal that are no damage; see
  ///   ``isStopped`` too.
  package func forEachPart<Failure: Error>(
    from first: Seq,
    through last: Seq,
    _ body: (Block, Part) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    let unpacking = self.unpacking
    try forEachPlace(
      from: first,
      through: last,
      making: {
        let unpacker = unpacking.unpacker()
        return { unpacker.part(of: $0) }
      },
      { (place, unpacked) throws(Failure) in
        switch place {
        case .block(let block):
          guard let unpacked, try body(block, unpacked) else { return nil }
          return unpacked.end(in: block)
        case .damage(let finding, let last, let beside):
          return try body(beside, .damage(finding, through: last)) ? last : nil
        }
      },
      mapping: mapping
    )
  }

  /// As ``forEachPart(from:through:_:mapping:)``, with anything made of the blocks.
  ///
  /// - Parameters:
  ///   - first: where to begin.
  ///   - last: where to end.
  ///   - worker: makes what makes something of one block after the other, in one thread of several.
  ///   - body: gets each place with what was made of its block, and returns up to where the place
  ///     reaches, or nothing to end the walk.
  ///   - mapping: makes an error of the journal one of the caller.
  /// - Throws: what `body` throws, and errors of the journal that are no damage.
  package func forEachPlace<Made: Sendable, Failure: Error>(
    from first: Seq,
    through last: Seq,
    making worker: @escaping @Sendable () -> (WalkedBlock) -> Made,
    _ body: (Place, Made?) throws(Failure) -> Seq?,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    var ahead = BlocksAhead(BlockWalk(blocks, through: last), from: first, through: last, worker)
    defer { ahead.cancel() }
    func next() throws(Failure) -> BlocksAhead<Made>.Step? {
      do throws(SQLiteError) { return try ahead.next() } catch {
        throw mapping(JournalError(error, doing: "cannot read the blocks"))
      }
    }
    var before: Block?
    var expected = first
    while let step = try next() {
      do throws(JournalError) { try checkStop() } catch { throw mapping(error) }
      if before == nil, let block = step.block { expected = min(block.first, first) }
      guard let beside = step.block ?? before else {
        guard let error = step.error else { return }
        throw mapping(JournalError(error, doing: "cannot read the blocks"))
      }
      let reach = min(last, step.block.map { Seq($0.first.value - 1) } ?? last)
      if expected <= reach {
        let damage = step.damage(from: expected, through: reach, beside: beside)
        guard try body(damage, nil) != nil else { return }
        expected = reach.next
      }
      guard let block = step.block, block.first <= last else { return }
      if let before, block.first < expected {
        let overlap = Finding.overlap(of: before, with: block.first)
        let through = Seq(block.first.value - 1)
        guard try body(.damage(overlap, through: through, beside: block), nil) != nil else {
          return
        }
      }
      guard let end = try body(.block(block), step.made) else { return }
      expected = end.next
      before = block
    }
  }
}

extension JournalReader.Place {
  /// The block that lies here, or the one next to what does not.
  package var neighbour: Block {
    switch self {
    case .block(let block): block
    case .damage(_, _, let block): block
    }
  }
}

/// The blocks of a journal one behind the other, also where SQLite cannot read some of them.
struct BlockWalk {
  /// A block, and what could not be read before it.
  struct Found {
    var block: Block?
    var error: SQLiteError?
  }

  private let blocks: BlockTable
  private let last: Seq

  init(_ blocks: BlockTable, through last: Seq) {
    self.blocks = blocks
    self.last = last
  }

  /// The block that holds `seq`, or the first one behind it.
  func first(holding seq: Seq) throws(SQLiteError) -> Found {
    let before = try blocks.readable(atOrBefore: seq)
    if let block = before.block, block.last >= seq { return Found(block: block) }
    var found = try next(after: Seq(seq.value - 1))
    found.error = found.error ?? before.error
    return found
  }

  func next(after block: Block) throws(SQLiteError) -> Found {
    try next(after: block.first)
  }

  private func next(after seq: Seq) throws(SQLiteError) -> Found {
    do throws(SQLiteError) { return Found(block: try blocks.block(after: seq)) } catch {
      guard error.code == .damaged else { throw error }
      let readable = try firstReadable(after: seq)
      guard let readable else { return Found(error: error) }
      return Found(block: try block(from: readable, after: seq), error: error)
    }
  }

  /// The first block behind `seq`, where SQLite can read from `readable` on.
  ///
  /// That may be where it begins: to go behind the entry before it leads to the page before it.
  private func block(from readable: Seq, after seq: Seq) throws(SQLiteError) -> Block? {
    if let block = try? blocks.block(atOrBefore: readable), block.first > seq { return block }
    return try blocks.block(after: readable)
  }

  /// The first place behind `seq`, which cannot be read, from which on SQLite can.
  ///
  /// - Complexity: O(log *n*) queries.
  private func firstReadable(after seq: Seq) throws(SQLiteError) -> Seq? {
    var low = seq.value
    var step: UInt64 = 1
    while low + step <= last.value, try !isReadable(Seq(low + step)) {
      low += step
      step *= 2
    }
    var high = min(low + step, last.value)
    guard high > low, try isReadable(Seq(high)) else { return nil }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try isReadable(Seq(middle)) { high = middle } else { low = middle }
    }
    return Seq(high)
  }

  private func isReadable(_ seq: Seq) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      _ = try blocks.block(after: seq)
      return true
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
  }
}

extension BlockTable {
  /// The last block that begins at or before `seq` and that SQLite can read, and what it could not
  /// read behind that.
  ///
  /// - Complexity: O(log *n*) queries where SQLite cannot read the block that was asked for.
  func readable(atOrBefore seq: Seq) throws(SQLiteError) -> BlockWalk.Found {
    let (found, error) = try attempt(atOrBefore: seq.value)
    guard let error else { return BlockWalk.Found(block: found) }
    // What begins at or before 0 is nothing, whatever SQLite can read.
    var (low, high) = (UInt64(0), seq.value)
    var (block, step) = (Block?.none, UInt64(1))
    while high - low > step {
      let (found, error) = try attempt(atOrBefore: high - step)
      guard error != nil else {
        (low, block) = (high - step, found)
        break
      }
      high -= step
      step *= 2
    }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      let (found, error) = try attempt(atOrBefore: middle)
      if error == nil { (low, block) = (middle, found) } else { high = middle }
    }
    return BlockWalk.Found(block: block, error: error)
  }

  /// The block, or that SQLite cannot read it.
  private func attempt(
    atOrBefore seq: UInt64
  ) throws(SQLiteError) -> (block: Block?, error: SQLiteError?) {
    do throws(SQLiteError) { return (try block(atOrBefore: Seq(seq)), nil) } catch {
      guard error.code == .damaged else { throw error }
      return (nil, error)
    }
  }
}

extension BlocksAhead.Step {
  /// What stands before the block: nothing at all, or what SQLite cannot read.
  func damage(from first: Seq, through last: Seq, beside: Block) -> JournalReader.Place {
    let hole = Finding.hole(from: first, through: last, before: block?.first, error)
    return .damage(hole, through: last, beside: beside)
  }
}

extension Finding {
  /// That the block behind `block` begins at `next`, before `block` ends.
  static func overlap(of block: Block, with next: Seq) -> Finding {
    Finding(
      .seqGap,
      "a block begins at entry \(next), before the one at \(block.first) ends with \(block.last)",
      at: next,
      witness: block.first,
      expected: "\(block.last.next)",
      actual: "\(next)"
    )
  }

  /// That entries are not there, or that SQLite cannot read them.
  ///
  /// - Parameters:
  ///   - first: the first of them.
  ///   - last: the last of them.
  ///   - next: where the block behind them begins.
  ///   - error: what SQLite said.
  /// - Returns: the finding.
  static func hole(
    from first: Seq,
    through last: Seq,
    before next: Seq?,
    _ error: SQLiteError? = nil
  ) -> Finding {
    if let error {
      let message = "SQLite cannot read entries \(first) to \(last): \(error)"
      return Finding(.containerDamaged, message, at: first)
    }
    return Finding(
      .seqGap,
      "entries \(first) to \(last) are missing",
      at: first,
      witness: next,
      expected: "\(first)",
      actual: next.map { "\($0)" }
    )
  }
}
