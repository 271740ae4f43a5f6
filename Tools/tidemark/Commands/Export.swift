import TidemarkJournalStore

/// `tidemark export FORMAT [JOURNAL]` writes entries in a form that other tools read.
///
/// Adds the exit codes 3 and 4.
struct Export: Command {
  static let name = "export"
  static let summary = "entries in a form that other tools read"
  static let group = Group.carry
  static let details =
    [
      "`jsonl` writes an object a line: each entry readable and with its bytes, a header before "
        + "and a trailer with count, root and digest behind. `import jsonl` makes an equal journal "
        + "of a whole export; a part of one is for reading. Contents go along with `--bodies` "
        + "only; keys, paths and labels always do. Without them a race report of what is imported "
        + "again can say *possibly stale* only, because it has nothing to compare."
    ] + Selection.details
  static let operands: [Operand] = [
    .required("FORMAT", .oneOf(formats.map { $0.name })),
    .journal, .filters(Selection.fields),
  ]
  static let options: [Option] =
    Selection.options + [.flag("--bodies", "contents as well"), .limit, .out]
  static let exits: [ExitCode] = [.done, .partial, .bytes]
  static let examples = [
    Example("tidemark export jsonl phone.tidemark --bodies -o phone.jsonl", "everything"),
    Example("tidemark export jsonl phone.tidemark --from 4000 | jq .kind", "a part, to look at"),
  ]

  /// The formats that can be written, a line each.
  static let formats: [any ExportFormat.Type] = [
    JSONLinesExportFormat.self
  ]

  static func explain(_ failure: Failure, _ input: Input) -> Failure {
    guard let word = input.operands.first, FileNature(at: word) == .journal else { return failure }
    var failure = failure
    failure.advice = "Try: tidemark export \(JSONLinesExportFormat.name) \(Words.quoted(word))"
    return failure
  }

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    guard let format = Export.formats.first(where: { $0.name == input.operands[0] }) else {
      preconditionFailure("the parser knows the formats")
    }
    var selection = try Selection.read(input, filters: Array(input.operands.dropFirst()))
    selection.limit = try input.number("--limit") ?? .max
    let reader = try input.openJournal(telling: &output)
    return try format.run(reader, selection, input, to: &output)
  }
}

/// A format that entries can be written in.
protocol ExportFormat: SendableMetatype {
  static var name: String { get }

  /// Exports what is selected, as the options of ``Export`` say.
  static func run(
    _ reader: JournalReader,
    _ selection: EntrySelection,
    _ input: Input,
    to output: inout Output
  ) throws -> ExitCode
}
