import TidemarkJournalStore

/// The pages of `--help` and `--version`, made from what the verbs declare.
enum HelpPage {
  static let toolVersion = "0.1.0"

  /// The page of `tidemark --version`.
  static var versions: [Line] {
    [
      "tidemark \(toolVersion)",
      "format   \(Libraries.formatVersion)",
      "SQLite   \(Libraries.sqlite)",
      "zstd     \(Libraries.zstd)",
      "crypto   \(Libraries.crypto)",
    ]
  }

  /// The page of `tidemark --help`.
  static var first: [Line] {
    [
      "Reads and judges the journal of an offline-first app.",
      "",
      "\("tidemark", .bold) VERB [JOURNAL] [OPTIONS]",
      "",
    ] + verbs + [
      "",
      "JOURNAL is a path; without one, $TIDEMARK_JOURNAL is taken.",
      "tidemark VERB --help shows a verb with its options, exit codes and examples.",
    ]
  }

  private static var verbs: [Line] {
    let width = Tool.verbs.map { $0.name.count }.max() ?? 0
    return Group.allCases.flatMap { group in
      let verbs = Tool.verbs.filter { $0.group == group }
      return verbs.enumerated().map { index, verb -> Line in
        let title = index == 0 ? group.rawValue : ""
        return "\(padded(title, 6), .bold) \(padded(verb.name, width))  \(verb.summary)"
      }
    }
  }

  /// The page of `tidemark VERB --help`.
  static func page(of verb: any Command.Type) -> [Line] {
    var page: [Line] = ["\("tidemark \(verb.name)", .bold): \(verb.summary)", ""]
    for usage in verb.usage {
      page.append("  tidemark \(verb.name)\(usage.isEmpty ? "" : " " + usage) [OPTIONS]")
    }
    for paragraph in verb.details {
      page.append("")
      page += Wrapping.lines(of: paragraph)
    }
    page += section("Options", options(of: verb))
    page += section("Exits", exits(of: verb))
    let examples = verb.examples.flatMap { example -> [Line] in
      ["  \(example.command)", "      \(example.purpose)"]
    }
    return page + section("Examples", examples)
  }

  private static func section(_ title: String, _ lines: [Line]) -> [Line] {
    lines.isEmpty ? [] : ["", Line(title, .bold)] + lines
  }

  private static func options(of verb: any Command.Type) -> [Line] {
    let rows = verb.allOptions.map { option in
      let short = option.short.map { $0 + ", " } ?? "    "
      let value = option.value.map { " " + $0 } ?? ""
      return (left: "  \(short)\(option.name)\(value)", right: option.summary)
    }
    let width = rows.map { $0.left.count }.max() ?? 0
    return rows.flatMap { row in
      Wrapping.lines(
        of: row.right,
        first: padded(row.left, width) + "  ",
        rest: String(repeating: " ", count: width + 2)
      )
    }
  }

  private static func exits(of verb: any Command.Type) -> [Line] {
    let own = verb.exits.map { code -> Line in
      "  \(padded("\(code.rawValue)", 3))  \(code.meaning)"
    }
    let others = ExitCode.ofEveryVerb.map { "\($0.rawValue)" }.joined(separator: ", ")
    return own + ["  and those of every verb: \(others) (tidemark man lists them)"]
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
