internal import TidemarkEntries
package import TidemarkJournalStore

/// Reads every byte of a journal and says whether they are the ones that were written.
///
/// It judges the snapshot that its reader stands on; what a writer appends meanwhile is not
/// examined. It goes on behind damage, and tells how much of all that is there it has examined.
package struct Verification {
  /// What is examined, and how much is told.
  package struct Options: Sendable {
    /// Whether contents are compared with the commitments of the entries that name them.
    package var bodies: Bool

    /// Which part of the blocks is examined; all if none is given.
    package var sample: Sample?

    /// How many findings of one code are listed; the counts stay true.
    package var examplesMax: Int

    package init(bodies: Bool = false, sample: Sample? = nil, examplesMax: Int = 1000) {
      self.bodies = bodies
      self.sample = sample
      self.examplesMax = examplesMax
    }
  }

  /// One of several parts, which are the whole together.
  package struct Sample: Sendable, Hashable {
    package let part: UInt64
    package let of: UInt64

    /// Part 1 of 7, say; nothing if there is no such part.
    package init?(_ part: UInt64, of parts: UInt64) {
      guard part >= 1, part <= parts else { return nil }
      (self.part, of) = (part, parts)
    }

    func contains(_ number: UInt64) -> Bool { number % of == part - 1 }
  }

  let reader: JournalReader
  let options: Options
  var report: VerificationReport
  var census = KeyCensus()

  /// What each content that was examined comes to.
  var contents: [UInt64: JournalReader.BodyCheck] = [:]

  /// The tree so far; nothing once damage has made a hole in it.
  private var tree: CompactRange? = CompactRange()

  /// The heads that the tree must agree with, by their size.
  private var heads: [(name: String, head: JournalReader.StoredHead)] = []

  private init(_ reader: JournalReader, _ options: Options) {
    self.reader = reader
    self.options = options
    report = VerificationReport(last: reader.last, examplesMax: options.examplesMax)
  }

  /// Verifies the journal of `reader`, and tells `progress` now and then how many entries it read.
  ///
  /// Memory holds some 20 bytes of each key, see ``KeyCensus``, and with `bodies` some 100 of each
  /// content: its id and its commitment, in a table that is at most three quarters full.
  package static func verify(
    _ reader: JournalReader,
    _ options: Options = Options(),
    progress: (UInt64) -> Void = { _ in }
  ) throws(JournalError) -> VerificationReport {
    var verification = Verification(reader, options)
    try verification.run(progress)
    return verification.report
  }

  private mutating func run(_ progress: (UInt64) -> Void) throws(JournalError) {
    report.inventory = try reader.inventory()
    // A part in turn: over all of them the pages are checked once.
    if options.sample?.part ?? 1 == 1 {
      report.note(try reader.containerFindings(atMost: 100))
      report.isContainerExamined = true
    }
    try gatherHeads()
    let examiner = BlockExaminer(reader, options, heads.map(\.head.size))
    try reader.forEachPlace(
      from: Seq(1),
      through: reader.last,
      making: { examiner.worker() },
      { (place, examined) throws(JournalError) in
        let end = try visit(place, examined)
        progress(report.entries)
        return end
      },
      mapping: { $0 }
    )
    compareHeads(at: reader.last.value)
    report.size = tree?.end
    report.root = tree?.root
    for repetition in try census.repetitions(in: reader) { report.note(repetition.finding) }
    if options.bodies, options.sample == nil { try examineRest() }
  }

  // MARK: Heads

  private mutating func gatherHeads() throws(JournalError) {
    if let head = try reader.indexedHead() { heads.append(("stored", head)) }
    report.note([reader.schemaFinding, reader.torn].compactMap(\.self))
    report.standing = standing(of: reader.anchor)
    let finding = report.standing.finding(reader.anchor, size: reader.last)
    report.note([finding].compactMap(\.self))
    guard let anchor = reader.anchor, report.standing != .foreign else { return }
    heads.append(("anchored", JournalReader.StoredHead(size: anchor.size, root: anchor.root)))
  }

  /// How the anchor stands, by the numbers alone; the roots are compared on the way.
  private func standing(of anchor: Anchor?) -> Anchor.Standing {
    guard let anchor else { return .missing }
    guard anchor.journal == reader.identity.journal else { return .foreign }
    if anchor.size > reader.last.value { return .ahead }
    return anchor.size == reader.last.value ? .equal : .behind
  }

  private mutating func compareHeads(at size: UInt64) {
    compareHeads(at: size, in: tree)
  }

  private mutating func compareHeads(at size: UInt64, in tree: CompactRange?) {
    guard let tree, tree.end == size else { return }
    for (name, head) in heads where head.size == size && head.root != tree.root {
      if name == "anchored" { report.standing = .diverged }
      report.note([
        Finding(
          .rootDiffers,
          "the \(name) head of the first \(size) entries has another root",
          at: Seq(size),
          expected: head.root.description,
          actual: tree.root.description
        )
      ])
    }
  }

  // MARK: Blocks

  private mutating func visit(
    _ place: JournalReader.Place,
    _ examined: ExaminedBlock?
  ) throws(JournalError) -> Seq {
    switch place {
    case .damage(let finding, let last, _):
      report.note([finding])
      tree = nil
      return last
    case .block(let block):
      switch examined {
      case .damaged(let finding, let last):
        report.note([finding])
        tree = nil
        return last
      case .passed(let range):
        compareHeads(at: block.first.value - 1)
        grow(by: range)
      case .entries(let entries): try take(entries, of: block)
      case nil: preconditionFailure("a block comes with what was made of it")
      }
      return block.last
    }
  }

  private mutating func grow(by range: CompactRange) {
    guard tree?.end == range.start else { return tree = nil }
    tree?.append(range)
  }

  private mutating func take(
    _ entries: ExaminedBlock.Entries,
    of block: Block
  ) throws(JournalError) {
    report.blocks += 1
    report.bytes += UInt64(block.frames.count)
    report.entries += UInt64(entries.keys.count)
    census.note(entries.keys)
    compareHeads(at: block.first.value - 1)
    for range in entries.heads {
      guard var tree, tree.end == range.start else { continue }
      tree.append(range)
      compareHeads(at: range.end, in: tree)
    }
    grow(by: entries.range)
    report.note(entries.findings)
    for (entry, reference) in entries.bodies { try examine(reference, of: entry) }
  }
}

extension KeyCensus.Repetition {
  fileprivate var finding: [Finding] {
    [
      Finding(
        .keyRepeated,
        "the key \(key) stands at \(first) and again at \(again)",
        at: again,
        witness: first,
        key: key
      )
    ]
  }
}
