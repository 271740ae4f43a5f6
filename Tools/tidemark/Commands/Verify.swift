import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark verify [JOURNAL]` reads every byte and says whether it is the one that was written.
///
/// Adds the exit codes 3 and 4.
struct Verify: Command {
  static let name = "verify"
  static let summary = "prove that the bytes are the ones that were written"
  static let group = Group.judge
  static let details = [
    "Container, checksums, seqs, canonical form, leaves, tree, anchor and, with --bodies, every "
      + "content. It says how much of all that is there it has examined, and goes on behind "
      + "damage. Beside a running app it judges a snapshot: what comes later is not examined, "
      + "not bad."
  ]
  static let operands: [Operand] = [.journal]
  static let options: [Option] = [
    .flag("--bodies", "compare every content with its commitment"),
    .value("--sample", "N/T", "examine part N of T"),
    .maxExamples, .strict, .format(.text, .json, .jsonl), .out,
  ]
  static let exits: [ExitCode] = [.done, .partial, .bytes]
  static let examples = [
    Example("tidemark verify shop.tidemark --bodies", "all of it"),
    Example("tidemark verify shop.tidemark --sample 1/7", "a seventh of it, today's"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let reader = try input.reader()
    let options = Verification.Options(
      bodies: input.has("--bodies"),
      sample: try sample(input),
      examplesMax: try input.number("--max-examples").map { Int(clamping: $0) } ?? 20
    )
    let report = try Verification.verify(reader, options) { done in
      output.progress(done, of: reader.last.value, "entries")
    }
    switch output.format {
    case .text, .table: try writeText(report, options, to: &output)
    case .json: try output.json { write(report, to: &$0) }
    case .jsonl:
      for finding in report.findings {
        try output.json { json in
          json.object { json in
            FindingText.writeLine(finding, to: &json)
          }
        }
      }
    }
    let found = FindingText.exit(report.counts.keys, isStrict: input.has("--strict"))
    // What was not examined, although it was asked for, is not called clean.
    let isPartial = options.sample == nil && !report.isWhole
    return ExitCode.lowestLayer(of: isPartial ? [found, .partial] : [found])
  }

  private func sample(_ input: Input) throws(Failure) -> Verification.Sample? {
    guard let text = input.value("--sample") else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
      Input.number(in: String($0))
    }
    guard parts.count == 2, let part = parts[0], let total = parts[1],
      let sample = Verification.Sample(part, of: total)
    else { throw .usage("--sample takes N/T, such as 1/7; not '\(text)'") }
    return sample
  }

  private func writeText(
    _ report: VerificationReport,
    _ options: Verification.Options,
    to output: inout Output
  ) throws {
    for finding in report.findings {
      for line in FindingText.lines(of: finding) { try output.line(line) }
    }
    let part = options.sample.map { "   part \($0.part) of \($0.of)" } ?? ""
    try output.line(
      """
      entries   \(Quantity.count(report.entries)) of \(Quantity.count(report.last.value))   \
      bytes \(Quantity.count(report.bytes)) of \(Quantity.count(report.inventory.blockBytes))\(part)
      """
    )
    if options.bodies {
      try output.line(
        """
        bodies    \(Quantity.count(report.bodies)) of \
        \(Quantity.count(report.inventory.bodies + report.goneBodies))   \
        bytes \(Quantity.count(report.inventory.bodyBytes)) stored
        """
      )
    } else {
      try output.line("bodies    not examined (--bodies)")
    }
    if report.inventory.setAside > 0 {
      let count = Quantity.count(report.inventory.setAside, "torn block", "torn blocks")
      try output.line("set aside \(count), \(Quantity.bytes(report.inventory.setAsideBytes))")
    }
    let root = report.root.map { "root \($0)" } ?? "no root: damage made a hole in the tree"
    let size = report.size ?? report.last.value
    let anchor = report.standing.rawValue
    try output.line("head      \(Quantity.count(size))   \(root)   anchor \(anchor)")
    let count = report.counts.filter { !$0.key.isNote }.values.reduce(0, +)
    try output.line(
      """
      \(Quantity.count(count, "finding", "findings"), count > 0 ? .red : .green)\
      \(report.isWhole ? "" : " in what was examined")
      """
    )
  }

  private func write(_ report: VerificationReport, to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.verify/1")
      json.field("entries", report.entries)
      json.field("last", report.last)
      json.field("whole", report.isWhole)
      json.field("blocks", report.blocks)
      json.field("blocksThere", report.inventory.blocks)
      json.field("bytes", report.bytes)
      json.field("bytesThere", report.inventory.blockBytes)
      json.field("bodies", report.bodies)
      json.field("bodiesThere", report.inventory.bodies)
      json.field("unnamedBodies", report.unnamedBodies)
      json.field("setAside", report.inventory.setAside)
      json.field("container", report.isContainerExamined)
      json.field("root", report.root?.description)
      json.field("anchor", report.standing.rawValue)
      json.array("counts") { json in
        for (code, count) in report.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          json.object { json in
            json.field("code", code.rawValue)
            json.field("count", count)
          }
        }
      }
      json.array("findings") { json in
        for finding in report.findings { json.object { FindingText.write(finding, to: &$0) } }
      }
    }
  }
}
