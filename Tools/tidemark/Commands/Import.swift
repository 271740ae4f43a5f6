/// `tidemark import FORMAT FILE --into JOURNAL --yes` makes entries of a file of another format.
///
/// Adds the exit codes 3, 4 and 13.
struct Import: Command {
  static let name = "import"
  static let summary = "make a journal of an HTTP capture, or of exported entries"
  static let group = Group.carry
  static let details = [
    "`har` reads a capture of HTTP traffic as browsers and proxies save it. Servers become scopes, "
      + "reads begin and land at their times, changes are sent and answered; a late reply becomes "
      + "a refusal. Importing the same file again adds nothing. Where contents are missing, a race "
      + "report can say *possibly stale* only.",
    "What a change touches: its own path, the collections above it and what lies under it; with "
      + "`--fence scope` everything on its server. A rule of `--touches` takes the place of that "
      + "for the changes it speaks of: `\"PATCH /notes/*: /notes /notes/*/history /tags/**\"`.",
    "Before the colon stand a method, or `*` for any, and a path in which `*` is one segment and "
      + "`**` at the end is all that follows. Behind it stand the paths that the change touches "
      + "besides its own, queries aside: `*` is there what it was before the colon, `/tags/**` is "
      + "all under `/tags`, and `**` alone everything on the server. The first rule that fits a "
      + "change decides; a rule that finds nothing in the capture is noted.",
    "`jsonl` reads a whole export and makes an exact copy of its journal: the same entries, the "
      + "same identity, an equal root. All of it is taken, or nothing. Append to one of the copies "
      + "only.",
  ]
  static let usage = ["FORMAT FILE --into JOURNAL (--yes | --dry-run)"]
  static let operands: [Operand] = [
    .required("FORMAT", .oneOf(formats.map { $0.name })), .required("FILE", .files),
  ]
  static let options: [Option] = [
    .value("--into", "JOURNAL", "the journal, made if it is not there", .files),
    .flag("--yes", "write to the journal"),
    .flag("--dry-run", "say what would be written, and write nothing"),
    .value(
      "--fence",
      "WHAT",
      "what a change of a capture touches: paths (if not given), scope",
      .oneOf(["paths", "scope"])
    ),
    .list("--touches", "RULE", "a rule of the app's own: METHOD PATTERN: PATH…"),
    .format(.text, .json),
  ]
  static let exits: [ExitCode] = [.done, .partial, .bytes, .keyConflict]
  static let examples = [
    Example(
      "tidemark import har capture.har --into shop.tidemark --yes",
      "a capture of a browser's network panel"
    ),
    Example(
      "tidemark import jsonl phone.jsonl --into copy.tidemark --yes",
      "what tidemark export jsonl wrote"
    ),
    Example("tidemark races shop.tidemark", "then: which late replies were dangerous"),
  ]

  /// The formats that can be read, a line each.
  static let formats: [any ImportFormat.Type] = [
    HARFormat.self,
    JSONLinesFormat.self,
  ]

  static func explain(_ failure: Failure, _ input: Input) -> Failure {
    let words = input.operands
    let into = input.value("--into")
    func isFormat(_ word: String) -> Bool { formats.contains { $0.name == word } }
    func saying(_ message: String, _ format: String, _ file: String, _ into: String?) -> Failure {
      .usage(message, advice: advice(format, file, into, isDryRun: input.has("--dry-run")))
    }
    switch words.count {
    case 1 where !isFormat(words[0]):
      return saying("import needs a FORMAT before the file", HARFormat.name, words[0], into)
    case 2 where !isFormat(words[0]) && isFormat(words[1]):
      return saying("import takes the FORMAT first", words[1], words[0], into)
    case 3 where isFormat(words[0]) && into == nil:
      return saying(failure.message, words[0], words[1], words[2])
    default: return failure
    }
  }

  /// The command line that was meant, unless it would fail: then what to name instead.
  private static func advice(
    _ format: String,
    _ file: String,
    _ into: String?,
    isDryRun: Bool
  ) -> String {
    let nature = FileNature(at: file)
    guard file == "-" || nature?.format != nil else {
      let seen = nature.map { "'\(file)' is \($0.words)" } ?? "there is no file '\(file)'"
      return "FILE is an HTTP capture (HAR) or an export; \(seen)."
    }
    let format = nature?.format ?? format
    return "Try: \(Suggestion.importing(format, file, into: into, isDryRun: isDryRun))"
  }

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    guard let path = input.value("--into") else {
      throw Failure.usage(
        "import needs --into JOURNAL",
        advice: Import.advice(
          input.operands[0],
          input.operands[1],
          nil,
          isDryRun: input.has("--dry-run")
        )
      )
    }
    if input.has("--yes"), input.has("--dry-run") {
      throw Import.misuse("--yes writes and --dry-run does not: give one of them")
    }
    guard input.has("--yes") || input.has("--dry-run") else {
      throw Import.misuse("import writes to \(path): give --yes, or --dry-run to look first")
    }
    guard let format = Import.formats.first(where: { $0.name == input.operands[0] }) else {
      preconditionFailure("the parser knows the formats")
    }
    return try format.run(input.operands[1], into: path, input, to: &output)
  }
}

/// A format that entries can be made of.
protocol ImportFormat: SendableMetatype {
  static var name: String { get }

  /// What a file of it is called: `export`.
  static var noun: String { get }

  /// How to come by such a file.
  static var advice: String { get }

  /// Imports a file, or standard input for `-`, as the options of ``Import`` say.
  static func run(
    _ file: String,
    into path: String,
    _ input: Input,
    to output: inout Output
  ) throws -> ExitCode
}
