/// The completion script for zsh, made from what the verbs declare.
enum ZshCompletion {
  static func script(for verbs: [any Command.Type]) -> [String] {
    [
      "#compdef tidemark",
      "# zsh completion for tidemark, made by: tidemark completions zsh",
      "_tidemark() {",
      "  local curcontext=$curcontext state line",
      "  local -a verbs",
      "  typeset -A opt_args",
      "  verbs=(",
    ] + verbs.map { "    '\($0.name):\(quoted($0.summary))'" } + [
      "  )",
      "  _arguments -C '(- *)'{-h,--help}'[show the first page]' \\",
      "    '(- *)--version[show the versions of tool, format and libraries]' \\",
      "    '1:verb:->verb' '*::argument:->rest' && return",
      "  case $state in",
      "    verb) _describe -t verbs verb verbs ;;",
      "    rest) case $words[1] in",
    ] + verbs.flatMap(table) + [
      "    esac ;;",
      "  esac",
      "}",
      "if [ \"$funcstack[1]\" = _tidemark ]; then _tidemark \"$@\"",
      "else compdef _tidemark tidemark",
      "fi",
    ]
  }

  private static func table(_ verb: any Command.Type) -> [String] {
    let specifications = verb.allOptions.map(specification) + operands(of: verb)
    return ["      \(verb.name)) _arguments -S \\"]
      + specifications.dropLast().map { "        \($0) \\" }
      + specifications.suffix(1).map { "        \($0) ;;" }
  }

  /// `'--format=[how]:NAME:(text json)'`, as `_arguments` reads it.
  private static func specification(_ option: Option) -> String {
    let summary = "[\(quoted(option.summary))]"
    let value = option.value.map { ":\(quoted($0)):\(action(option.words))" } ?? ""
    let long = option.name + (option.value == nil ? "" : "=")
    guard let short = option.short else {
      return "'\(option.mayRepeat && option.value != nil ? "*" : "")\(long)\(summary)\(value)'"
    }
    let brief = short + (option.value == nil ? "" : "+")
    return "'(\(short) \(option.name))'{\(brief),\(long)}'\(summary)\(value)'"
  }

  private static func operands(of verb: any Command.Type) -> [String] {
    verb.operands.enumerated().map { index, operand in
      let place = operand.mayRepeat ? "*" : "\(index + 1)"
      return "'\(place):\(quoted(operand.name)):\(action(operand.words))'"
    }
  }

  private static func action(_ words: Words) -> String {
    switch words {
    case .anything: " "
    case .files: "_files"
    // A field is followed by its value, without a space.
    case .suggesting(let list) where list.allSatisfy({ $0.hasSuffix("=") }):
      "{compadd -S \"\" \(list.joined(separator: " "))}"
    case .oneOf(let list), .suggesting(let list): "(\(list.joined(separator: " ")))"
    }
  }

  /// Text inside single quotes, inside brackets and between colons.
  private static func quoted(_ text: String) -> String {
    var quoted = ""
    for character in text {
      switch character {
      case "'": quoted += "'\\''"
      case "[", "]", ":", "\\": quoted += "\\\(character)"
      default: quoted.append(character)
      }
    }
    return quoted
  }
}
