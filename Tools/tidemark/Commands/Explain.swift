import TidemarkJSON
import TidemarkJournalStore

/// `tidemark explain CODE… | --all` prints cause and remedy of findings.
///
/// Adds no exit code.
struct Explain: Command {
  static let name = "explain"
  static let summary = "cause and remedy of a finding"
  static let group = Group.aids
  static let details = [
    "A finding has a code that never changes its meaning, and a name: J201 is late-landing. "
      + "Either may be given."
  ]
  static let usage = ["CODE…", "--all"]
  static let operands: [Operand] = [
    .repeated("CODE", .suggesting(FindingCode.allCases.map(\.rawValue)))
  ]
  static let options: [Option] = [
    .flag("--all", "explain every code"),
    .format(.text, .table, .json, .jsonl),
    .out,
  ]
  static let examples = [
    Example("tidemark explain J201", "what a late landing is, and what to do"),
    Example("tidemark explain --all --format table", "a list of every code"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let codes = try codes(input)
    switch output.format {
    case .text:
      for (index, code) in codes.enumerated() {
        if index > 0 { try output.line("") }
        for line in text(of: code) { try output.line(line) }
      }
    case .table: try output.table(table(of: codes))
    case .json:
      try output.json { json in
        json.object { json in
          json.field("schema", "tidemark.explanations/1")
          json.array("codes") { json in
            for code in codes { json.object { write(code, to: &$0) } }
          }
        }
      }
    case .jsonl:
      for code in codes {
        try output.json { json in
          json.object { json in
            json.field("schema", "tidemark.explanation/1")
            write(code, to: &json)
          }
        }
      }
    }
    return .done
  }

  private func codes(_ input: Input) throws(Failure) -> [FindingCode] {
    guard input.has("--all") == input.operands.isEmpty else {
      throw Explain.misuse("explain takes a CODE, or --all")
    }
    if input.has("--all") { return FindingCode.allCases }
    var codes: [FindingCode] = []
    for word in input.operands { codes.append(try code(word)) }
    return codes
  }

  /// The code that a word names, by its number or by its name.
  private func code(_ word: String) throws(Failure) -> FindingCode {
    let wanted = word.lowercased()
    let named = FindingCode.allCases.first { [$0.rawValue.lowercased(), $0.name].contains(wanted) }
    if let named { return named }
    let names = FindingCode.allCases.flatMap { [$0.rawValue, $0.name] }
    let nearest = Nearest.name(to: word, among: names)
    let hint = nearest.map { "; the nearest is \($0)" } ?? ""
    throw Failure.usage("there is no code '\(word)'\(hint)", advice: "See tidemark explain --all.")
  }

  private func text(of code: FindingCode) -> [Line] {
    let status = "exit \(code.exitStatus)"
    let exit = code.isNote ? "a note; \(status) under --strict" : status
    let rest = String(repeating: " ", count: 8)
    return ["\(code.rawValue, .bold) \(code.name) (\(exit))"]
      + Wrapping.lines(of: code.cause, first: "Cause   ", rest: rest)
      + Wrapping.lines(of: code.remedy, first: "Remedy  ", rest: rest)
  }

  private func table(of codes: [FindingCode]) -> Table {
    var table = Table([.left("code"), .left("name"), .right("exit"), .left("cause")])
    for code in codes {
      table.add("\(code.rawValue)", "\(code.name)", "\(code.exitStatus)", "\(code.cause)")
    }
    return table
  }

  private func write(_ code: FindingCode, to json: inout JSONWriter) {
    json.field("code", code.rawValue)
    json.field("name", code.name)
    json.field("exit", code.exitStatus)
    json.field("note", code.isNote)
    json.field("cause", code.cause)
    json.field("remedy", code.remedy)
  }
}
