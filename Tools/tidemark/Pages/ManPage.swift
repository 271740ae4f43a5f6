/// The manual pages in roff (the `man` macros), made from what the verbs declare.
enum ManPage {
  /// The page of `tidemark man`.
  static var first: [String] {
    var page = start("tidemark", "reads and judges the journal of an offline-first app")
    page += [".SH SYNOPSIS", ".B tidemark", roff("VERB [JOURNAL] [OPTIONS]")]
    page += [".SH VERBS"]
    for verb in Tool.verbs {
      page += tagged(bold(verb.name), verb.summary)
    }
    page += [".SH OPTIONS", "Every verb takes these besides its own."]
    page += Option.ofEveryVerb.flatMap(describe)
    page += [".SH \"EXIT STATUS\"", "Stable. A code that is not listed means failure."]
    page += ExitCode.allCases.flatMap { tagged(bold("\($0.rawValue)"), $0.meaning) }
    page += [".PP", "If several apply, the first of 4, 5, 6, 13, 3 is taken."]
    page += [".SH ENVIRONMENT"]
    page += tagged(bold("TIDEMARK_JOURNAL"), "the journal, where none is named")
    page += tagged(bold("NO_COLOR"), "if set, no colour unless --color always is given")
    return page + seeAlso(Tool.verbs.map { $0.name })
  }

  /// The page of `tidemark man VERB`.
  static func page(of verb: any Command.Type) -> [String] {
    var page = start("tidemark \(verb.name)", verb.summary)
    page += [".SH SYNOPSIS"]
    for (index, synopsis) in verb.synopses.enumerated() {
      if index > 0 { page += [".br"] }
      page += [".B tidemark \(roff(verb.name))"]
      if !synopsis.isEmpty { page += [roff(synopsis)] }
    }
    if !verb.details.isEmpty {
      page += [".SH DESCRIPTION"]
      page += verb.details.map(paragraph).joined(separator: [".PP"])
    }
    page += [".SH OPTIONS"]
    page += verb.allOptions.flatMap(describe)
    page += [".SH \"EXIT STATUS\""]
    let exits = verb.exits + ExitCode.ofEveryVerb
    page += exits.flatMap { tagged(bold("\($0.rawValue)"), $0.meaning) }
    if !verb.examples.isEmpty {
      page += [".SH EXAMPLES"]
      page += verb.examples.flatMap { tagged("\\f(CW\(roff($0.command))\\fP", $0.purpose) }
    }
    return page + seeAlso([])
  }

  private static func start(_ name: String, _ summary: String) -> [String] {
    let title = String(name.uppercased().map { $0 == " " ? "-" : $0 })
    return [
      ".TH \(roff(title)) 1 \"\" \"tidemark \(HelpPage.toolVersion)\" Tidemark",
      ".SH NAME",
      "\(roff(name)) \\- \(roff(summary))",
    ]
  }

  private static func describe(_ option: Option) -> [String] {
    let names = ([option.short, option.name].compactMap(\.self)).map(bold)
    let value = option.value.map { " \\fI\(roff($0))\\fP" } ?? ""
    return tagged(names.joined(separator: ", ") + value, option.summary)
  }

  private static func tagged(_ tag: String, _ text: String) -> [String] {
    [".TP", tag] + paragraph(text)
  }

  /// Code in back quotes becomes bold.
  private static func paragraph(_ text: String) -> [String] {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    let shown = parts.enumerated().map { index, part in
      index.isMultiple(of: 2) ? roff(String(part)) : bold(String(part))
    }
    return [shown.joined()]
  }

  private static func seeAlso(_ verbs: [String]) -> [String] {
    let pages = verbs.isEmpty ? ["tidemark"] : verbs.map { "tidemark-\($0)" }
    let shown = pages.map { "\(bold($0))(1)" }.joined(separator: ", ")
    return [".SH \"SEE ALSO\"", shown]
  }

  private static func bold(_ text: String) -> String { "\\fB\(roff(text))\\fP" }

  /// Text that means nothing to roff, in ASCII.
  private static func roff(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\(rs"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "\"": escaped += "\\(dq"
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    // A line that begins with a dot is a request.
    return escaped.first == "." ? "\\&" + escaped : escaped
  }
}
