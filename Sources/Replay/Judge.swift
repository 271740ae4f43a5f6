package import TidemarkEntries
package import TidemarkJournalStore

/// Runs the checks over a journal, in one pass.
package struct Judge {
  /// What is judged, and how much is told.
  package struct Options: Sendable {
    /// Codes that are not looked for.
    package var skipped: Set<FindingCode>

    /// How many findings of one check are listed; the counts stay true.
    package var examplesMax: Int

    package init(skipped: Set<FindingCode> = [], examplesMax: Int = 1000) {
      self.skipped = skipped
      self.examplesMax = examplesMax
    }
  }

  /// What came of it.
  package struct Report: Sendable {
    /// How many entries were read, of how many there are.
    package var entries: UInt64 = 0
    package var last: Seq

    /// One a check, in the order of the catalogue; those that were skipped are left out.
    package var verdicts: [Verdict] = []

    /// What could not be read, or not understood: damage, and notes of unknown kinds.
    package var damage: [Finding] = []
    package var damageCounts: [FindingCode: UInt64] = [:]

    /// What was in flight at the end, which is no finding: a crash leaves some.
    package var openReads: UInt64 = 0
    package var openChanges: UInt64 = 0

    /// All findings that are listed, by the seq of each.
    package var findings: [Finding] {
      (damage + verdicts.flatMap(\.findings)).sorted { ($0.seq ?? Seq(0)) < ($1.seq ?? Seq(0)) }
    }

    /// How often each code was found.
    package var counts: [FindingCode: UInt64] {
      verdicts.reduce(into: damageCounts) { counts, verdict in
        guard verdict.findingCount > 0 else { return }
        counts[verdict.code, default: 0] += verdict.findingCount
      }
    }
  }

  private let options: Options
  private var checks: [any Check]
  private var facts = JournalFacts()
  private var report: Report

  /// The last entry that was read or passed over.
  private var position = Seq(0)

  /// Judges the entries of `reader`, and tells `progress` now and then how many it has judged.
  ///
  /// Memory holds some 20 bytes of each key, see ``KeyCensus``, what is known of each path, and
  /// what is in flight. The time is O(*n* log *n*) in the entries.
  package static func judge(
    _ reader: JournalReader,
    _ options: Options = Options(),
    catalogue: [any Check.Type] = CheckCatalogue.all,
    progress: (UInt64) -> Void = { _ in }
  ) throws(JournalError) -> Report {
    var judge = Judge(reader, options, catalogue)
    try judge.run(reader, progress)
    return judge.report
  }

  private init(_ reader: JournalReader, _ options: Options, _ catalogue: [any Check.Type]) {
    self.options = options
    report = Report(last: reader.last)
    let types = catalogue.filter { !options.skipped.contains($0.code) }
    checks = types.map { $0.init() }
    report.verdicts = types.map { Verdict(of: $0, examplesMax: options.examplesMax) }
  }

  private mutating func run(
    _ reader: JournalReader,
    _ progress: (UInt64) -> Void
  ) throws(JournalError) {
    // One value for all entries: it keeps its memory.
    var judged: JudgedEntry?
    try reader.forEachPart(
      from: Seq(1),
      through: reader.last,
      { (block, part) throws(JournalError) in
        switch part {
        case .damage(let finding, let last): pass(finding, through: last)
        case .entries(let entries):
          for entry in entries { visit(entry, &judged) }
          progress(report.entries)
        }
        return true
      },
      mapping: { $0 }
    )
    // What is wrong with the journal as a whole; damage that was passed over is told already.
    for finding in try reader.findings() where !report.damage.contains(finding) {
      if finding.code != SeqsAreDense.code { note(finding.code) { finding } }
    }
    for index in checks.indices {
      try checks[index].finish(facts, reader, &report.verdicts[index])
    }
    for ticket in facts.tickets.values {
      if ticket.isRead { report.openReads += 1 } else { report.openChanges += 1 }
    }
  }

  private mutating func visit(_ entry: Entry, _ reused: inout JudgedEntry?) {
    report.entries += 1
    position = entry.seq
    // Before it is read: it may open the store that it names as its own.
    if KindRegistry.name(of: entry.kind) == nil { noteUnknown(entry) }
    var judged = reused.take() ?? JudgedEntry(entry)
    do throws(EntryError) { try judged.read(entry, &facts) } catch {
      facts.blind.add(entry.seq, through: entry.seq, isDamage: true)
      note(.entryMalformed) { Finding(.entryMalformed, error.message, at: entry.seq) }
    }
    for index in checks.indices { checks[index].visit(judged, facts, &report.verdicts[index]) }
    facts.settle(judged)
    reused = judged
  }

  private mutating func noteUnknown(_ entry: Entry) {
    facts.blind.add(entry.seq, through: entry.seq, isDamage: false)
    note(.kindUnknown) {
      Finding(.kindUnknown, "the kind \(entry.kind) is not known to this build", at: entry.seq)
    }
  }

  /// Passes over entries that cannot be read or are not there.
  private mutating func pass(_ finding: Finding, through last: Seq) {
    if last > position {
      facts.blind.add(position.next, through: last, isDamage: true)
      position = last
    }
    // A gap is what one of the checks looks for.
    if finding.code != SeqsAreDense.code { note(finding.code) { finding } }
    for index in checks.indices { checks[index].pass(finding, &report.verdicts[index]) }
  }

  private mutating func note(_ code: FindingCode, _ finding: () -> Finding) {
    guard !options.skipped.contains(code) else { return }
    let count = report.damageCounts[code, default: 0] + 1
    report.damageCounts[code] = count
    if count <= UInt64(clamping: options.examplesMax) { report.damage.append(finding()) }
  }
}
