/// `tidemark help [VERB]` prints the page of the tool or of a verb.
///
/// Adds no exit code.
struct Help: Command {
  static let name = "help"
  static let summary = "this page, or the page of a verb"
  static let group = Group.aids
  static let operands: [Operand] = [.optional("VERB", .suggesting(Tool.verbs.map { $0.name }))]
  static let examples = [Example("tidemark help explain", "the same as tidemark explain --help")]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let page =
      if let name = input.operands.first {
        HelpPage.page(of: try Tool.verb(name))
      } else {
        HelpPage.first
      }
    for line in page { try output.line(line) }
    return .done
  }
}
