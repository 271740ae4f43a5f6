import TidemarkJournalStore

/// One verb.
///
/// Parser, help, man page and completions are made of what it declares.
protocol Command: SendableMetatype {
  static var name: String { get }

  /// What it does, as one line without a full stop.
  static var summary: String { get }

  static var group: Group { get }

  /// What it says of itself below the summary, a paragraph each; `` `so` `` stands for code.
  static var details: [String] { get }

  static var operands: [Operand] { get }

  /// Its own options, without those of every verb.
  static var options: [Option] { get }

  /// How it is called, without `tidemark` and its name.
  ///
  /// Made from the operands if not declared.
  static var usage: [String] { get }

  /// What it may end with besides the codes of every verb.
  static var exits: [ExitCode] { get }

  static var examples: [Example] { get }

  /// Says more of why the operands of `input` do not fit, if the verb knows what was meant.
  static func explain(_ failure: Failure, _ input: Input) -> Failure

  init()

  func run(_ input: Input, to output: inout Output) throws -> ExitCode
}

extension Command {
  static var details: [String] { [] }
  static var operands: [Operand] { [] }
  static var options: [Option] { [] }
  static var usage: [String] { [operands.map(\.synopsis).joined(separator: " ")] }
  static var exits: [ExitCode] { [.done] }
  static var examples: [Example] { [] }
  static func explain(_ failure: Failure, _ input: Input) -> Failure { failure }

  static var allOptions: [Option] { options + Option.ofEveryVerb }

  /// How it is called, with its own options: what the manual shows.
  static var synopses: [String] {
    usage.map { usage in
      let others = options.filter { !usage.utf8.contains($0.name.utf8) }
      return ([usage] + others.map(\.synopsis)).filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Refuses a word that is none of those that are possible.
  static func check(_ word: String, for name: String, _ words: Words) throws(Failure) {
    guard case .oneOf(let list) = words, !list.contains(word) else { return }
    throw misuse("\(name) is \(list.joined(separator: ", ")); not '\(word)'")
  }

  /// The command line is wrong, and the page of the verb says how it is right.
  static func misuse(_ message: String) -> Failure {
    .usage(message, advice: "See tidemark \(name) --help.")
  }
}

/// The verbs that stand together on the first page.
enum Group: String, CaseIterable, Sendable {
  case look = "Look"
  case time = "Time"
  case judge = "Judge"
  case carry = "Carry"
  case aids = "Aids"

  /// Whether a verb stops when nobody reads its output any more.
  ///
  /// A judge goes on, because its exit code is the answer; so does what writes files.
  var brokenPipe: ByteSink.BrokenPipe {
    switch self {
    case .look, .time, .aids: .ends
    case .judge, .carry: .isIgnored
    }
  }

  /// What a finding about the journal makes of the exit code.
  ///
  /// A verb that shows something leaves out what it cannot read, and is done in part. That entries
  /// are gone which were acknowledged is a finding, whoever comes across it.
  func exit(of code: FindingCode) -> ExitCode {
    switch (self, code) {
    case (.look, .blockDamaged), (.look, .seqGap), (.look, .entryMalformed),
      (.time, .blockDamaged), (.time, .seqGap), (.time, .entryMalformed):
      .partial
    default: ExitCode(code)
    }
  }
}

/// A command line, and what it is for.
struct Example: Sendable {
  var command: String
  var purpose: String

  init(_ command: String, _ purpose: String) {
    self.command = command
    self.purpose = purpose
  }
}
