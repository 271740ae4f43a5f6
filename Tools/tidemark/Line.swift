import TidemarkJSON

/// How a part of a line looks where there is colour.
enum Style: String, Sendable {
  case plain = "0"
  case bold = "1"
  case faint = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
}

/// One line for people, without its end.
///
/// Whatever is put in, no control character comes out: `Output` escapes all of it and adds the
/// colours itself. `"\(code, .red)  \(path)"` is a line with a red code.
struct Line: ExpressibleByStringInterpolation, Sendable {
  private var spans: [Span]

  private struct Span {
    var text: String
    var style: Style
  }

  init(_ text: String, _ style: Style = .plain) {
    spans = [Span(text: text, style: style)]
  }

  init(stringLiteral text: String) {
    self.init(text)
  }

  init(stringInterpolation interpolation: Interpolation) {
    self = interpolation.line
  }

  /// What stands in it, escaped and without colours.
  var visible: String { spans.reduce(into: "") { $0 += Escaping.visible($1.text) } }

  /// How many places it takes; a wide character is counted as one.
  var width: Int { visible.count }

  /// The line in at most `width` places; where something is left out stands `…`.
  func cut(to width: Int) -> Line {
    guard self.width > width else { return self }
    var line = Line("")
    var rest = width - 1
    for span in spans {
      let text = Escaping.visible(span.text).prefix(rest)
      rest -= text.count
      line.append(String(text), span.style)
    }
    line.append("…", spans.last?.style ?? .plain)
    return line
  }

  mutating func append(_ text: String, _ style: Style = .plain) {
    if let last = spans.indices.last, spans[last].style == style {
      spans[last].text += text
    } else {
      spans.append(Span(text: text, style: style))
    }
  }

  mutating func append(_ line: Line) {
    for span in line.spans { append(span.text, span.style) }
  }

  /// Appends the line as it is written, without its end.
  func write(to bytes: inout [UInt8], colored: Bool) {
    for span in spans where !span.text.isEmpty {
      let isColored = colored && span.style != .plain
      if isColored { bytes += "\u{1b}[\(span.style.rawValue)m".utf8 }
      Escaping.append(span.text, to: &bytes)
      if isColored { bytes += "\u{1b}[0m".utf8 }
    }
  }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var line = Line("")

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) {
      line.append(text)
    }

    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      line.append(value.description)
    }

    mutating func appendInterpolation(
      _ value: some CustomStringConvertible,
      _ style: Style
    ) {
      line.append(value.description, style)
    }

    mutating func appendInterpolation(_ part: Line) {
      line.append(part)
    }
  }
}
