/// Reads the words behind a verb, by the table of its options.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`; `--` ends the options.
struct Arguments {
  /// What was asked for.
  enum Request {
    case run(Input)
    case help
    case version
  }

  private let command: any Command.Type
  private let options: [Option]
  private var rest: ArraySlice<String>
  private var operands: [String] = []
  private var given: [(name: String, value: String)] = []

  static func parse(
    _ words: [String],
    for command: any Command.Type,
    in environment: Environment
  ) throws(Failure) -> Request {
    var arguments = Arguments(command, words)
    if let request = try arguments.read() { return request }
    return .run(
      try Input(
        for: command,
        operands: arguments.operands,
        given: arguments.given,
        environment: environment
      )
    )
  }

  /// The words behind the name of the program.
  ///
  /// - Throws: ``Failure`` if one is not UTF-8: repaired, it would name another file.
  static func ofProcess() throws(Failure) -> [String] {
    var words: [String] = []
    for argument in (1..<Int(max(1, CommandLine.argc))).compactMap({ CommandLine.unsafeArgv[$0] }) {
      guard let word = String(validatingCString: argument) else {
        throw .usage("'\(String(cString: argument))' is not UTF-8")
      }
      words.append(word)
    }
    return words
  }

  /// Whether errors are to be JSON, although the words may not parse.
  static func wantJSON(_ words: [String]) -> Bool {
    let options = words.prefix { $0 != "--" }
    let formats = Format.allCases.filter(\.isJSON).map(\.rawValue)
    return formats.contains { format in
      options.contains("--format=\(format)")
        || zip(options, options.dropFirst()).contains { $0 == ("--format", format) }
    }
  }

  /// What `--color` says, although the words may not parse, or a page be asked for.
  static func color(_ words: [String]) -> String? {
    let options = words.prefix { $0 != "--" }
    if let place = options.firstIndex(of: "--color") { return options.dropFirst(place + 1).first }
    return options.first { $0.hasPrefix("--color=") }.map { String($0.dropFirst(8)) }
  }

  private init(_ command: any Command.Type, _ words: [String]) {
    self.command = command
    options = command.allOptions
    rest = words[...]
  }

  private mutating func read() throws(Failure) -> Request? {
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return nil
      }
      if word == "-" || word.utf8.first != UInt8(ascii: "-") {
        operands.append(word)
        continue
      }
      let (name, attached) = Arguments.split(word)
      guard let option = find(name) else { throw unknown(name) }
      if option.name == "--help" { return .help }
      if option.name == "--version" { return .version }
      try take(option, attached)
    }
    return nil
  }

  /// `--from=12` is `--from` and `12`; `-n12` is `-n` and `12`.
  private static func split(_ word: String) -> (name: String, attached: String?) {
    if word.utf8.starts(with: "--".utf8) {
      guard let mark = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, nil) }
      return (String(word[..<mark]), String(word[word.utf8.index(after: mark)...]))
    }
    let name = String(word.prefix(2))
    return (name, word == name ? nil : String(word.dropFirst(2)))
  }

  private func find(_ name: String) -> Option? {
    options.first { $0.name == name || $0.short == name }
  }

  private mutating func take(_ option: Option, _ attached: String?) throws(Failure) {
    guard let value = option.value else {
      if let attached {
        throw command.misuse("\(option.name) takes no value, but is given '\(attached)'")
      }
      return given.append((option.name, ""))
    }
    let text = if let attached { attached } else { try nextValue(option, value) }
    try command.check(text, for: option.name, option.words)
    if !option.mayRepeat, given.contains(where: { $0.name == option.name }) {
      throw command.misuse("\(option.name) is given twice")
    }
    given.append((option.name, text))
  }

  // `--since -2h` has a value that begins with a dash; `--from --to 5` has forgotten one.
  private mutating func nextValue(_ option: Option, _ value: String) throws(Failure) -> String {
    guard let next = rest.first, next != "--", find(Arguments.split(next).name) == nil else {
      throw command.misuse("\(option.name) needs a value: \(option.name) \(value)")
    }
    rest.removeFirst()
    return next
  }

  private func unknown(_ name: String) -> Failure {
    let field = String(name.drop { $0 == "-" })
    if command.operands.contains(where: { $0.role == .filter }), Selection.fields.contains(field) {
      let message = "\(command.name) has no option '\(name)'; a filter is written \(field)=VALUE"
      return command.misuse(message)
    }
    // The dashes, which all have, would make every short name near.
    let nearest = Nearest.name(to: field, among: options.map { String($0.name.dropFirst(2)) })
    let others = Tool.verbs.filter { $0.options.contains { $0.name == name } }.map { $0.name }
    let owner = others.count == 1 ? "; \(others[0]) has" : ""
    let hint = nearest.map { "; the nearest is --\($0)" } ?? owner
    return command.misuse("\(command.name) has no option '\(name)'\(hint)")
  }
}
