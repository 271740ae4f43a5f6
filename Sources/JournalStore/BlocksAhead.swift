internal import TidemarkEntries
internal import TidemarkParallel
internal import TidemarkSQLite

/// The blocks of a walk, read ahead, with what all processors make of them.
///
/// While the caller works on some blocks, other threads are at the next ones. The number grows from
/// one: who wants one block only does not wait for more.
struct BlocksAhead<Made: Sendable> {
  /// A block and what was made of it, and what could not be read before the block.
  struct Step {
    var error: SQLiteError?
    var block: Block?
    var made: Made?
  }

  /// How many blocks are read ahead at most.
  static var countMax: Int { 32 }

  private let walk: BlockWalk
  private let first: Seq
  private let last: Seq
  private let worker: @Sendable () -> (WalkedBlock) -> Made

  /// What is handed out, the next one last.
  private var ready: [Step] = []
  private var working: Batch?

  /// What follows on the blocks that were read; nothing before the first.
  private var upcoming: BlockWalk.Found?
  private var count = 1
  private var number: UInt64 = 0

  fileprivate struct Batch {
    var steps: [Step]
    var work: SharedWork<WalkedBlock, Made>
  }

  init(
    _ walk: BlockWalk,
    from first: Seq,
    through last: Seq,
    _ worker: @escaping @Sendable () -> (WalkedBlock) -> Made
  ) {
    self.walk = walk
    self.first = first
    self.last = last
    self.worker = worker
  }

  mutating func next() throws(SQLiteError) -> Step? {
    if ready.isEmpty {
      var batch = working
      if batch == nil { batch = try read() }
      working = nil
      guard let batch else { return nil }
      // The threads are busy with the batch behind while the caller is with this one.
      ready = batch.finished
      if batch.steps.count == count { count = min(count * 2, Self.countMax) }
      working = try read()
    }
    return ready.popLast()
  }

  private mutating func read() throws(SQLiteError) -> Batch? {
    var steps: [Step] = []
    var items: [WalkedBlock] = []
    while steps.count < count {
      let found = if let upcoming { upcoming } else { try walk.first(holding: first) }
      guard found.block != nil || found.error != nil else { break }
      steps.append(Step(error: found.error, block: found.block))
      guard let block = found.block, block.first <= last else {
        upcoming = BlockWalk.Found()
        break
      }
      let following = try walk.next(after: block)
      upcoming = following
      let next = following.block?.first ?? following.error.map { _ in block.last.next }
      items.append(WalkedBlock(block: block, number: number, next: next))
      number += 1
    }
    guard !steps.isEmpty else { return nil }
    return Batch(steps: steps, work: SharedWork(items, worker))
  }
}

extension BlocksAhead.Batch {
  /// The steps with what was made of them, the first one last.
  var finished: [BlocksAhead.Step] {
    var steps = steps
    for (index, made) in work.results().enumerated() { steps[index].made = made }
    return steps.reversed()
  }
}
