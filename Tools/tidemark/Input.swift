import TidemarkEntries

/// What a verb is given: its operands and options, checked against what it declares.
struct Input {
  /// The words besides options, without the journal.
  let operands: [String]

  /// Where the process runs.
  let environment: Environment

  /// The verb.
  let command: any Command.Type
  private let journal: String?
  private let given: [(name: String, value: String)]

  init(
    for command: any Command.Type,
    operands words: [String],
    given: [(name: String, value: String)],
    environment: Environment
  ) throws(Failure) {
    self.command = command
    self.given = given
    self.environment = environment
    (journal, operands) = Input.divide(words, for: command)
    do throws(Failure) { try checkOperands() } catch { throw command.explain(error, self) }
  }

  /// The path of the journal; `-` is standard input.
  var journalPath: String {
    get throws(Failure) {
      guard let path = journal ?? environment.journal else {
        if let word = operands.last, System.fileType(at: word) == .regular,
          let missing = command.operands.last(where: \.isRequired)
        {
          throw command.misuse("\(command.name) needs \(missing.name) behind the journal")
        }
        throw .usage(
          "\(command.name) needs a JOURNAL",
          advice: "Name its path, or set $TIDEMARK_JOURNAL."
        )
      }
      return path
    }
  }

  /// Whether the flag `name` was given.
  func has(_ name: String) -> Bool {
    isDeclared(name)
    return given.contains { $0.name == name }
  }

  /// What `--out` names, if the verb takes it.
  var outPath: String? { given.first { $0.name == "--out" }?.value }

  func value(_ name: String) -> String? {
    values(name).first
  }

  /// The values of an option that may repeat, in their order.
  func values(_ name: String) -> [String] {
    isDeclared(name)
    return given.filter { $0.name == name }.map(\.value)
  }

  func number(_ name: String) throws(Failure) -> UInt64? {
    guard let text = value(name) else { return nil }
    guard let number = Input.number(in: text) else {
      throw .usage("\(name) takes a whole number, not '\(text)'")
    }
    return number
  }

  /// The number that `text` is: digits alone, without a sign.
  static func number(in text: String) -> UInt64? {
    text.utf8.first == UInt8(ascii: "+") ? nil : UInt64(text)
  }

  func seq(_ name: String) throws(Failure) -> Seq? {
    guard let text = value(name) else { return nil }
    guard let seq = Seq(pasted: text) else {
      throw .usage("\(name) takes a whole number, not '\(text)'")
    }
    return seq
  }

  func time(_ name: String) throws(Failure) -> TimeArgument? {
    guard let text = value(name) else { return nil }
    return try TimeArgument(text, of: name, now: environment.now)
  }

  /// The format asked for, or the first that the verb declares.
  var format: Format {
    guard let declared = command.options.first(where: { $0.name == "--format" }) else {
      return .text
    }
    let name = value("--format") ?? declared.words.list.first
    return name.flatMap(Format.init) ?? .text
  }

  private func isDeclared(_ name: String) {
    precondition(
      command.allOptions.contains { $0.name == name },
      "\(command.name) does not declare \(name)"
    )
  }

  // The journal may be left out, so it is there only if more words are than the rest requires.
  private static func divide(
    _ words: [String],
    for command: any Command.Type
  ) -> (journal: String?, operands: [String]) {
    let operands = command.operands
    let required = operands.filter(\.isRequired).count
    guard let place = operands.firstIndex(where: { $0.role == .journal }),
      words.count > max(required, place), !isFilter(words[place], of: operands)
    else { return (nil, words) }
    return (words[place], Array(words[..<place] + words[(place + 1)...]))
  }

  /// `field=value`; a path with a `=` in it can be written as `./a=b`.
  private static func isFilter(_ word: String, of operands: [Operand]) -> Bool {
    guard operands.contains(where: { $0.role == .filter }) else { return false }
    let field = word.utf8.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    return !field.isEmpty && word.utf8.dropFirst(field.count).first == UInt8(ascii: "=")
  }

  private func checkOperands() throws(Failure) {
    let expected = command.operands.filter { $0.role != .journal }
    let required = expected.filter(\.isRequired)
    if operands.count < required.count {
      let missing = required[operands.count]
      let words = missing.words.list.joined(separator: ", ")
      let choice = words.isEmpty ? "" : ": \(words)"
      throw command.misuse("\(command.name) needs \(missing.name)\(choice)")
    }
    for (index, word) in operands.enumerated() {
      guard let operand = index < expected.count ? expected[index] : expected.last,
        index < expected.count || operand.mayRepeat
      else {
        var failure = command.misuse("\(command.name) takes no '\(word)'")
        failure.surplus = word
        throw failure
      }
      try command.check(word, for: operand.name, operand.words)
    }
  }
}

/// What the tool asks the system for once: three settings and the clock.
struct Environment: Sendable {
  /// `$TIDEMARK_JOURNAL`.
  var journal: String?

  /// Whether `$NO_COLOR` asks for no colour.
  var refusesColor = false

  /// `$COLUMNS`.
  var columns: Int?

  var now: DeviceTime

  static var current: Environment {
    Environment(
      journal: variable("TIDEMARK_JOURNAL"),
      refusesColor: variable("NO_COLOR") != nil,
      columns: variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil },
      now: DeviceTime(milliseconds: System.wallMilliseconds)
    )
  }

  private static func variable(_ name: String) -> String? {
    System.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
