import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

/// `tidemark import har`: an HTTP capture.
enum HARFormat: ImportFormat {
  static let name = "har"
  static let noun = "HTTP capture (HAR)"
  static let advice =
    "A HAR file is {\"log\": {\"entries\": […]}}; the network panels of browsers save one."

  static func run(
    _ file: String,
    into path: String,
    _ input: Input,
    to output: inout Output
  ) throws -> ExitCode {
    let policy = try policy(input)
    let target = try ImportTarget(path, isDryRun: input.has("--dry-run"))
    let source = try ImportSource(file)
    let found: HARSource
    do throws(HARError) { found = try HARSource(reading: source.file) } catch {
      guard case .notACapture(let problem) = error else { throw error }
      throw source.refusal(by: HARFormat.self, "\(problem)", target)
    }
    var chance = System.Chance()
    let journal = try Journal(target.path, create: true, chance: &chance)
    var projector = Projector(Shelf.self)
    let isNew = journal.last.value == 0
    if !isNew { try projector.run(try JournalReader(stoppableAt: target.path)) }
    var importing = HARImport(
      found,
      policy: policy,
      into: journal,
      state: projector.state
    )
    let events = found.capture.exchangeCount * 2
    let summary = try importing.run(chance: &chance) { done in
      if Interruption.isRequested { throw Failure.interrupted }
      output.progress(done, of: events, "events")
    }
    try journal.close()
    if !target.isDryRun { output.accomplished = "the import is written to \(path)" }
    let races = try RaceReport(try JournalReader(stoppableAt: target.path))
    let report = HARReport(summary: summary, races: races, journal: path, isNew: isNew)
    switch output.format {
    case .json, .jsonl:
      try output.json { report.write(isDryRun: target.isDryRun, to: &$0) }
    case .text, .table:
      for line in report.lines(isDryRun: target.isDryRun) { try output.line(line) }
    }
    for line in report.remarks { output.note(line) }
    output.tell(races.findings)
    if target.isDryRun { output.note(ImportTarget.dryRunNote) }
    return summary.problems.count > 0 ? .partial : .done
  }

  private static func policy(_ input: Input) throws -> TouchPolicy {
    let fence = input.value("--fence").flatMap(TouchPolicy.Fence.init) ?? .paths
    do throws(EntryError) {
      var rules: [TouchRule] = []
      for text in input.values("--touches") { rules.append(try TouchRule(text)) }
      return TouchPolicy(fence: fence, rules: rules)
    } catch { throw Failure.usage(error.message) }
  }
}

/// What came of importing a capture.
struct HARReport {
  let summary: HARImport.Summary
  let races: RaceReport
  let journal: String

  /// Whether nothing was in the journal before: else the races are those of all of it.
  let isNew: Bool

  func lines(isDryRun: Bool) -> [Line] {
    let added = isDryRun ? "would add" : "added"
    var lines: [Line] = [
      """
      \(Quantity.count(summary.exchanges, "request", "requests")): \
      \(Quantity.count(summary.reads, "read", "reads")), \
      \(Quantity.count(summary.changes, "change", "changes")), \
      \(Quantity.count(summary.copies, "fixed file", "fixed files")), \
      \(Quantity.count(left)) left out
      """
    ]
    for (reason, count) in summary.left.sorted(by: {
      ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
    }) {
      lines.append("  \(Quantity.count(count))  \(reason.rawValue)")
    }
    if !summary.scopes.isEmpty {
      let names = summary.scopes.prefix(5).map { $0.address }.joined(separator: ", ")
      let more = summary.scopes.count > 5 ? ", …" : ""
      lines.append("scopes  \(summary.scopes.count)  \(names)\(more)")
    }
    var entries: Line = "\(added)  \(Quantity.count(summary.appended, "entry", "entries"))"
    if summary.known > 0 { entries.append(", \(Quantity.count(summary.known)) were there already") }
    if summary.open > 0 {
      entries.append("; \(Quantity.count(summary.open)) without an end stay open")
    }
    lines.append(entries)
    if summary.partial > 0 {
      lines.append("content of \(Quantity.count(summary.partial)) is missing or cut in the capture")
    }
    lines.append(late(isDryRun))
    return lines
  }

  private func late(_ isDryRun: Bool) -> Line {
    let stale = races.count(.certain)
    let possible = races.count(.possible)
    let title = isNew ? "late    " : "late (whole journal)  "
    guard stale + possible > 0 else { return "\(title)no reply was stale" }
    return """
      \(title)\(Quantity.count(stale), stale > 0 ? .red : .plain) stale for certain, \
      \(Quantity.count(possible), possible > 0 ? .yellow : .plain) possibly stale\
      \(isDryRun ? "" : ": tidemark races " + Words.quoted(journal))
      """
  }

  private var left: Int { summary.left.values.reduce(0, +) }

  /// What is said beside the data.
  var remarks: [Line] {
    var lines: [Line] = summary.problems.listed.map { "\("J702", .yellow)  \($0.description)" }
    let more = summary.problems.count - summary.problems.listed.count
    if more > 0 { lines.append("J702  and \(Quantity.count(more)) more") }
    if summary.exchanges == 0, lines.isEmpty {
      lines.append("note: the capture holds no requests: was it on before the page was loaded?")
    }
    lines += summary.idleRules.map { "note: \($0)" }
    if let count = summary.notes[.withoutZone] {
      let times = Quantity.count(count, "time has", "times have")
      lines.append("\(times) no zone, taken as UTC")
    }
    if let count = summary.notes[.clockSkewed] {
      let times = Quantity.count(count, "time is", "times are")
      lines.append("\(times) before 1995 or after 2099: a wrong clock")
    }
    return lines
  }

  func write(isDryRun: Bool, to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.import/1")
      json.field("format", "har")
      json.field("dryRun", isDryRun)
      json.field("journal", journal)
      json.field("creator", summary.creator)
      json.field("requests", summary.exchanges)
      json.field("reads", summary.reads)
      json.field("changes", summary.changes)
      json.field("copies", summary.copies)
      json.array("scopes") { json in
        for scope in summary.scopes { json.element(scope.address) }
      }
      json.array("leftOut") { json in
        for (reason, count) in summary.left.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          json.object { json in
            json.field("reason", reason.rawValue)
            json.field("count", count)
          }
        }
      }
      json.field("appended", summary.appended)
      json.field("known", summary.known)
      json.field("open", summary.open)
      json.field("partial", summary.partial)
      json.field("problems", summary.problems.count)
      json.object("races") { json in
        for degree in Race.Degree.allCases { json.field(degree.rawValue, races.count(degree)) }
      }
    }
  }
}
