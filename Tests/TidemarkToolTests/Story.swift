import Foundation
import Testing

/// Command lines and what they print, as a person sees them.
///
/// A file of `scripts` is one story. Its steps share a folder that is empty at first.
///
/// ```
/// # A comment.
/// $ tidemark explain J201 | head -1       a command line of bash (with pipefail)
/// > …                                      its next line, if it has several
/// J201 late-landing (exit 5)               what it prints; `[..]` stands for any text in a line,
/// ...                                      and `...` for any lines
/// [stderr]                                 then what it says on standard error
/// tidemark: …
/// [exit 64]                                and its exit code, if that is not 0
/// ```
///
/// A backslash before a line takes its meaning away. Empty lines at the end of a part do not count.
struct Story: Sendable, CustomTestStringConvertible {
  struct Step: Sendable, Equatable {
    var line: Int
    var command: String
    var output: [String] = []
    var errors: [String] = []
    var exit: Int32 = 0
  }

  let name: String
  let steps: [Step]

  var testDescription: String { name }

  static let all: [Story] = {
    let folder = Bundle.module.bundlePath + "/scripts"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
      let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
      return data.map { Story(name, String(decoding: $0, as: UTF8.self)) }
    }
  }()

  init(_ name: String, _ text: String) {
    self.name = name
    var reader = StoryReader()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      reader.read(String(line))
    }
    steps = reader.finish()
  }
}

private struct StoryReader {
  private enum Part {
    case command, output, errors
  }

  private var steps: [Story.Step] = []
  private var part = Part.output
  private var number = 0

  mutating func read(_ line: String) {
    number += 1
    if line.hasPrefix("$ ") {
      steps.append(Story.Step(line: number, command: String(line.dropFirst(2))))
      part = .command
    } else if var step = steps.last, !line.hasPrefix("# ") {
      read(line, into: &step)
      steps[steps.count - 1] = step
    }
  }

  private mutating func read(_ line: String, into step: inout Story.Step) {
    if part == .command, line.hasPrefix("> ") {
      step.command += "\n" + line.dropFirst(2)
    } else if line == "[stderr]" {
      part = .errors
    } else if let exit = line.wholeMatch(of: #/\[exit (\d+)\]/#).flatMap({ Int32($0.1) }) {
      step.exit = exit
    } else {
      if part == .command { part = .output }
      let expected = line.hasPrefix("\\") ? String(line.dropFirst()) : line
      if part == .errors { step.errors.append(expected) } else { step.output.append(expected) }
    }
  }

  func finish() -> [Story.Step] {
    steps.map { step in
      var step = step
      step.output.dropEmptyEnd()
      step.errors.dropEmptyEnd()
      return step
    }
  }
}

// What was expected, and what came.

extension Story.Step {
  /// What differs, as a person reads it; nothing if all is as told.
  func difference(from result: Shell.Result) -> String? {
    let parts = [
      ExpectedLines(output).difference(from: result.output).map { "stdout:\n\($0)" },
      ExpectedLines(errors).difference(from: result.errors).map { "stderr:\n\($0)" },
      exit == result.exit ? nil : "exit: \(exit) was expected, \(result.exit) came",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "line \(line): $ \(command)\n" + parts.joined(separator: "\n")
  }
}

/// Lines with `[..]` and `...` in them.
struct ExpectedLines {
  private let lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }

  func difference(from text: String) -> String? {
    var actual = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    actual.dropEmptyEnd()
    guard !matches(lines[...], actual[...]) else { return nil }
    let changes = actual.difference(from: lines) { actual, expected in
      ExpectedLines.matches(line: expected, actual)
    }
    let shown = (changes.removals + changes.insertions).map { change in
      switch change {
      case .remove(let offset, let line, _): "- \(offset + 1): \(line)"
      case .insert(let offset, let line, _): "+ \(offset + 1): \(line)"
      }
    }
    return shown.joined(separator: "\n")
  }

  private func matches(_ expected: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return actual.isEmpty }
    let rest = expected.dropFirst()
    if first == "..." {
      return (0...actual.count).contains { matches(rest, actual.dropFirst($0)) }
    }
    guard let line = actual.first, ExpectedLines.matches(line: first, line) else { return false }
    return matches(rest, actual.dropFirst())
  }

  private static func matches(line expected: String, _ actual: String) -> Bool {
    var parts = expected.components(separatedBy: "[..]")
    guard parts.count > 1 else { return expected == actual }
    let end = parts.removeLast()
    guard actual.hasPrefix(parts[0]) else { return false }
    var rest = actual.dropFirst(parts[0].count)
    for part in parts.dropFirst() {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(end)
  }
}

extension [String] {
  fileprivate mutating func dropEmptyEnd() {
    while last == "" { removeLast() }
  }
}
