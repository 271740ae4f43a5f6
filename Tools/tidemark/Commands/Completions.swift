/// `tidemark completions bash|zsh|fish` prints a completion script.
///
/// Adds no exit code.
struct Completions: Command {
  static let name = "completions"
  static let summary = "a completion script for bash, zsh or fish"
  static let group = Group.aids
  static let usage = ["bash|zsh|fish"]
  static let operands: [Operand] = [.required("SHELL", .oneOf(["bash", "zsh", "fish"]))]
  static let options: [Option] = [.out]
  static let examples = [
    Example("tidemark completions zsh > ~/.zfunc/_tidemark", "for zsh, if ~/.zfunc is in $fpath"),
    Example("source <(tidemark completions bash)", "for this bash"),
    Example("tidemark completions fish | source", "for this fish"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let script =
      switch input.operands[0] {
      case "bash": BashCompletion.script(for: Tool.verbs)
      case "zsh": ZshCompletion.script(for: Tool.verbs)
      default: FishCompletion.script(for: Tool.verbs)
      }
    for line in script { try output.line(Line(line)) }
    return .done
  }
}
