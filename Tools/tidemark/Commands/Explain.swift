import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark explain CODE|RULE|WORD… | --all` says what findings, rules and words of reports mean.
///
/// Adds no exit code.
struct Explain: Command {
  static let name = "explain"
  static let summary = "what a finding, a rule or a word of a report means"
  static let group = Group.aids
  static let details = [
    "A finding has a code that never changes its meaning, and a name: J201 is late-landing. "
      + "Either may be given. A rule is one of those that `check` judges by: "
      + CheckCatalogue.rules.map(\.name).joined(separator: ", ") + ".",
    "A word is any that stands in a report: a heading, a label, a reason, a kind of entry. One of "
      + "several parts may be written as it is: `tidemark explain torn tail`.",
  ]
  static let usage = ["CODE|RULE|WORD…", "--all"]
  static let operands: [Operand] = [
    .repeated(
      "CODE|RULE|WORD",
      .suggesting(Topic.all.flatMap(\.names).filter { !$0.contains(" ") })
    )
  ]
  static let options: [Option] = [
    .flag("--all", "explain every code, rule and word"),
    .format(.text, .table, .json, .jsonl),
    .out,
  ]
  static let examples = [
    Example("tidemark explain J201", "what a late landing is, and what to do"),
    Example("tidemark explain F2p", "what a rule says, and what breaks it"),
    Example("tidemark explain witness", "what a word of a report means"),
    Example("tidemark explain --all --format table", "a list of every code, rule and word"),
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
      throw Explain.misuse("explain takes a CODE, a RULE or a WORD, or --all")
    }
    return input.has("--all") ? Topic.all : try Topic.read(input.operands)
  }

  private func writeTables(_ topics: [Topic], to output: inout Output) throws {
    let whole = "tidemark explain CODE"
    var codes = Table(
      [.left("code"), .left("name"), .right("exit"), .yielding("cause")],
      whole: whole
    )
    var rules = Table(
      [.left("rule"), .left("code"), .left("name"), .yielding("what holds")],
      whole: whole
    )
    var words = Table([.left("word"), .yielding("meaning")], whole: whole)
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
    for word in topics.compactMap(\.word) {
      words.add("\(word.names.joined(separator: ", "))", "\(word.meaning)")
    }
    if topics.contains(where: { $0.code != nil }) { try output.table(codes) }
    if topics.contains(where: { $0.rule != nil }) { try output.table(rules) }
    if topics.contains(where: { $0.word != nil }) { try output.table(words) }
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
      json.array("words") { json in
        for topic in topics where topic.word != nil { json.object { topic.write(to: &$0) } }
      }
    }
  }
}
