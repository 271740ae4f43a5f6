/// Breaks paragraphs into lines, as wide as a terminal is at least.
enum Wrapping {
  static let width = 80

  /// The lines of one paragraph: the first begins with `first`, the others with `rest`.
  static func lines(of text: String, first: String = "", rest: String = "") -> [Line] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = rest
        isEmpty = true
      }
      line += isEmpty ? "" : " "
      line += word
      isEmpty = false
    }
    lines.append(line)
    return lines.map { Line($0) }
  }
}
