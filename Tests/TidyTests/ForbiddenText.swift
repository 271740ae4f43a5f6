import Foundation

/// A text that stands nowhere, with the reason and a line that breaks the rule.
struct ForbiddenText: Sendable, CustomStringConvertible {
  /// Where in a file it is looked for.
  enum View: Sendable {
    /// In code alone; a comment may speak of it.
    case code

    /// In every line.
    case everything
  }

  /// What is said of a line that holds it.
  let sentence: String

  let pattern: String
  var view = View.code

  /// The beginnings of the paths that the rule is for.
  var places = ["Sources/", "Journal/", "Tools/tidemark/"]

  /// The beginnings of the paths among them that may hold it.
  var exceptions: [String] = []

  /// A line that the rule must see.
  let broken: String

  /// A line like it that the rule must leave alone.
  let fine: String

  var description: String { sentence }

  func complaints(in file: TextFile) throws -> [Complaint] {
    guard places.contains(where: file.path.hasPrefix) || places.isEmpty,
      !exceptions.contains(where: file.path.hasPrefix)
    else { return [] }
    // One pass of ICU over the file is some hundred times faster than `Regex` line by line.
    let text = (view == .code ? file.code : file.lines).joined(separator: "\n")
    let matches = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
      .matches(in: text, range: NSRange(text.startIndex..., in: text))
    return Set(matches.map { line(of: $0, in: text) }).sorted().map {
      Complaint(file.path, $0, sentence)
    }
  }

  private func line(of match: NSTextCheckingResult, in text: String) -> Int {
    let start = Range(match.range, in: text)?.lowerBound ?? text.startIndex
    return text[..<start].utf8.count { $0 == UInt8(ascii: "\n") } + 1
  }
}

extension ForbiddenText {
  static let all = [
    ForbiddenText(
      sentence: "a failure is handled or thrown, never forced: no `try!`, no `as!`",
      pattern: #"\b(try|as)!"#,
      broken: "let size = try! read()",
      fine: "// try! would trap here"
    ),
    ForbiddenText(
      sentence: "the compiler sees that a value may cross threads: no `@unchecked`, no `unsafe`",
      pattern: #"@unchecked\b|nonisolated\(unsafe\)"#,
      broken: "struct Box: @unchecked Sendable {}",
      fine: "struct Box: Sendable {}"
    ),
    ForbiddenText(
      sentence: "a mistake of the programmer is a precondition, trouble of the world is thrown",
      pattern: #"\bfatalError\("#,
      broken: #"default: fatalError("never")"#,
      fine: #"preconditionFailure("fatalError(")"#
    ),
    ForbiddenText(
      sentence: "a library prints nothing: it returns, throws, or records",
      pattern: #"(?:^|[^.\w\n])(?:print|debugPrint|dump|NSLog)\("#,
      places: ["Sources/", "Journal/"],
      broken: "  print(entry)",
      fine: "  func blueprint() { page.print(entry) }"
    ),
    ForbiddenText(
      sentence: "time comes in by parameter",
      pattern: #"\bDate\(\)|\bDate\.now|Clock\(\)|\b(?:clock_)?gettime(?:ofday)?\(|\btime\(nil\)"#,
      places: ["Sources/", "Journal/"],
      exceptions: ["Sources/Stores/Platform.swift", "Sources/Stores/DeviceClock.swift"],
      broken: "let now = Foundation.Date()",
      fine: "let now = DeviceTime(milliseconds: 0)"
    ),
    ForbiddenText(
      sentence: "identity and chance come in by parameter",
      pattern: #"\bUUID\(\)|\.random\((?!.*using:)|\bSystemRandomNumberGenerator\b|\.shuffled\(\)"#
        + #"|\.randomElement\(\)|\barc4random|\bgetrandom\(|\bgetentropy\(|\bRAND_bytes\("#,
      places: ["Sources/", "Journal/"],
      exceptions: [
        "Sources/Stores/Stores.swift", "Sources/Stores/ShareWriter.swift",
        "Sources/Stores/JournalWriter.swift",
      ],
      broken: "let salt = UInt64.random(in: 0...9)",
      fine: "let salt = UInt64.random(in: 0...9, using: &chance)"
    ),
    ForbiddenText(
      sentence: "one file passes modules on to an app: no other `@_exported`",
      pattern: "@_exported",
      places: ["Sources/", "Journal/", "Tests/"],
      exceptions: ["Sources/Tidemark/Reexports.swift"],
      broken: "@_exported public import TidemarkEntries",
      fine: "public import TidemarkEntries"
    ),
    ForbiddenText(
      sentence: "what is left to do is done, or told as a known gap with its date",
      pattern: #"\b(?:TODO|FIXME|XXX|HACK)\b"#,
      view: .everything,
      places: [],
      exceptions: ["Tests/TidyTests/ForbiddenText.swift"],
      broken: "// TODO: mend this",
      fine: "let todos = 3"
    ),
    ForbiddenText(
      sentence: "the repository knows no machine: paths are relative",
      pattern: #"(?:^|[ "'`(=:])/(?:home|root|work|Users|tmp/[\w.]+)/\w"#,
      view: .everything,
      places: [],
      exceptions: ["Tests/TidyTests/ForbiddenText.swift"],
      broken: "let folder = \"/ro" + "ot/journals\"",
      fine: "GET https://example.org/home/notes"
    ),
  ]
}
