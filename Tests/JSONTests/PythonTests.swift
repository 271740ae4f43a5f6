import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJSON

/// The scanner against another reader of JSON: that of Python, if there is one.
@Suite struct PythonTests {
  @Test(.enabled(if: Python.path != nil, "there is no python3"))
  func `Python takes and refuses the same texts, and reads the same from them`() throws {
    let seed = testSeed()
    var random = SeededGenerator(seed: seed)
    var texts = (0..<3000).map { _ in RandomJSON.text(&random) }
    texts += (0..<3000).map { _ in RandomJSON.damaged(RandomJSON.text(&random), &random) }
    let told = try python(texts)
    try #require(told.count == texts.count)
    for (text, told) in zip(texts, told) {
      #expect(canonical(Array(text.utf8)) == told, "\(text) (seed \(seed))")
    }
  }

  private func canonical(_ text: [UInt8]) -> String {
    var scanner = JSONScanner(text)
    var bytes: [UInt8] = []
    do throws(JSONError) {
      try scanner.appendCanonical(to: &bytes)
      try scanner.finish()
    } catch {
      return "refused"
    }
    return Hex.encode(bytes)
  }

  /// What Python makes of the texts: their canonical form in hexadecimal digits, or `refused`.
  private func python(_ texts: [String]) throws -> [String] {
    let input = try TemporaryFile(texts.map { Hex.encode($0.utf8) + "\n" }.joined())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Python.path))
    process.arguments = ["-c", Python.script, input.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

private enum Python {
  static let path = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static let script = #"""
    import json, sys

    class Number:
        def __init__(self, text):
            self.text = text

    def refuse(word):
        raise ValueError(word)

    def string(text):
        data = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
        return b'"%d:' % len(data) + data

    def canonical(value):
        if isinstance(value, tuple):
            members = sorted(string(name) + canonical(member) for name, member in value)
            return b"{%d:" % len(members) + b"".join(members)
        if isinstance(value, list):
            return b"[" + b"".join(canonical(element) for element in value) + b"]"
        if isinstance(value, str):
            return string(value)
        if isinstance(value, Number):
            return value.text.encode() + b";"
        return {True: b"true;", False: b"false;", None: b"null;"}[value]

    for line in open(sys.argv[1]):
        try:
            value = json.loads(bytes.fromhex(line).decode(), parse_int=Number, parse_float=Number,
                               parse_constant=refuse, object_pairs_hook=tuple)
            print(canonical(value).hex())
        except ValueError:
            print("refused")
    """#
}

/// Texts in JSON, made by chance.
private enum RandomJSON {
  static func text(_ random: inout SeededGenerator) -> String {
    space(&random) + value(&random, depth: 0) + space(&random)
  }

  /// The text with a few characters changed, removed or put in.
  static func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
    var characters = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let other =
        Array("{}[]\",:\\u0e1-+.t \n\u{1}é".unicodeScalars).randomElement(using: &random) ?? " "
      let place = Int.random(in: 0...characters.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0 where place < characters.count: characters[place] = other
      case 1 where place < characters.count: characters.remove(at: place)
      default: characters.insert(other, at: place)
      }
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: characters)
    return String(result)
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
    switch Int.random(in: 0..<(depth < 5 ? 9 : 6), using: &random) {
    case 0: ["true", "false", "null"].randomElement(using: &random) ?? "null"
    case 1, 2: number(&random)
    case 3, 4, 5: string(&random)
    case 6: "[" + list(&random) { value(&$0, depth: depth + 1) } + "]"
    default: "{" + list(&random) { member(&$0, depth: depth + 1) } + "}"
    }
  }

  private static func member(_ random: inout SeededGenerator, depth: Int) -> String {
    let name = string(&random)
    return name + space(&random) + ":" + space(&random) + value(&random, depth: depth)
  }

  private static func list(
    _ random: inout SeededGenerator,
    _ item: (inout SeededGenerator) -> String
  ) -> String {
    let items = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
      space(&random) + item(&random) + space(&random)
    }
    return items.isEmpty ? space(&random) : items.joined(separator: ",")
  }

  private static func number(_ random: inout SeededGenerator) -> String {
    func digits(_ random: inout SeededGenerator) -> String {
      String(
        UInt64.random(in: 0...UInt64.max, using: &random)
          >> UInt64.random(in: 0...63, using: &random)
      )
    }
    var text = Bool.random(using: &random) ? "-" : ""
    text += digits(&random)
    if Bool.random(using: &random) { text += "." + digits(&random) }
    if Bool.random(using: &random) {
      text += ["e", "E", "e+", "E-"].randomElement(using: &random) ?? "e"
      text += "\(Int.random(in: 0...300, using: &random))"
    }
    return text
  }

  private static func string(_ random: inout SeededGenerator) -> String {
    let parts = [
      "a", "bc", " ", "é", "東京", "😀", "\u{7f}", "\\n", "\\\"", "\\\\", "\\/", "\\b\\f\\r\\t",
      "\\u00e9",
      "\\uD83D\\uDE00", "\\ud800", "\\uDC00", "\\u0000", "a longer piece of plain text",
    ]
    let count = Int.random(in: 0..<12, using: &random)
    return "\"" + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined() + "\""
  }

  private static func space(_ random: inout SeededGenerator) -> String {
    ["", "", "", " ", "\n", "\r\n\t", "            "].randomElement(using: &random) ?? ""
  }
}
