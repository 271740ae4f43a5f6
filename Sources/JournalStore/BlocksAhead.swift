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
  private var isUnderWay = false

  /// What ended the reading, if it was no damage.
  private var failure: SQLiteError?
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

  /// The next block; nothing behind the last.
  ///
  /// - Throws: an error of SQLite that is no damage, behind all blocks that were read before it.
  mutating func next() throws(SQLiteError) -> Step? {
    if ready.isEmpty {
      var batch = working.take()
      if batch == nil { batch = try read() }
      guard let batch else {
        if let failure { throw failure }
        return nil
      }
      if isUnderWay { count = min(count * 2, Self.countMax) }
      // The threads are busy with the batch behind while the caller is with this one; but nobody
      // who wants one block only waits for more.
      if isUnderWay { working = try read() }
      isUnderWay = true
      ready = batch.finished
    }
    return ready.popLast()
  }

  /// Lets go of what was read ahead and is not wanted any more.
  func cancel() { working?.work.cancel() }

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
      var following = BlockWalk.Found()
      do throws(SQLiteError) { following = try walk.next(after: block) } catch { failure = error }
      upcoming = following
      let error = following.error ?? failure
      let next = following.block?.first ?? error.map { _ in block.last.next }
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
