import TidemarkEntries
import TidemarkExports
import TidemarkJSON

/// `tidemark import jsonl`: entries that `export jsonl` wrote, as an exact copy of their journal.
enum JSONLinesFormat: ImportFormat {
  static let name = "jsonl"

  static func run(
    _ file: String,
    into path: String,
    _ input: Input,
    to output: inout Output
  ) throws -> ExitCode {
    let source = file == "-" ? try InputFile.standardInput() : try InputFile(path: file)
    let target = try ImportTarget(path, isDryRun: input.has("--dry-run"))
    var chance = SystemRandomNumberGenerator()
    let summary = try JSONLinesImport.run(source, into: target.path, chance: &chance) { done, all in
      if Interruption.isRequested { throw Failure.interrupted }
      output.progress(done, of: all, "entries")
    }
    if !target.isDryRun { output.accomplished = "the import is written to \(path)" }
    switch output.format {
    case .json, .jsonl:
      try output.json { json in
        json.object { json in
          json.field("schema", "tidemark.import/1")
          json.field("format", name)
          json.field("dryRun", target.isDryRun)
          json.field("added", summary.added)
          json.field("known", summary.known)
          json.field("bodies", summary.bodies)
          json.field("root", summary.root.description)
        }
      }
    case .text, .table:
      for line in lines(summary, isDryRun: target.isDryRun) { try output.line(line) }
    }
    if !summary.hasBodies { output.note("note: the export holds no contents (export --bodies)") }
    return .done
  }

  private static func lines(_ summary: JSONLinesImport.Summary, isDryRun: Bool) -> [Line] {
    let count = summary.added + summary.known
    let verb = isDryRun ? "would be added" : "added"
    let bodies = summary.bodies > 0 ? ", \(Quantity.count(summary.bodies, "body", "bodies"))" : ""
    return [
      """
      \(Quantity.count(count, "entry", "entries"))\(bodies), root \(summary.root) equal
      """,
      """
      \(verb) \(Quantity.count(summary.added)), there already \(Quantity.count(summary.known))
      """,
    ]
  }
}
