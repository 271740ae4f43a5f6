/// One file as lines, and for Swift also as code: without its comments and its texts.
struct TextFile: Sendable {
  /// The path below the root of the repository.
  let path: String

  let lines: [Substring]

  /// The lines with blanks for comments and for what string literals say; same places, same count.
  let code: [Substring]

  init(_ path: String, _ text: String) {
    self.path = path
    lines = TextFile.split(text)
    code = path.hasSuffix(".swift") ? TextFile.split(SwiftCode.blanking(text)) : lines
  }

  var text: String { lines.joined(separator: "\n") }

  var isSwift: Bool { path.hasSuffix(".swift") }

  /// The name of the file without folders and ending.
  var stem: String {
    let name = path.split(separator: "/").last ?? ""
    return String(name.prefix { $0 != "." })
  }

  private static func split(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }
  }
}

extension Substring {
  /// The names that begin with a capital: those of types.
  var capitalizedNames: [String] {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.filter { $0.first?.isUppercase == true }
      .map(String.init)
  }

  /// How many blanks the line begins with.
  var indentation: Int { prefix { $0 == " " }.count }

  var trimmed: Substring {
    let start = drop { $0 == " " }
    return start.lastIndex { $0 != " " }.map { start[...$0] } ?? start[start.endIndex...]
  }
}

/// What a rule has to say about one place.
struct Complaint: Hashable, CustomStringConvertible {
  let path: String
  let line: Int
  let sentence: String

  /// Says `sentence` about a line, counted from 1; 0 if the file as a whole is meant.
  init(_ path: String, _ line: Int, _ sentence: String) {
    self.path = path
    self.line = line
    self.sentence = sentence
  }

  var description: String { line == 0 ? "\(path): \(sentence)" : "\(path):\(line): \(sentence)" }
}
