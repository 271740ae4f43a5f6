internal import TidemarkCompression
package import TidemarkEntries
package import TidemarkJournalStore
internal import TidemarkParallel
package import TidemarkProjections

/// Makes a journal of an HTTP capture: reads begin and land at their real times, changes are sent
/// and answered, and each arrival is decided as a live store would decide it.
///
/// A late reply thus becomes a refusal with its witness. Keys are made of what the capture says, so
/// importing it again adds nothing.
package struct HARImport {
  /// What came of an import.
  package struct Summary: Sendable {
    package var exchanges = 0
    package var reads = 0
    package var changes = 0
    package var copies = 0

    /// Reads and changes that have no end in the capture.
    package var open = 0
    package var left: [HARLeftOut: Int] = [:]
    package var scopes: [Scope] = []

    /// How many entries were appended, and how many there were already.
    package var appended = 0
    package var known = 0

    /// How many answers came without all of their content.
    package var partial = 0
    package var problems = HARProblems()
    package var notes: [HARNote: Int] = [:]
    package var creator: String?

    /// What the rules of the app's own did not find.
    package var idleRules: [String] = []
  }

  /// Why an import ended early; what was committed before stays.
  package enum Failure: Error, CustomStringConvertible {
    case capture(HARError)
    case journal(JournalError)

    /// The capture is there already, under another policy.
    case otherPolicy(String)

    package var description: String {
      switch self {
      case .capture(let error): "\(error)"
      case .journal(let error): "\(error)"
      case .otherPolicy(let policy):
        "this capture was imported with '\(policy)'; import it into a new journal"
      }
    }
  }

  let capture: HARCapture
  let digest: Digest
  let policy: TouchPolicy
  let journal: Journal
  var touchUse: TouchUse
  var state: ShelfState
  var stores: [Scope: Seq] = [:]

  /// The servers of which something was taken, now or by an earlier import.
  var met: Set<Scope> = []

  /// The `read-began` or `mutation-sent` entries of exchanges without an end, by their places.
  var open: [Int: Seq] = [:]
  var stagedBytes = 0

  /// Images and the like of servers of which nothing else was taken.
  var otherServers = 0
  var summary = Summary()

  /// How many bytes of content wait for a commit, at least.
  private static let stagedBytesMin = 4 << 20

  /// How many entries wait for a commit, at least.
  private static let stagedEntriesMin: UInt64 = 2048

  /// - Parameters:
  ///   - source: what to import.
  ///   - policy: what a change is taken to touch.
  ///   - journal: where to.
  ///   - state: the shelf at the end of the journal.
  package init(
    _ source: HARSource,
    policy: TouchPolicy,
    into journal: Journal,
    state: ShelfState
  ) {
    capture = source.capture
    digest = source.digest
    self.policy = policy
    touchUse = TouchUse(of: policy)
    self.journal = journal
    self.state = state
    summary.problems = capture.problems
    summary.notes = capture.notes
    summary.creator = capture.about.creator
    summary.exchanges = capture.exchangeCount
  }

  /// Whether the import of a capture wrote `entry`: what the app did is only in part what it says.
  package static func wrote(_ entry: Entry) -> Bool {
    entry.key.bytes.starts(with: keyPrefix.utf8)
  }

  static let keyPrefix = "har/"

  /// Imports all of the capture.
  ///
  /// - Parameters:
  ///   - chance: salts the contents.
  ///   - progress: is told how many of the events are through; what it throws ends the import.
  /// - Returns: what became of the capture.
  /// - Throws: ``Failure``, or what `progress` throws; what was committed stays, and importing
  ///   again goes on from there.
  /// - Complexity: O(*n* log *n*) in the exchanges; memory holds the longest entry, what is in
  ///   flight, some megabytes that are read ahead, and some 150 bytes an exchange.
  package mutating func run(
    chance: inout some RandomNumberGenerator,
    progress: (Int) throws -> Void = { _ in }
  ) throws -> Summary {
    let importKey = IdempotencyKey(
      unchecked: Array("\(HARImport.keyPrefix)imported/\(digest)".utf8)
    )
    try checkPolicy(importKey)
    let batches = batches()
    var problems = HARProblems()
    while let batch = batches.next() {
      for step in batch.steps { try take(step, &chance) }
      if let failure = batch.failure { throw Failure.capture(failure) }
      problems = batch.problems
      try commitIfFull()
      try progress(batch.eventCount)
    }
    summary.problems.add(problems)
    summary.open = open.count
    summary.idleRules = touchUse.remarks
    summary.left[.otherServer] = otherServers > 0 ? otherServers : nil
    try record(importKey)
    try Failure.journal { () throws(JournalError) in try journal.commit(.authored) }
    return summary
  }

  /// The steps of the capture, read ahead while those before become entries.
  private func batches() -> WorkAhead<HARBatch> {
    var preparation = HARPreparation(capture.events())
    let compressor = Compressor()
    var isOver = false
    return WorkAhead { isAwaited in
      guard !isOver else { return nil }
      var batch = HARBatch(&preparation)
      isOver = batch.isLast
      batch.pack(compressor, until: isAwaited)
      return batch
    }
  }

  private func checkPolicy(_ key: IdempotencyKey) throws(Failure) {
    let entry = try Failure.journal { () throws(JournalError) in try journal.entry(for: key) }
    guard let prior = try? entry?.decode(Imported.self), prior.policy != policy.description else {
      return
    }
    throw .otherPolicy(prior.policy)
  }

  private mutating func record(_ key: IdempotencyKey) throws(Failure) {
    let left = summary.left.values.reduce(0, +)
    let imported = Imported(
      format: "har",
      digest: digest,
      taken: UInt64(summary.reads + summary.changes + summary.copies),
      left: UInt64(left),
      policy: policy.description,
      creator: capture.about.creator
    )
    let known = try Failure.journal { () throws(JournalError) in try journal.entry(for: key) }
    guard known == nil else {
      summary.known += 1
      return
    }
    // The time of the last entry: what the capture says, not when it was read.
    let last = try Failure.journal { () throws(JournalError) in try journal.entry(at: journal.last)
    }
    let draft = Draft(
      imported,
      key: key,
      store: .journal,
      time: last?.time ?? DeviceTime(milliseconds: 0)
    )
    try Failure.journal { () throws(JournalError) in try journal.stage([draft]) }
    summary.appended += 1
  }

  private mutating func commitIfFull() throws(Failure) {
    let waiting = journal.last.value - journal.committed.value
    guard waiting >= HARImport.stagedEntriesMin || stagedBytes >= HARImport.stagedBytesMin else {
      return
    }
    try Failure.journal { () throws(JournalError) in try journal.commit(.lazy) }
    stagedBytes = 0
  }
}

extension HARImport.Failure {
  @discardableResult
  static func journal<Result>(
    _ call: () throws(JournalError) -> Result
  ) throws(HARImport.Failure) -> Result {
    do throws(JournalError) { return try call() } catch { throw .journal(error) }
  }
}
