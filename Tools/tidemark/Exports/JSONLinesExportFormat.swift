import TidemarkEntries
import TidemarkExports
import TidemarkJournalStore

/// `tidemark export jsonl`: an object a line, with the bytes of each entry.
enum JSONLinesExportFormat: ExportFormat {
  static let name = "jsonl"

  static func run(
    _ reader: JournalReader,
    _ selection: EntrySelection,
    _ input: Input,
    to output: inout Output
  ) throws -> ExitCode {
    let export = try JSONLinesExport(reader, selection, bodies: input.has("--bodies"))
    let end = min(selection.last ?? reader.last, reader.last)
    let summary = try export.run {
      try output.bytes($0)
    } batch: { seq in
      output.progress(seq.value, of: end.value, "entries")
    }
    if summary.entries == 0 { try NearNames.tell(selection, in: reader, &output) }
    output.tell(summary.findings)
    if export.isWhole, !input.has("--bodies"), try reader.inventory().bodies > 0 {
      output.note(
        """
        note: contents stay behind: a copy lacks them (J106) and cannot be certain \
        (--bodies takes them)
        """
      )
    }
    if output.isFile {
      let bodies = Quantity.count(summary.bodies, "body", "bodies")
      output.note("\(Quantity.count(summary.entries, "entry", "entries")), \(bodies)")
    }
    return .done
  }
}
