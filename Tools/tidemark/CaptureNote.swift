import TidemarkEntries
import TidemarkExports
import TidemarkJournalStore

/// What is said once where a refusal could be taken for something that the app did.
///
/// In a journal that was made of a capture it was the import that decided.
enum CaptureNote {
  /// What a verb shows, or does.
  enum Subject: String {
    case refusals =
      "this was made of a capture. A refusal is what Tidemark's fence would have done;"
    case state = "this was made of a capture. The state is what Tidemark's fence would have kept;"
    case rules = "of a capture these rules judge the import, not the app;"
  }

  /// Whether the import of a capture decided `entry`, and that a fence held something back.
  static func isFenced(_ entry: Entry) -> Bool {
    switch entry.kind {
    case MutationSuppressed.number: HARImport.wrote(entry)
    case ReadRefused.number:
      HARImport.wrote(entry) && entry.decoded(ReadRefused.self)?.witness != nil
    default: false
    }
  }

  // `refusal` is the one to look at closer, with the path that it is about.
  static func tell(
    _ subject: Subject,
    _ input: Input,
    _ output: inout Output,
    refusal: (seq: Seq, path: Path)? = nil
  ) throws {
    // What it is about stands above it, also on a screen.
    try output.flush()
    let journal = Words.quoted(try input.journalPath)
    output.note("note: \(subject.rawValue)")
    output.note("      what the app itself showed: tidemark races \(journal)")
    guard let (seq, path) = refusal else { return }
    for line in Suggestion.comparing(seq, path, in: try input.journalPath) {
      output.note("      \(line)")
    }
  }
}

extension EntryContext {
  /// Whether the import of a capture opened the store of `opening`.
  func isImported(_ opening: Seq) -> Bool { entry(at: opening).map(HARImport.wrote) ?? false }

  /// Whether the import of a capture opened any of the present stores.
  func hasImported() throws(JournalError) -> Bool {
    try reader.stores().contains { isImported($0.opening) }
  }
}
