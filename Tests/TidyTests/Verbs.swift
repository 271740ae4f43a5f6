/// The verbs of the tool: each begins with its usage, is told in a story, and is named on a page.
enum Verbs {
  static let folder = "Tools/tidemark/Commands/"

  /// The name that a file gives to its verb.
  static func name(in file: TextFile) -> String? {
    file.lines.lazy.compactMap { line in
      line.firstMatch(of: #/static let name(?:: \w+)? = "([^"]+)"/#).map { String($0.1) }
    }.first
  }

  static func complaints(about file: TextFile, stories: [TextFile], pages: [TextFile])
    -> [Complaint]
  {
    guard let name = name(in: file) else {
      return [Complaint(file.path, 0, "a verb says its name: `static let name = \"…\"`")]
    }
    let command = try? Regex("tidemark \(name)(?![\\w-])")
    func isNamed(in line: Substring) -> Bool { command.map { line.contains($0) } ?? false }
    let usage = file.lines.first { $0.hasPrefix("/// `tidemark ") }
    let story = stories.contains { $0.lines.contains { $0.hasPrefix("$ ") && isNamed(in: $0) } }
    let page = pages.contains { $0.lines.contains(where: isNamed) }
    let rules = [
      (usage.map(isNamed) ?? false, "its comment begins with the usage, `tidemark \(name) …`"),
      (story, "no story runs `tidemark \(name)`"),
      (page, "no page names `tidemark \(name)`"),
    ]
    return rules.filter { !$0.0 }.map { Complaint(file.path, 0, $0.1) }
  }
}
