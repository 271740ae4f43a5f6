package import TidemarkEntries
internal import TidemarkSQLite

extension JournalReader {
  /// A block as it lies in the file, or what is in its place.
  package enum Place {
    /// A block that is yet to be unpacked, and where the next one begins, if one is there.
    case block(Block, next: Seq?)

    /// What is missing or cannot be read; it comes with the block next to it.
    case damage(Finding, through: Seq, beside: Block)
  }

  /// Goes through the blocks that hold entries from `first` to `last`, in order.
  ///
  /// Whole blocks are handed on: the first may begin before `first`. Damage does not end the walk;
  /// what is missing or cannot be read comes with the block next to it. Memory holds two blocks.
  ///
  /// - Parameters:
  ///   - first: where to begin.
  ///   - last: where to end.
  ///   - body: gets one part after the other, and returns whether to go on.
  ///   - mapping: makes an error of the journal one of the caller.
  /// - Throws: what `body` throws, and errors of the journal that are no damage.
  package func forEachPart<Failure: Error>(
    from first: Seq,
    through last: Seq,
    _ body: (Block, Part) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    try forEachPlace(
      from: first,
      through: last,
      { (place) throws(Failure) in
        let part = self.part(of: place)
        guard try body(place.neighbour, part) else { return nil }
        return switch part {
        case .entries: place.neighbour.last
        case .damage(_, let last): last
        }
      },
      mapping: mapping
    )
  }

  /// As ``forEachPart(from:through:_:mapping:)``, without unpacking the blocks.
  ///
  /// - Parameters:
  ///   - first: where to begin.
  ///   - last: where to end.
  ///   - body: returns up to where the place reaches, or nothing to end the walk.
  ///   - mapping: makes an error of the journal one of the caller.
  /// - Throws: what `body` throws, and errors of the journal that are no damage.
  package func forEachPlace<Failure: Error>(
    from first: Seq,
    through last: Seq,
    _ body: (Place) throws(Failure) -> Seq?,
    mapping: (JournalError) -> Failure
  ) throws(Failure) {
    var walk = BlockWalk(blocks, through: last)
    func found(
      _ read: (inout BlockWalk) throws(SQLiteError) -> BlockWalk.Found
    ) throws(Failure) -> BlockWalk.Found {
      do throws(SQLiteError) { return try read(&walk) } catch {
        throw mapping(JournalError(error, doing: "cannot read the blocks"))
      }
    }
    var here = try found { walk throws(SQLiteError) in try walk.first(holding: first) }
    var expected = here.block.map { min($0.first, first) } ?? first
    while let beside = here.block ?? walk.before, here.block != nil || here.error != nil {
      let reach = min(last, here.block.map { Seq($0.first.value - 1) } ?? last)
      if expected <= reach {
        guard try body(here.damage(from: expected, through: reach, beside: beside)) != nil else {
          return
        }
        expected = reach.next
      }
      guard let block = here.block, block.first <= last else { return }
      here = try found { walk throws(SQLiteError) in try walk.next(after: block) }
      let place =
        block.first < expected
        ? BlockWalk.repetition(of: block, before: expected)
        : .block(block, next: here.block?.first ?? here.error.map { _ in block.last.next })
      guard let end = try body(place) else { return }
      expected = max(expected, end.next)
    }
    if let error = here.error, walk.before == nil {
      throw mapping(JournalError(error, doing: "cannot read the blocks"))
    }
  }

  /// What is in a place, unpacked.
  package func part(of place: Place) -> Part {
    switch place {
    case .damage(let finding, let last, _): return .damage(finding, through: last)
    case .block(let block, let next):
      let part = part(of: block, isLast: next == nil)
      // How many entries a damaged block had cannot be read from it.
      guard case .damage(let finding, _) = part, let next else { return part }
      return .damage(finding, through: Seq(next.value - 1))
    }
  }
}

extension JournalReader.Place {
  /// The block that lies here, or the one next to what does not.
  package var neighbour: Block {
    switch self {
    case .block(let block, _): block
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

  /// The last block that was found.
  private(set) var before: Block?

  init(_ blocks: BlockTable, through last: Seq) {
    self.blocks = blocks
    self.last = last
  }

  /// The block that holds `seq`, or the first one behind it.
  mutating func first(holding seq: Seq) throws(SQLiteError) -> Found {
    do throws(SQLiteError) {
      if let block = try blocks.block(atOrBefore: seq), block.last >= seq {
        before = block
        return Found(block: block)
      }
    } catch { guard error.code == .damaged else { throw error } }
    return try next(after: Seq(seq.value - 1))
  }

  mutating func next(after block: Block) throws(SQLiteError) -> Found {
    try next(after: block.first)
  }

  private mutating func next(after seq: Seq) throws(SQLiteError) -> Found {
    let found = try read(after: seq)
    before = found.block ?? before
    return found
  }

  private func read(after seq: Seq) throws(SQLiteError) -> Found {
    do throws(SQLiteError) { return Found(block: try blocks.block(after: seq)) } catch {
      guard error.code == .damaged else { throw error }
      let readable = try firstReadable(after: seq)
      guard let readable else { return Found(error: error) }
      return Found(block: try blocks.block(after: readable), error: error)
    }
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

extension BlockWalk {
  /// A block that begins where another one has given its entries already.
  static func repetition(of block: Block, before expected: Seq) -> JournalReader.Place {
    let message = "the entries of the block at \(block.first) come twice"
    let finding = Finding(.seqGap, message, at: block.first, actual: "\(block.first)")
    return .damage(finding, through: Seq(expected.value - 1), beside: block)
  }
}

extension BlockWalk.Found {
  /// What stands before the block: nothing at all, or what SQLite cannot read.
  func damage(from first: Seq, through last: Seq, beside: Block) -> JournalReader.Place {
    if let error {
      let message = "SQLite cannot read entries \(first) to \(last): \(error)"
      return .damage(Finding(.containerDamaged, message, at: first), through: last, beside: beside)
    }
    let gap = Finding(
      .seqGap,
      "entries \(first) to \(last) are missing",
      at: first,
      witness: block?.first,
      expected: "\(first)",
      actual: block.map { "\($0.first)" }
    )
    return .damage(gap, through: last, beside: beside)
  }
}
