/// What a page of Markdown consists of, as far as the rules ask for it.
struct Markdown {
  struct Block {
    /// Where the first line inside the fence stands, counted from 1.
    let line: Int
    let language: String
    let lines: [String]
  }

  let file: TextFile

  /// The fenced blocks of code.
  private(set) var blocks: [Block] = []

  /// The lines outside fences, with their numbers.
  private(set) var prose: [(number: Int, text: Substring)] = []

  init(_ file: TextFile) {
    self.file = file
    var open: (line: Int, language: String, lines: [String])?
    for (index, line) in file.lines.enumerated() {
      if let block = open {
        if line.trimmed == "```" {
          blocks.append(Block(line: block.line, language: block.language, lines: block.lines))
          open = nil
        } else {
          open?.lines.append(String(line))
        }
      } else if line.trimmed.hasPrefix("```") {
        open = (index + 2, String(line.trimmed.dropFirst(3)), [])
      } else {
        prose.append((index + 1, line))
      }
    }
  }

  var headings: [(number: Int, text: Substring)] {
    prose.compactMap { number, line in
      line.wholeMatch(of: #/#{1,6} +(.*?) */#).map { (number, $0.1) }
    }
  }

  /// The anchors that a link may name, as GitHub makes them of the headings.
  var anchors: Set<String> {
    var seen: [String: Int] = [:]
    return Set(
      headings.map { heading in
        let anchor = Markdown.anchor(of: heading.text)
        let count = seen[anchor, default: 0]
        seen[anchor] = count + 1
        return count == 0 ? anchor : "\(anchor)-\(count)"
      }
    )
  }

  static func anchor(of heading: Substring) -> String {
    let kept = heading.lowercased().filter {
      $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
    }
    return kept.replacing(" ", with: "-")
  }

  /// The targets of the links, those in code spans left out.
  var links: [(number: Int, target: String)] {
    let pattern = #/\]\(<?([^)\s>]+)[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)/#
    return prose.flatMap { number, line in
      line.replacing(#/`[^`]*`/#, with: "").matches(of: pattern).compactMap { match in
        (match.1 ?? match.2).map { (number, String($0)) }
      }
    }
  }

  /// What stands between backticks outside fences.
  var spans: [(number: Int, text: String)] {
    prose.flatMap { number, line in
      line.matches(of: #/`([^`]+)`/#).map { (number, String($0.1)) }
    }
  }

  /// The rows of the first table below a heading, without its head.
  func table(below heading: String) -> [(number: Int, cells: [String])] {
    let section = prose.drop { $0.text.trimmed != heading }.dropFirst()
      .prefix { !$0.text.hasPrefix("#") }
    return section.drop { !$0.text.hasPrefix("|") }.prefix { $0.text.hasPrefix("|") }
      .dropFirst(2)
      .map { number, line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        return (number, cells.dropFirst().dropLast().map { String($0.trimmed) })
      }
  }
}
