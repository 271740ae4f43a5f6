import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark check [JOURNAL]` judges a journal by the rules of its stores, in one pass.
///
/// Adds the exit codes 3, 4, 5 and 6.
struct Check: Command {
  static let name = "check"
  static let summary = "judge a journal by the rules of its stores"
  static let group = Group.judge
  static let details = [
    "No late read landed, every ticket ended once, every refusal has a witness, no late answer "
      + "overwrote a newer one. The judge compares positions alone and shares no code with what "
      + "decided. Every rule says how often it could have been broken; *vacuous* means never.",
    "`--replay` asks another question as well, that of the code: it runs this build's projections "
      + "over the entries and compares their digests with those of the checkpoints.",
  ]
  static let operands: [Operand] = [.journal]
  static let options: [Option] = [
    .skip, .maxExamples, .strict,
    .flag("--replay", "compare the digests of checkpoints with what replay gives"),
    .format(.text, .table, .json, .jsonl), .out,
  ]
  static let exits: [ExitCode] = [.done, .partial, .bytes, .meaning, .replay]
  static let examples = [
    Example("tidemark check shop.tidemark", "all rules"),
    Example("tidemark check shop.tidemark --format table", "the rules, with their instances"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let reader = try input.reader()
    let options = Judge.Options(
      skipped: try FindingText.skipped(input),
      examplesMax: try input.number("--max-examples").map { Int(clamping: $0) } ?? 20
    )
    let report = try Judge.judge(reader, options) { done in
      output.progress(done, of: reader.last.value, "entries")
    }
    let replay =
      try input.has("--replay")
      ? CheckpointReplay.run(reader) { done in
        output.progress(done, of: reader.last.value, "entries replayed")
      } : nil
    let isImported = try EntryContext(reader).hasImported()
    switch output.format {
    case .text: try writeText(report, replay, to: &output)
    case .table: try output.table(table(of: report))
    case .json: try output.json { write(report, replay, imported: isImported, to: &$0) }
    case .jsonl:
      for finding in report.findings + (replay?.findings ?? []) {
        try output.json { json in
          json.object { json in
            FindingText.writeLine(finding, to: &json)
          }
        }
      }
    }
    if isImported { try CaptureNote.tell(.rules, input, &output) }
    let codes = Array(report.counts.keys) + (replay?.findings.map(\.code) ?? [])
    return FindingText.exit(codes, isStrict: input.has("--strict"))
  }

  private func writeText(
    _ report: Judge.Report,
    _ replay: CheckpointReplay?,
    to output: inout Output
  ) throws {
    for finding in report.findings + (replay?.findings ?? []) {
      for line in FindingText.lines(of: finding) { try output.line(line) }
    }
    let judged = report.counts.filter { !$0.key.isNote }.values.reduce(0, +)
    let count = judged + UInt64(replay?.findings.count ?? 0)
    if judged > report.findings.count {
      try output.line("\(Quantity.count(report.findings.count)) of them are listed")
    }
    try writeVacuous(report.verdicts.filter(\.isVacuous), to: &output)
    if report.openReads + report.openChanges > 0 {
      try output.line(
        """
        in flight at the end: \(Quantity.count(report.openReads, "read", "reads")), \
        \(Quantity.count(report.openChanges, "change", "changes"))
        """
      )
    }
    if let replay { try output.line(line(of: replay)) }
    try output.line(
      """
      \(Quantity.count(report.verdicts.count, "check", "checks")), \
      \(Quantity.count(report.entries)) of \(Quantity.count(report.last.value)) entries, \
      \(Quantity.count(count, "finding", "findings"), count > 0 ? .red : .green)
      """
    )
  }

  private func line(of replay: CheckpointReplay) -> Line {
    let checkpoints = Quantity.count(replay.checkpoints, "checkpoint", "checkpoints")
    let others = replay.others > 0 ? ", \(Quantity.count(replay.others)) of other builds" : ""
    return """
      replay up to \(replay.position): \(Quantity.count(replay.digests, "digest", "digests")) of \
      \(checkpoints) compared\(others)
      """
  }

  private static let whole = "tidemark explain RULE"

  /// Rules of a store that the journal says nothing of are told in one line.
  private func writeVacuous(_ verdicts: [Verdict], to output: inout Output) throws {
    guard let first = verdicts.first else { return }
    try output.line(
      """
      vacuous: nothing here tests these rules, so nothing is said of them \
      (tidemark explain \(first.rule))
      """
    )
    var table = Table([.left("rule"), .yielding("what holds")], whole: Check.whole)
    // The first rule and the last of each store that there is nothing of.
    var absent: [(store: String, prefix: String, rules: String)] = []
    for (store, prefix) in Check.stores {
      let vacuous = verdicts.filter { $0.code.rawValue.hasPrefix(prefix) }
      let all = CheckCatalogue.all.count { $0.code.rawValue.hasPrefix(prefix) }
      guard let first = vacuous.first, let last = vacuous.last, vacuous.count == all else {
        continue
      }
      absent.append((store, prefix, "\(first.rule)–\(last.rule)"))
    }
    for verdict in verdicts
    where !absent.contains(where: { verdict.code.rawValue.hasPrefix($0.prefix) }) {
      table.add("  \(verdict.rule)", "\(verdict.sentence)")
    }
    for (store, _, rules) in absent { table.add("  \(rules)", "There is nothing of \(store).") }
    try output.table(table)
  }

  private static let stores: KeyValuePairs<String, String> = ["an outbox": "J3", "pins": "J4"]

  private func table(of report: Judge.Report) -> Table {
    let columns: [Table.Column] = [
      .left("rule"), .left("code"), .right("instances"), .right("findings"),
      .yielding("what holds"),
    ]
    var table = Table(columns, whole: Check.whole)
    for verdict in report.verdicts {
      table.add(
        "\(verdict.rule)",
        "\(verdict.code.rawValue)",
        verdict.isVacuous ? "vacuous" : "\(Quantity.count(verdict.instances))",
        "\(Quantity.count(verdict.findingCount), verdict.findingCount > 0 ? .red : .plain)",
        "\(verdict.sentence)"
      )
    }
    return table
  }

  private func write(
    _ report: Judge.Report,
    _ replay: CheckpointReplay?,
    imported: Bool,
    to json: inout JSONWriter
  ) {
    json.object { json in
      json.field("schema", "tidemark.check/1")
      json.field("entries", report.entries)
      json.field("last", report.last)
      json.field("imported", imported)
      json.array("rules") { json in
        for verdict in report.verdicts {
          json.object { json in
            json.field("rule", verdict.rule)
            json.field("code", verdict.code.rawValue)
            json.field("sentence", verdict.sentence)
            json.field("instances", verdict.instances)
            json.field("vacuous", verdict.isVacuous)
            json.field("findings", verdict.findingCount)
          }
        }
      }
      json.field("openReads", report.openReads)
      json.field("openChanges", report.openChanges)
      if let replay {
        json.object("replay") { json in
          json.field("through", replay.position)
          json.field("checkpoints", replay.checkpoints)
          json.field("digests", replay.digests)
          json.field("others", replay.others)
        }
      }
      json.array("findings") { json in
        for finding in report.findings + (replay?.findings ?? []) {
          json.object { FindingText.write(finding, to: &$0) }
        }
      }
    }
  }
}
