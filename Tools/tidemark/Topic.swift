import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// What can be explained.
enum Topic: Sendable {
  case finding(FindingCode)
  case judged(Rule)
  case word(GlossaryWord)

  static let all =
    FindingCode.allCases.map { Topic.finding($0) } + CheckCatalogue.rules.map { .judged($0) }
    + Glossary.words.map { .word($0) }

  /// What `words` name, one or several of which make a name.
  static func read(_ words: [String]) throws(Failure) -> [Topic] {
    var topics: [Topic] = []
    var rest = words[...]
    while let first = rest.first {
      let lengths = (1...min(rest.count, partsMax)).reversed()
      let length = lengths.first { named(rest.prefix($0).joined(separator: " ")) != nil } ?? 1
      let name = rest.prefix(length).joined(separator: " ")
      guard let topic = named(name) else { throw unknown(first) }
      topics.append(topic)
      rest = rest.dropFirst(length)
    }
    return topics
  }

  /// So many words of the command line may make one name.
  private static let partsMax = 3

  private static func named(_ name: String) -> Topic? {
    let wanted = comparable(name)
    return all.first { $0.names.contains { comparable($0) == wanted } }
  }

  private static func comparable(_ name: String) -> String {
    name.lowercased().replacing("-", with: " ")
  }

  private static func unknown(_ word: String) -> Failure {
    let nearest = Nearest.name(to: word, among: Topic.all.flatMap(\.names))
    let hint = nearest.map { "; the nearest is \($0)" } ?? ""
    return .usage(
      "there is no code, rule or word '\(word)'\(hint)",
      advice: Seq(pasted: word) == nil && Ticket(word) == nil
        ? "See tidemark explain --all." : "An entry is shown: tidemark show JOURNAL \(word)"
    )
  }

  var code: FindingCode? { if case .finding(let code) = self { code } else { nil } }

  var rule: Rule? { if case .judged(let rule) = self { rule } else { nil } }

  var word: GlossaryWord? { if case .word(let word) = self { word } else { nil } }

  var names: [String] {
    switch self {
    case .finding(let code): [code.rawValue, code.name]
    case .judged(let rule): [rule.name]
    case .word(let word): word.names
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
    case .word(let word):
      return ["\(word.names.joined(separator: ", "), .bold) (\(word.sort))"]
        + told("Means   ", word.meaning)
    }
  }
}

// For scripts.

extension Topic {
  func writeLine(to json: inout JSONWriter) {
    switch self {
    case .finding: json.field("schema", "tidemark.explanation/1")
    case .judged: json.field("schema", "tidemark.rule/1")
    case .word: json.field("schema", "tidemark.word/1")
    }
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
        for part in rule.parts { json.object { Topic.write(part, to: &$0) } }
      }
    case .word(let word):
      json.array("names") { json in for name in word.names { json.element(name) } }
      json.field("meaning", word.meaning)
    }
  }

  private static func write(_ part: Rule.Part, to json: inout JSONWriter) {
    json.field("sentence", part.sentence)
    json.field("code", part.code.rawValue)
    json.field("name", part.code.name)
  }
}
