package import TidemarkEntries
package import TidemarkJournalStore

/// Brings the states of a projections file up to the end of their journal.
///
/// What the file does not have is made anew from the first entry; what it has goes on from where it
/// stands. The file is written now and then, so that the work goes on there if it is interrupted.
package struct CatchingUp {
  /// How many changed rows are kept in memory before they are written.
  package static let changesMax = 65_536

  package private(set) var states = States()

  /// Where the states are kept; another one than was given if that was damaged.
  package private(set) var file: ProjectionsFile?

  /// The projections that were made anew, and why.
  package private(set) var rebuilt: [(name: String, reason: ProjectionsFile.Loaded)] = []

  /// What could not be read, where the states end; empty if they go to the end of the journal.
  package private(set) var findings: [Finding] = []

  /// The last entry that is in all states.
  package private(set) var position = Seq(0)

  /// Whether the file has nothing of an empty journal: that it has come so far is worth writing, or
  /// a process that ends before the first save would look like a file that was lost.
  private var isNew = false

  private var positions: [String: Seq] = [:]
  private var changed = ChangedRows()

  /// From so many entries on, the rows are not told apart but written anew, all of them.
  package static let farMin: UInt64 = 16_384

  /// So many entries are folded at least before all rows are written.
  private static let farStep: UInt64 = 262_144

  /// Reads what `file` has of the journal that `reader` reads.
  ///
  /// - Parameters:
  ///   - file: the file; nothing: all is made anew.
  ///   - reader: the journal.
  ///   - keeping: whether the states are kept in the file; if not, it is only read.
  /// - Throws: ``JournalError`` with code `storage`.
  package init(
    _ file: ProjectionsFile?,
    _ reader: JournalReader,
    keeping: Bool = true
  ) throws(JournalError) {
    self.file = file
    for part in ProjectionCatalogue.parts { try load(part, reader, keeping: keeping) }
    guard keeping else {
      self.file = nil
      return
    }
    // What one part has lost says nothing good of the others: the file is made anew.
    guard rebuilt.contains(where: { $0.reason.isDamage }) else { return }
    self.file = try file?.remade()
    for part in ProjectionCatalogue.parts {
      part.reset(&states)
      let start = CatchingUp.start(in: reader)
      guard positions.updateValue(start, forKey: part.name) != start else { continue }
      rebuilt.append((part.name, .damaged("its file was damaged")))
    }
  }

  /// Where a state that was lost begins: with all that the journal has.
  private static func start(in reader: JournalReader) -> Seq {
    StoreRule.rebuildFromJournal.isOn ? Seq(0) : reader.last
  }

  private mutating func load(
    _ part: StatePart,
    _ reader: JournalReader,
    keeping: Bool
  ) throws(JournalError) {
    var loaded = file?.load(part, into: &states) ?? .missing
    if case .whole(let standing) = loaded { loaded = try standing.found(in: reader) }
    if case .whole(let standing) = loaded {
      positions[part.name] = standing.position
      return
    }
    part.reset(&states)
    positions[part.name] = CatchingUp.start(in: reader)
    isNew = isNew || reader.last.value == 0
    if keeping, case .outdated = loaded { try file?.clear(part) }
    if file != nil, reader.last.value > 0 { rebuilt.append((part.name, loaded)) }
  }

  /// Folds the entries up to the end, or up to the first that cannot be read.
  ///
  /// - Parameters:
  ///   - reader: the journal.
  ///   - progress: is told how far it is, and says whether to go on.
  /// - Returns: whether it went through; if not, what was written stays.
  /// - Throws: ``JournalError`` with code `storage`; damage ends the states before it.
  /// - Complexity: O(*n*) in the entries behind what the file has; memory holds the states and
  ///   ``changesMax`` keys.
  package mutating func run(
    _ reader: JournalReader,
    progress: (Seq) -> Bool = { _ in true }
  ) throws(JournalError) -> Bool {
    guard let first = positions.values.min(), first < reader.last else {
      position = reader.last
      if isNew { try file?.save(states, ChangedRows(), ProjectionsFile.Standing()) }
      return true
    }
    position = first
    var order = Gapless(after: first)
    let isFar = reader.last.value - first.value >= CatchingUp.farMin
    let parts = ProjectionCatalogue.parts.map { ($0, positions[$0.name] ?? Seq(0)) }
    var goesOn = true
    var saved = first
    var work = self
    self.states = States()
    let damage = try reader.forEachUntilDamage(from: first.next) {
      (entry) throws(JournalError) in
      guard order.takes(entry.seq) else { return false }
      for (part, position) in parts where position < entry.seq {
        if !isFar { work.changed.note(entry, before: work.states, part) }
        work.take(entry, part)
      }
      work.position = entry.seq
      guard work.isDue(isFar, since: saved) else { return true }
      try work.save(entry, all: isFar)
      saved = entry.seq
      goesOn = progress(entry.seq)
      return goesOn
    }
    self = work
    findings += damage
    if goesOn, position > saved, let entry = try reader.entry(at: position) {
      try save(entry, all: isFar)
    }
    return goesOn
  }

  private mutating func take(_ entry: Entry, _ part: StatePart) {
    do throws(EntryError) { try part.evolve(&states, entry) } catch {
      findings.append(Finding(.entryMalformed, error.message, at: entry.seq))
    }
  }

  private func isDue(_ isFar: Bool, since saved: Seq) -> Bool {
    isFar
      ? position.value - saved.value >= CatchingUp.farStep
      : changed.count >= CatchingUp.changesMax
  }

  private mutating func save(_ entry: Entry, all: Bool) throws(JournalError) {
    let standing = ProjectionsFile.Standing(position: entry.seq, leaf: Tree.leaf(of: entry))
    if all {
      try file?.saveAll(states, standing)
    } else {
      try file?.save(states, changed, standing)
    }
    changed = ChangedRows()
  }
}

extension ProjectionsFile.Loaded {
  fileprivate var isDamage: Bool {
    if case .damaged = self { true } else { false }
  }
}

extension JournalReader {
  /// Goes through the entries from `first` on, in order, up to the first that cannot be read.
  ///
  /// - Returns: why it ended there; nothing if it went to the end.
  package func forEachUntilDamage(
    from first: Seq,
    _ body: (Entry) throws(JournalError) -> Bool
  ) throws(JournalError) -> [Finding] {
    var findings: [Finding] = []
    try forEachPart(
      from: first,
      through: last,
      { (_, part) throws(JournalError) in
        switch part {
        case .damage(let finding, _):
          findings.append(finding)
          return false
        case .entries(let entries):
          // A span lends each entry; an array would copy it.
          let span = entries.span
          for index in span.indices where span[index].seq >= first {
            guard try body(span[index]) else { return false }
          }
          return true
        }
      },
      mapping: { $0 }
    )
    return findings
  }
}
