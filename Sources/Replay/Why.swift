package import TidemarkEntries
package import TidemarkJournalStore

/// Why a path shows what it shows: what gave the value, what was before, what tried and was
/// refused.
///
/// Goes back from naming to naming, along the pointers of the entries; only what it looks at is
/// read.
package struct Why: Sendable {
  /// What stands on the device.
  package struct Value: Sendable, Equatable {
    package var body: BodyReference
    package var status: UInt64
    package var revision: UInt64?
  }

  /// One entry that had something to do with the path.
  package struct Step: Sendable {
    package var entry: Entry
    package var ticket: Ticket?

    /// What it made of the path; nothing if it removed the copy, or did not get to write.
    package var value: Value?

    /// What happened, in plain words.
    package var words: String

    /// The entry that shows why, if one does.
    package var witness: Seq?
  }

  package var scope: Scope
  package var path: Path

  /// The last write, removal or clearing: what is there now comes from it.
  package var gave: Step?

  /// The writes before it, the last one first.
  package var before: [Step] = []

  /// What came since the oldest of those and was not written, the last one first.
  package var tried: [Step] = []

  /// What is in flight.
  package var open: [Step] = []

  /// The answer that could not be written over the copy, if the copy is suspect.
  package var suspect: Seq?

  /// What could not be read on the way, so that nothing is known of what stands before it.
  package var findings: [Finding] = []

  /// What stands there now.
  package var now: Value? { gave?.value }

  /// All that is told, in no order.
  package var steps: [Step] { (gave.map { [$0] } ?? []) + before + tried + open }

  /// Whether any entry names the path in this scope.
  package var isNamed = false

  /// How far back it is told.
  package struct Depth: Sendable {
    /// The most writes before the last one.
    package var writesMax: Int

    /// The most entries that are looked at.
    package var entriesMax: Int

    package init(writesMax: Int = 1, entriesMax: Int = 10_000) {
      self.writesMax = writesMax
      self.entriesMax = entriesMax
    }
  }
}

extension Why {
  /// Tells the story of `path` in each scope that has it, up to and with the entry at `end`.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - isWanted: which scopes.
  ///   - end: the last entry that counts.
  ///   - context: the journal.
  ///   - depth: how far back to go.
  /// - Returns: a story for each scope, in the order of their last opening.
  /// - Throws: ``JournalError`` with code `storage`.
  /// - Complexity: O(*k* log *n*) in the *k* entries looked at: those that name the path, and the
  ///   fences behind the last write.
  package static func stories(
    of path: Path,
    in isWanted: (Scope) -> Bool = { _ in true },
    through end: Seq,
    _ context: EntryContext,
    depth: Depth = Depth()
  ) throws(JournalError) -> [Why] {
    var openings: [Scope: Seq] = [:]
    for head in try context.reader.stores() where isWanted(head.scope) {
      openings[head.scope] = head.opening
    }
    var stories: [Why] = []
    for (scope, opening) in openings.sorted(by: { $0.value < $1.value }) {
      var walk = WhyWalk(Why(scope: scope, path: path), through: end, context, depth)
      do throws(JournalError) { try walk.run(from: opening) } catch {
        guard error.code == .damaged, let code = error.finding else { throw error }
        walk.story.findings.append(Finding(code, error.message, at: error.seq))
      }
      if walk.story.isNamed || !walk.story.findings.isEmpty { stories.append(walk.story) }
    }
    return stories
  }
}

/// The walk back through the entries that name one path in one scope.
private struct WhyWalk {
  var story: Why

  private let end: Seq
  private let context: EntryContext
  private let depth: Why.Depth
  private let words: WhyWords
  private var looked = 0

  /// The begins and sendings whose end was met; the walk meets an end before its begin.
  private var ended: Set<Seq> = []

  init(_ story: Why, through end: Seq, _ context: EntryContext, _ depth: Why.Depth) {
    self.story = story
    self.end = end
    self.context = context
    self.depth = depth
    words = WhyWords(context)
  }

  /// Whether what stands further back is not told any more.
  private var isFull: Bool { story.before.count > depth.writesMax }

  /// Whether the copy was read, removed or cleared since: no earlier answer makes it suspect.
  private var isSettled = false

  private var isDone: Bool { isFull && isSettled || looked >= depth.entriesMax }

  /// Goes from incarnation to incarnation, the last one first.
  mutating func run(from newest: Seq) throws(JournalError) {
    var opening: Seq? = newest
    var last = end
    while let store = opening, !isDone {
      let opened = try context.reader.entry(at: store)?.decoded(StoreOpened.self)
      if store <= end { try walk(store, through: last) }
      last = min(last, Seq(store.value - 1))
      // Each incarnation names an earlier one, or the chain is broken.
      opening = opened?.previous.flatMap { $0 < store ? $0 : nil }
    }
    if isFull { story.before.removeLast() }
  }

  private mutating func walk(_ store: Seq, through last: Seq) throws(JournalError) {
    let reader = context.reader
    var fence = try reader.lastFence(of: store, through: last)
    var naming = try reader.lastNaming(of: story.path, in: store, through: last)
    let isOver = fence?.kind == StoreRetired.number || last < end
    while let entry = naming, !isDone {
      try reader.checkStop()
      try takeClearings(behind: entry.seq, &fence)
      guard !isDone, let link = entry.link(to: story.path, in: store) else { return }
      take(entry, link, isOver: isOver)
      naming = try link.previousMention.flatMap { (seq) throws(JournalError) in
        try reader.entry(at: seq)
      }
    }
    // What cleared the copies of an earlier incarnation counts too.
    if story.gave == nil || !isSettled { try takeClearings(behind: store, &fence) }
  }

  /// A clearing removes every copy and names no path: the fences lead to it.
  private mutating func takeClearings(
    behind seq: Seq,
    _ fence: inout Entry?
  ) throws(JournalError) {
    while let entry = fence, entry.seq > seq, !isDone {
      looked += 1
      if entry.decoded(GenerationBumped.self)?.reason == .cleared {
        isSettled = true
        add(Why.Step(entry: entry, words: "the copies of the scope were cleared"))
      }
      fence = try entry.previousFence.flatMap { (seq) throws(JournalError) in
        try context.reader.entry(at: seq)
      }
    }
  }

  private mutating func take(_ entry: Entry, _ link: PathLink, isOver: Bool) {
    looked += 1
    story.isNamed = true
    switch entry.kind {
    case ReadBegan.number, MutationSent.number:
      if !isOver, !isFull, !ended.contains(entry.seq) { story.open.append(step(entry)) }
    case OutboxEnqueued.number:
      // What a user did waits on, whatever becomes of its store.
      if !isFull, !ended.contains(entry.seq) { story.open.append(step(entry)) }
    case OutboxRetired.number, OutboxDiscarded.number:
      if let item = entry.item { ended.insert(item) }
      if entry.kind == OutboxDiscarded.number, !isFull { story.tried.append(step(entry)) }
    case OutboxAnswered.number, OutboxInDoubt.number, OutboxParked.number:
      if !isFull, words.isFailure(entry) { story.tried.append(step(entry)) }
    case ReadLanded.number, ListAssembled.number, CopyRemoved.number:
      isSettled = true
      add(step(entry))
    case CopyStored.number: add(step(entry))
    case MutationAnswered.number, OutboxCopied.number:
      guard link.role == .write else { break }
      let step = step(entry)
      if step.value == nil { isSettled = true }
      add(step)
    case ReadRefused.number, MutationFailed.number:
      if !isFull { story.tried.append(step(entry)) }
    case MutationSuppressed.number:
      if !isFull { story.tried.append(step(entry)) }
      note(entry.decoded(MutationSuppressed.self), at: entry.seq)
    default: break
    }
    if entry.kind != ReadBegan.number, let begin = entry.begin { ended.insert(begin) }
    if let sent = entry.mutation { ended.insert(sent) }
  }

  /// An answer that was not written makes the copy suspect, unless its store was over.
  private mutating func note(_ suppressed: MutationSuppressed?, at seq: Seq) {
    guard !isSettled, story.suspect == nil, suppressed?.reason != .retired else { return }
    story.suspect = seq
  }

  private mutating func add(_ step: Why.Step) {
    if story.gave == nil {
      story.gave = step
    } else if !isFull {
      story.before.append(step)
    }
  }

  private func step(_ entry: Entry) -> Why.Step {
    let (words, witness) = words.of(entry)
    return Why.Step(
      entry: entry,
      ticket: context.ticket(of: entry),
      value: entry.value(at: story.path),
      words: words,
      witness: witness
    )
  }
}

extension Entry {
  /// What this entry writes at `path`, if it writes a copy there.
  fileprivate func value(at path: Path) -> Why.Value? {
    if let landed = decoded(ReadLanded.self) {
      return Why.Value(body: landed.body, status: landed.status, revision: landed.revision)
    }
    if let list = decoded(ListAssembled.self) {
      return Why.Value(body: list.body, status: list.status, revision: list.revision)
    }
    if let stored = decoded(CopyStored.self) { return Why.Value(body: stored.body, status: 200) }
    if let copied = decoded(OutboxCopied.self) {
      return value(of: copied.copies ?? [], at: path, copied.status)
    }
    guard let answered = decoded(MutationAnswered.self) else { return nil }
    return value(of: answered.copies, at: path, answered.status)
  }

  private func value(
    of copies: [MutationAnswered.Copy],
    at path: Path,
    _ status: UInt64
  ) -> Why.Value? {
    guard let links = try? paths else { return nil }
    let copy = copies.first { copy in
      copy.path < UInt64(links.count) && links[Int(copy.path)].path == path
    }
    return copy.map { Why.Value(body: $0.body, status: status, revision: $0.revision) }
  }
}
