/// The completion script for bash, made from what the verbs declare.
///
/// It runs in bash 3.2 as well, which Apple ships. What it does not know is completed as a file,
/// by bash itself (`-o default`).
enum BashCompletion {
  static func script(for verbs: [any Command.Type]) -> [String] {
    [
      "# bash completion for tidemark, made by: tidemark completions bash",
      "_tidemark() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
      "  local options= words= file=",
      "  COMPREPLY=()",
      "  # Bash takes --name=value for three words.",
      "  if [[ $cur == = ]]; then cur=",
      "  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}",
      "  fi",
      "  if ((COMP_CWORD == 1)); then",
      "    words='\(verbs.map { $0.name }.joined(separator: " "))'",
      "    [[ $cur == -* ]] && words='--help --version'",
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))",
      "    return",
      "  fi",
      "  case \"${COMP_WORDS[1]} $prev\" in",
    ] + verbs.flatMap { values(of: $0.options, after: "'\($0.name) ") }
      + values(of: Option.ofEveryVerb, after: "*' ") + [
        "  esac",
        "  case ${COMP_WORDS[1]} in",
      ] + verbs.map(table) + [
        "  esac",
        "  if [[ $cur == -* ]]; then words=$options",
        "  elif [[ $file ]] && ((COMP_CWORD == 2)); then return",
        "  fi",
        "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))",
        "  # A value follows without a space.",
        "  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null",
        "}",
        "complete -o default -F _tidemark tidemark",
      ]
  }

  /// What follows an option with a value; nothing leaves it to bash.
  private static func values(of options: [Option], after start: String) -> [String] {
    options.filter { $0.value != nil }.map { option in
      let names = [option.short, option.name].compactMap(\.self)
      let pattern = names.map { "\(start)\($0)'" }.joined(separator: "|")
      let words = option.words.list.joined(separator: " ")
      let reply = words.isEmpty ? "" : "COMPREPLY=($(compgen -W '\(words)' -- \"$cur\")); "
      return "    \(pattern)) \(reply)return ;;"
    }
  }

  private static func table(_ verb: any Command.Type) -> String {
    let options = verb.allOptions.map(\.name).joined(separator: " ")
    let words = verb.operands.flatMap(\.words.list).joined(separator: " ")
    let file = if case .files = verb.operands.first?.words { " file=1" } else { "" }
    return "    \(verb.name)) options='\(options)' words='\(words)'\(file) ;;"
  }
}
