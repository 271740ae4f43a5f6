/// `tidemark man [VERB]` prints a manual page in roff.
///
/// Adds no exit code.
struct Man: Command {
  static let name = "man"
  static let summary = "the manual page of the tool or of a verb, in roff"
  static let group = Group.aids
  static let operands: [Operand] = [.optional("VERB", .suggesting(Tool.verbs.map { $0.name }))]
  static let options: [Option] = [.out]
  static let examples = [
    Example("tidemark man | man -l -", "read the page of the tool"),
    Example("tidemark man explain -o tidemark-explain.1", "write the page of a verb"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let page =
      if let name = input.operands.first {
        ManPage.page(of: try Tool.verb(name))
      } else {
        ManPage.first
      }
    for line in page { try output.line(Line(line)) }
    return .done
  }
}
