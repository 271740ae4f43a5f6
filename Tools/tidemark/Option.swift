/// What a word on the command line may be.
enum Words: Sendable {
  case anything
  case files

  /// One of these; the parser refuses another.
  case oneOf([String])

  /// These among others; they are offered by completion.
  case suggesting([String])

  var list: [String] {
    switch self {
    case .anything, .files: []
    case .oneOf(let list), .suggesting(let list): list
    }
  }
}

/// One option of a verb: a rule of the parser, a line of its help, man page and completions.
struct Option: Sendable {
  /// Its long name, with the dashes.
  var name: String

  /// Its one-letter name, with the dash; only `-n`, `-o`, `-f` and `-h` are used.
  var short: String?

  /// What its value is called; a flag has none.
  var value: String?

  var words: Words
  var summary: String
  var mayRepeat: Bool

  var synopsis: String { "[\(short ?? name)\(value.map { " " + $0 } ?? "")]" }

  static func flag(_ name: String, short: String? = nil, _ summary: String) -> Option {
    Option(
      name: name,
      short: short,
      value: nil,
      words: .anything,
      summary: summary,
      mayRepeat: true
    )
  }

  static func value(
    _ name: String,
    short: String? = nil,
    _ value: String,
    _ summary: String,
    _ words: Words = .anything
  ) -> Option {
    Option(
      name: name,
      short: short,
      value: value,
      words: words,
      summary: summary,
      mayRepeat: false
    )
  }

  /// An option that may be given several times.
  static func list(
    _ name: String,
    _ value: String,
    _ summary: String,
    _ words: Words = .anything
  ) -> Option {
    Option(
      name: name,
      short: nil,
      value: value,
      words: words,
      summary: summary,
      mayRepeat: true
    )
  }
}

// Options that mean the same wherever they stand.

extension Option {
  /// The formats that a verb writes; the first is taken if none is named.
  static func format(_ formats: Format...) -> Option {
    let names = formats.map(\.rawValue)
    let others = names.dropFirst().joined(separator: ", ")
    let summary = "\(names[0]) (default), \(others)"
    return .value("--format", "NAME", summary, .oneOf(names))
  }

  /// The range that a verb looks at; both ends are inclusive.
  static let range: [Option] = [
    .value("--from", "SEQ", "from this entry on"),
    .value("--to", "SEQ", "up to this entry"),
    .value("--since", "TIME", "from this device time on: RFC 3339, a date, -2h, today"),
    .value("--until", "TIME", "up to this device time"),
  ]

  static let limit = value("--limit", short: "-n", "N", "at most so many")

  static let follow = flag("--follow", short: "-f", "then wait for more")

  static let out = value(
    "--out",
    short: "-o",
    "PATH",
    "write the data to this file, which may be new, empty or an export",
    .files
  )

  /// What every verb takes.
  static let ofEveryVerb: [Option] = [
    .flag("--quiet", "say errors only"),
    .value("--color", "WHEN", "auto, always or never", .oneOf(["auto", "always", "never"])),
    .flag("--no-progress", "show no progress on a terminal"),
    .flag("--help", short: "-h", "show the page of the verb"),
    .flag("--version", "show the versions of tool, format and libraries"),
  ]
}

/// What stands on the command line besides the verb and the options.
struct Operand: Sendable {
  enum Role: Sendable {
    case journal, filter, other
  }

  var name: String
  var role = Role.other
  var words: Words = .anything
  var isRequired = false
  var mayRepeat = false

  /// The journal: the first word, or `$TIDEMARK_JOURNAL`.
  static let journal = Operand(name: "JOURNAL", role: .journal, words: .files)

  static func required(_ name: String, _ words: Words = .anything) -> Operand {
    Operand(name: name, words: words, isRequired: true)
  }

  static func optional(_ name: String, _ words: Words = .anything) -> Operand {
    Operand(name: name, words: words)
  }

  static func repeated(_ name: String, _ words: Words = .anything) -> Operand {
    Operand(name: name, words: words, mayRepeat: true)
  }

  /// Conditions, which the verb reads: `kind=read-refused`.
  static func filters(_ fields: [String]) -> Operand {
    Operand(
      name: "FIELD=VALUE",
      role: .filter,
      words: .suggesting(fields.map { $0 + "=" }),
      mayRepeat: true
    )
  }

  var synopsis: String {
    let shown = mayRepeat ? name + "…" : name
    return isRequired ? shown : "[\(shown)]"
  }
}
