/// Command lines that nearly fit: what was meant, as a line to copy.
enum Misplaced {
  /// Advice if a name with spaces fell into several words, which the shell does without quotes.
  ///
  /// - Parameters:
  ///   - words: the command line.
  ///   - surplus: the word of it that was not expected.
  ///   - command: its verb.
  /// - Returns: the command line that was meant, if one is seen.
  static func spacedName(
    in words: [String],
    _ surplus: String,
    of command: any Command.Type
  ) -> String? {
    guard let name = brokenFile(words) ?? brokenPath(words, surplus, command) else { return nil }
    let joined = words[name].joined(separator: " ")
    let line = Array(words[..<name.lowerBound]) + [joined] + words[name.upperBound...]
    return "A name with spaces stands in quotes: \(Misplaced.line(line))"
  }

  /// The words that together are a file which is there.
  private static func brokenFile(_ words: [String]) -> Range<Int>? {
    for first in words.indices {
      for end in words.indices where end > first && end - first < partsMax {
        let name = first..<(end + 1)
        if System.fileType(at: words[name].joined(separator: " ")) == .regular { return name }
      }
    }
    return nil
  }

  /// The words from a path on, or from the value of an option that is one, if `surplus` is next.
  private static func brokenPath(
    _ words: [String],
    _ surplus: String,
    _ command: any Command.Type
  ) -> Range<Int>? {
    let names = command.allOptions.filter(\.takesName).map(\.name)
    let first = zip(words.indices, words.dropFirst()).first { index, next in
      let isPath = words[index].hasPrefix("/") || words[index].hasPrefix("path=/")
      let isValue = index > 0 && names.contains(words[index - 1])
      return next == surplus && (isPath || isValue)
    }
    guard let first = first?.0, System.fileType(at: words[first]) == .missing,
      System.fileType(at: surplus) == .missing
    else { return nil }
    let rest = words[(first + 1)...]
    return first..<(rest.firstIndex { isOption($0) || $0.contains("=") } ?? words.endIndex)
  }

  /// Advice if another word is the verb.
  static func verb(in words: [String]) -> String? {
    guard let place = words.indices.dropFirst().first(where: { isVerb(words[$0]) }),
      let verb = Tool.verbs.first(where: { $0.name == words[place] })
    else { return nil }
    var rest = words
    rest.remove(at: place)
    let isJournal = verb.operands.first?.role == .journal
    guard isOption(words[0]) || isJournal && System.fileType(at: words[0]) == .regular else {
      let usage = verb.usage.first.map { " " + $0 } ?? ""
      return "The verb comes first: tidemark \(verb.name)\(usage)"
    }
    return "The verb comes first: \(line([verb.name] + rest))"
  }

  /// So many words are tried as the name of one file.
  private static let partsMax = 6

  private static func isVerb(_ word: String) -> Bool { Tool.verbs.contains { $0.name == word } }

  private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

  private static func line(_ words: [String]) -> String {
    (["tidemark"] + words.map { isOption($0) ? $0 : Words.quoted($0) }).joined(separator: " ")
  }
}

extension Option {
  /// Whether its value is the name of a file or a path.
  fileprivate var takesName: Bool {
    if case .files = words { return true }
    return name == "--path"
  }
}
