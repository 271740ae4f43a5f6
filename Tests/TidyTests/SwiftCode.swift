/// Tells code from comments and texts, so that a rule for code does not stumble over prose.
enum SwiftCode {
  /// The source with a blank for every byte of a comment, of a text, or between backticks.
  ///
  /// Interpolations stay, since they are code. Lines and columns stay where they are.
  static func blanking(_ source: String) -> String {
    var blanker = Blanker(Array(source.utf8))
    blanker.passCode(isInterpolation: false)
    return String(decoding: blanker.output, as: UTF8.self)
  }
}

private struct Blanker {
  private let input: [UInt8]
  private(set) var output: [UInt8]
  private var position = 0

  init(_ input: [UInt8]) {
    self.input = input
    output = input
  }

  private func stands(_ text: StaticString, at offset: Int = 0) -> Bool {
    text.withUTF8Buffer { input.dropFirst(position + offset).starts(with: $0) }
  }

  private mutating func blank(_ count: Int = 1) {
    let end = min(position + count, input.count)
    for place in position..<end where input[place] != newline { output[place] = UInt8(ascii: " ") }
    position = end
  }

  /// Passes code; an interpolation ends at the parenthesis that closes it.
  mutating func passCode(isInterpolation: Bool) {
    var depth = 0
    while position < input.count {
      switch input[position] {
      case UInt8(ascii: "/") where stands("//"): blankLine()
      case UInt8(ascii: "/") where stands("/*"): blankBlockComment()
      case UInt8(ascii: "\""): blankText(0)
      case UInt8(ascii: "#"): passHashes()
      case UInt8(ascii: "`"): blankName()
      case UInt8(ascii: "("):
        depth += 1
        position += 1
      case UInt8(ascii: ")"):
        depth -= 1
        position += 1
        if isInterpolation, depth == 0 { return }
      default: position += 1
      }
    }
  }

  private mutating func passHashes() {
    let hashes = input[position...].prefix { $0 == UInt8(ascii: "#") }.count
    if stands("\"", at: hashes) {
      blankText(hashes)
    } else if stands("/", at: hashes) {
      blankPattern(hashes)
    } else {
      position += hashes
    }
  }

  private mutating func blankLine() {
    while position < input.count, input[position] != newline { blank() }
  }

  private mutating func blankBlockComment() {
    var depth = 0
    repeat {
      if stands("/*") {
        depth += 1
        blank(2)
      } else if stands("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && position < input.count
  }

  /// Blanks a string literal of any of the forms `"…"`, `"""…"""` and `#"…"#`.
  private mutating func blankText(_ hashes: Int) {
    let isLong = stands("\"\"\"", at: hashes)
    let closing = quotes(isLong ? 3 : 1) + marks(hashes)
    let escape = [UInt8(ascii: "\\")] + marks(hashes)
    blank(closing.count)
    while position < input.count, isLong || input[position] != newline {
      let rest = input[position...]
      if rest.starts(with: closing) { return blank(closing.count) }
      if rest.starts(with: escape) {
        blank(escape.count)
        if stands("(") { passCode(isInterpolation: true) } else { blank() }
      } else {
        blank()
      }
    }
  }

  private mutating func blankPattern(_ hashes: Int) {
    let closing = [UInt8(ascii: "/")] + marks(hashes)
    blank(closing.count)
    while position < input.count, !input[position...].starts(with: closing) { blank() }
    blank(closing.count)
  }

  /// Blanks a name in backticks: the name of a test may hold any words.
  private mutating func blankName() {
    repeat { blank() } while position < input.count && !stands("`") && input[position] != newline
    if stands("`") { blank() }
  }

  private func quotes(_ count: Int) -> [UInt8] {
    Array(repeating: UInt8(ascii: "\""), count: count)
  }
  private func marks(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "#"), count: count) }
}

private let newline = UInt8(ascii: "\n")
