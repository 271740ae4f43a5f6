/// The completion script for fish, made from what the verbs declare.
enum FishCompletion {
  static func script(for verbs: [any Command.Type]) -> [String] {
    [
      "# fish completion for tidemark, made by: tidemark completions fish",
      "function __tidemark_verb",
      "  set -l words (commandline -opc)",
      "  test \"$words[2]\" = \"$argv[1]\"",
      "end",
      "complete -c tidemark -f",
      "complete -c tidemark -n '__tidemark_verb \"\"' -s h -l help -d 'show the first page'",
      "complete -c tidemark -n '__tidemark_verb \"\"' -l version -d 'show the versions'",
    ] + verbs.flatMap(table)
  }

  private static func table(_ verb: any Command.Type) -> [String] {
    let start = "complete -c tidemark -n"
    let within = "\(start) '__tidemark_verb \(verb.name)'"
    let name = "\(start) '__tidemark_verb \"\"' -a \(verb.name) -d \(quoted(verb.summary))"
    let operands = verb.operands.compactMap { operand in
      action(operand.words).map { "\(within) \($0)" }
    }
    return [name] + operands + verb.allOptions.map { "\(within) \(specification($0))" }
  }

  private static func specification(_ option: Option) -> String {
    let short = option.short.map { "-s \($0.dropFirst()) " } ?? ""
    let long = "-l \(option.name.dropFirst(2))"
    return "\(short)\(long)\(value(of: option)) -d \(quoted(option.summary))"
  }

  private static func value(of option: Option) -> String {
    guard option.value != nil else { return "" }
    guard let action = action(option.words) else { return " -x" }
    return action == "-F" ? " -r -F" : " -x \(action)"
  }

  private static func action(_ words: Words) -> String? {
    switch words {
    case .anything: nil
    case .files: "-F"
    case .oneOf(let list), .suggesting(let list): "-a \(quoted(list.joined(separator: " ")))"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "'"
    for character in text {
      if character == "'" || character == "\\" { quoted += "\\" }
      quoted.append(character)
    }
    return quoted + "'"
  }
}
