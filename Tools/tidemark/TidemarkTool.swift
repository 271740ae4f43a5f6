/// `tidemark VERB [JOURNAL] [OPTIONS]`: finds the verb and runs it.
@main
enum Tool {
  /// Every verb, in the order of the first page.
  static let verbs: [any Command.Type] = [
    Info.self,
    Log.self,
    Show.self,
    Stats.self,
    State.self,
    Why.self,
    Verify.self,
    Check.self,
    Races.self,
    Rebuild.self,
    Simulate.self,
    Import.self,
    Export.self,
    Explain.self,
    Completions.self,
    Man.self,
    Help.self,
  ]

  static func main() {
    System.guardStandardStreams()
    System.catchSignals()
    do throws(Failure) {
      System.exit(run(try Arguments.ofProcess(), in: .current))
    } catch {
      Runner.report(error, of: CommandLine.arguments, in: .current)
      System.exit(error.exit)
    }
  }

  /// Runs one command line, without the name of the program.
  static func run(_ words: [String], in environment: Environment) -> ExitCode {
    do throws(Failure) {
      switch try request(words, in: environment) {
      case .show(let page):
        return try Runner.show(page, color: Arguments.color(words), in: environment)
      case .run(let command, let input): return try Runner.run(command, input)
      }
    } catch {
      Runner.report(advised(error, words), of: words, in: environment)
      return error.exit
    }
  }

  /// The failure with the command line that was meant, if the words nearly fit.
  private static func advised(_ failure: Failure, _ words: [String]) -> Failure {
    guard failure.exit == .usage, failure.advice?.hasPrefix("See ") ?? true else { return failure }
    let advice: String? =
      if let command = verbs.first(where: { $0.name == words.first }) {
        failure.surplus.flatMap { Misplaced.spacedName(in: words, $0, of: command) }
      } else {
        Misplaced.verb(in: words)
      }
    var failure = failure
    failure.advice = advice ?? failure.advice
    return failure
  }

  private enum Request {
    case show([Line])
    case run(any Command.Type, Input)
  }

  private static func request(
    _ words: [String],
    in environment: Environment
  ) throws(Failure) -> Request {
    switch words.first {
    case nil: throw .usage("a verb is missing", advice: "See tidemark --help.")
    case "-h", "--help": return .show(HelpPage.first)
    case "--version": return .show(HelpPage.versions)
    case let name?:
      let command = try verb(name)
      switch try Arguments.parse(Array(words.dropFirst()), for: command, in: environment) {
      case .help: return .show(HelpPage.page(of: command))
      case .version: return .show(HelpPage.versions)
      case .run(let input): return .run(command, input)
      }
    }
  }

  static func verb(_ name: String) throws(Failure) -> any Command.Type {
    if let verb = verbs.first(where: { $0.name == name }) { return verb }
    if ["version", "-v", "-V"].contains(name) {
      throw .usage("there is no verb '\(name)'", advice: "See tidemark --version.")
    }
    if name.utf8.first == UInt8(ascii: "-") {
      throw .usage("the verb comes first, then '\(name)'", advice: "See tidemark --help.")
    }
    let nearest = Nearest.name(to: name, among: verbs.map { $0.name })
    let hint = nearest.map { "; the nearest is \($0)" } ?? ""
    throw .usage("there is no verb '\(name)'\(hint)", advice: "See tidemark --help.")
  }
}
