import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark explain CODE|RULE… | --all` prints cause and remedy of findings, and what rules say.
///
/// Adds no exit code.
struct Explain: Command {
  static let name = "explain"
  static let summary = "cause and remedy of a finding, and what a rule says"
  static let group = Group.aids
  static let details = [
    "A finding has a code that never changes its meaning, and a name: J201 is late-landing. "
      + "Either may be given. A rule is one of those that `check` judges by: "
      + CheckCatalogue.rules.map(\.name).joined(separator: ", ") + "."
  ]
  static let usage = ["CODE|RULE…", "--all"]
  static let operands: [Operand] = [
    .repeated(
      "CODE|RULE",
      .suggesting(FindingCode.allCases.map(\.rawValue) + CheckCatalogue.rules.map(\.name))
    )
  ]
  static let options: [Option] = [
    .flag("--all", "explain every code and every rule"),
    .format(.text, .table, .json, .jsonl),
    .out,
  ]
  static let examples = [
    Example("tidemark explain J201", "what a late landing is, and what to do"),
    Example("tidemark explain F2p", "what a rule says, and what breaks it"),
    Example("tidemark explain --all --format table", "a list of every code and every rule"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let topics = try topics(input)
    switch output.format {
    case .text:
      for (index, topic) in topics.enumerated() {
        if index > 0 { try output.line("") }
        for line in topic.lines { try output.line(line) }
      }
    case .table: try writeTables(topics, to: &output)
    case .json: try output.json { writeDocument(topics, to: &$0) }
    case .jsonl:
      for topic in topics { try output.json { json in json.object { topic.writeLine(to: &$0) } } }
    }
    return .done
  }

  private func topics(_ input: Input) throws(Failure) -> [Topic] {
    guard input.has("--all") == input.operands.isEmpty else {
      throw Explain.misuse("explain takes a CODE or a RULE, or --all")
    }
    if input.has("--all") { return Topic.all }
    var topics: [Topic] = []
    for word in input.operands { topics.append(try Topic(word)) }
    return topics
  }

  private func writeTables(_ topics: [Topic], to output: inout Output) throws {
    var codes = Table([.left("code"), .left("name"), .right("exit"), .left("cause")])
    var rules = Table([.left("rule"), .left("code"), .left("name"), .left("what holds")])
    for code in topics.compactMap(\.code) {
      codes.add("\(code.rawValue)", "\(code.name)", "\(code.exitStatus)", "\(code.cause)")
    }
    for rule in topics.compactMap(\.rule) {
      for part in rule.parts {
        rules.add(
          "\(rule.name)",
          "\(part.code.rawValue)",
          "\(part.code.name)",
          "\(part.sentence)"
        )
      }
    }
    if topics.contains(where: { $0.code != nil }) { try output.table(codes) }
    if topics.contains(where: { $0.rule != nil }) { try output.table(rules) }
  }

  private func writeDocument(_ topics: [Topic], to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.explanations/1")
      json.array("codes") { json in
        for topic in topics where topic.code != nil { json.object { topic.write(to: &$0) } }
      }
      json.array("rules") { json in
        for topic in topics where topic.rule != nil { json.object { topic.write(to: &$0) } }
      }
    }
  }
}

/// What can be explained.
private enum Topic {
  case finding(FindingCode)
  case judged(Rule)

  static let all =
    FindingCode.allCases.map { Topic.finding($0) } + CheckCatalogue.rules.map { .judged($0) }

  /// What a word names: a code by its number or its name, or a rule.
  init(_ word: String) throws(Failure) {
    let wanted = word.lowercased()
    guard let named = Topic.all.first(where: { $0.names.contains { $0.lowercased() == wanted } })
    else {
      let nearest = Nearest.name(to: word, among: Topic.all.flatMap(\.names))
      let hint = nearest.map { "; the nearest is \($0)" } ?? ""
      throw .usage(
        "there is no code or rule '\(word)'\(hint)",
        advice: "See tidemark explain --all."
      )
    }
    self = named
  }

  var code: FindingCode? { if case .finding(let code) = self { code } else { nil } }

  var rule: Rule? { if case .judged(let rule) = self { rule } else { nil } }

  private var names: [String] {
    switch self {
    case .finding(let code): [code.rawValue, code.name]
    case .judged(let rule): [rule.name]
    }
  }

  var lines: [Line] {
    let rest = String(repeating: " ", count: 8)
    func told(_ title: String, _ text: String) -> [Line] {
      Wrapping.lines(of: text, first: title, rest: rest)
    }
    switch self {
    case .finding(let code):
      let status = "exit \(code.exitStatus)"
      let exit = code.isNote ? "a note; \(status) under --strict" : status
      return ["\(code.rawValue, .bold) \(code.name) (\(exit))"] + told("Cause   ", code.cause)
        + told("Remedy  ", code.remedy)
    case .judged(let rule):
      return ["\(rule.name, .bold) (a rule of check)"]
        + rule.parts.flatMap { part in
          told("Holds   ", "\(part.sentence) Else it is \(part.code.rawValue) \(part.code.name).")
        }
    }
  }
}

// For scripts.

extension Topic {
  func writeLine(to json: inout JSONWriter) {
    json.field("schema", code == nil ? "tidemark.rule/1" : "tidemark.explanation/1")
    write(to: &json)
  }

  func write(to json: inout JSONWriter) {
    switch self {
    case .finding(let code):
      json.field("code", code.rawValue)
      json.field("name", code.name)
      json.field("exit", code.exitStatus)
      json.field("note", code.isNote)
      json.field("cause", code.cause)
      json.field("remedy", code.remedy)
    case .judged(let rule):
      json.field("rule", rule.name)
      json.array("parts") { json in
        for part in rule.parts {
          json.object { json in
            json.field("sentence", part.sentence)
            json.field("code", part.code.rawValue)
            json.field("name", part.code.name)
          }
        }
      }
    }
  }
}
