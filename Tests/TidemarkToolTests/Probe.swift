import TidemarkEntries

@testable import TidemarkTool

/// A verb with a bit of everything, for the tests alone.
struct Probe: Command {
  static let name = "probe"
  static let summary = "a verb of the tests; it isn't [real]: really"
  static let group = Group.judge
  static let details = [".dots and 'quotes' and `code` at the start of a line"]
  static let operands: [Operand] = [.journal, .filters(["kind", "path"])]
  static let options: [Option] =
    Option.range + [
      .limit, .follow, .out, .format(.text, .json),
      .list("--skip", "CODE", "leave it out", .suggesting(["J101", "J102"])),
      .flag("--bodies", "show content"),
    ]
  static let exits: [ExitCode] = [.done, .partial]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode { .done }
}

/// A verb whose journal stands before a word that it needs.
struct ProbeOne: Command {
  static let name = "probe-one"
  static let summary = "another verb of the tests"
  static let group = Group.look
  static let operands: [Operand] = [.journal, .required("SEQ|KEY")]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode { .done }
}

/// The input that `words` give; a failure if they give none.
func input(
  _ words: String...,
  for command: any Command.Type = Probe.self,
  journal: String? = nil
) throws -> Input {
  let environment = Environment(journal: journal, now: DeviceTime(milliseconds: 0))
  guard case .run(let input) = try Arguments.parse(words, for: command, in: environment) else {
    throw Failure.usage("a page was asked for")
  }
  return input
}

/// The message of the failure that `body` ends with.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return (error as? Failure)?.message
  }
}
