import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore

/// `tidemark import jsonl`: entries that `export jsonl` wrote, as an exact copy of their journal.
enum JSONLinesFormat: ImportFormat {
  static let name = "jsonl"
  static let noun = "export"
  static let advice = "An export is what tidemark export jsonl writes."

  static func run(
    _ file: String,
    into path: String,
    _ input: Input,
    to output: inout Output
  ) throws -> ExitCode {
    let target = try ImportTarget(path, isDryRun: input.has("--dry-run"))
    let source = try ImportSource(file)
    var chance = SystemRandomNumberGenerator()
    let summary: JSONLinesImport.Summary
    do {
      summary = try JSONLinesImport.run(source.file, into: target.path, chance: &chance) {
        if Interruption.isRequested { throw Failure.interrupted }
        output.progress($0, of: $1, "entries")
      }
    } catch let other as JSONLinesImport.OtherJournal {
      throw Failure.input(
        "--into \(target.name): it holds another journal (\(other.id))",
        advice: "Name a file that is not there yet."
      )
    } catch let error as JSONLinesError where error.line == 1 && isOther(source, error) {
      throw source.refusal(by: JSONLinesFormat.self, "\(error)", target)
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
    if !summary.hasBodies {
      output.note(
        """
        note: the export holds no contents: the copy lacks them (J106) and cannot be certain \
        (export --bodies)
        """
      )
    }
    if summary.bodiesLeft > 0 {
      output.note(
        """
        note: \(Quantity.count(summary.bodiesLeft, "content was", "contents were")) not taken: \
        entries that are there keep what they have; import into a new journal
        """
      )
    }
    if target.isDryRun { output.note(ImportTarget.dryRunNote) }
    return .done
  }

  /// Whether the file is no export at all: one that is cut begins like one.
  private static func isOther(_ source: ImportSource, _ error: JSONLinesError) -> Bool {
    error.code == .inputMalformed
      || error.code == .bundleIncomplete && source.nature != .export
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
