import TidemarkJSON
import TidemarkSimulation

/// `tidemark simulate FILE` runs stories on the real stores and compares their ends.
///
/// Adds the exit codes 3, 5 and 6.
struct Simulate: Command {
  static let name = "simulate"
  static let summary = "run scenarios on the real stores and compare how they end"
  static let group = Group.judge
  static let details = [
    "A scenario is a line of JSON: what happens to the stores, to the server and to the device, "
      + "and the state that must come of it. Each runs on a journal of its own, which is gone "
      + "afterwards.",
    "After each, every state that a crash could have left behind is opened again, and the scenario "
      + "is run anew with each of its commits refused by the disk: the projections must be those "
      + "that the journal gives, and the judge must object to nothing.",
    "A scenario that needs what this build does not have, and a line that is none, are counted and "
      + "named; the rest is run.",
  ]
  static let operands: [Operand] = [.required("FILE", .files)]
  static let options: [Option] = [
    .list("--case", "ID", "this scenario alone"), .format(.text, .json, .jsonl), .out,
  ]
  static let exits: [ExitCode] = [.done, .partial, .meaning, .replay]
  static let examples = [
    Example("tidemark simulate Journal/scenarios/fence.jsonl", "every story of a file"),
    Example("tidemark simulate mine.jsonl --case late-list", "one story"),
  ]

  /// What is read of a file at most.
  private static let bytesMax = 64 << 20

  /// What came of one line.
  fileprivate enum Result {
    case run(Simulation.Outcome)
    case missing(id: String, [String])
    case malformed(line: Int, String)
  }

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let path = input.operands[0]
    let wanted = input.values("--case")
    var results: [Result] = []
    var unseen = wanted
    for (number, line) in try lines(of: path) {
      guard let result = try result(of: line, number, wanted) else { continue }
      unseen.removeAll { $0.utf8.elementsEqual(result.id.utf8) }
      results.append(result)
      try write(result, to: &output)
    }
    if let id = unseen.first {
      throw Failure.usage("there is no scenario '\(id)' in \(path)")
    }
    try writeEnd(results, to: &output)
    return exit(results)
  }

  private func lines(of path: String) throws -> [(Int, [UInt8])] {
    let file = try ImportSource(path).file
    guard file.byteCount <= Simulate.bytesMax else {
      throw Failure.files("\(path) is over \(Quantity.bytes(UInt64(Simulate.bytesMax)))")
    }
    var bytes: [UInt8] = []
    try file.load(0..<file.byteCount, into: &bytes)
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.isEmpty }.map { ($0.offset + 1, Array($0.element)) }
  }

  private func result(
    of line: [UInt8],
    _ number: Int,
    _ wanted: [String]
  ) throws -> Result? {
    if Interruption.isRequested { throw Failure.interrupted }
    do {
      let scenario = try Scenario(line)
      guard wanted.isEmpty || wanted.contains(where: { $0.utf8.elementsEqual(scenario.id.utf8) })
      else { return nil }
      guard scenario.missing.isEmpty else { return .missing(id: scenario.id, scenario.missing) }
      return .run(try System.wait { try await Simulation.run(scenario) })
    } catch let error as ScenarioError {
      return wanted.isEmpty ? .malformed(line: number, error.message) : nil
    }
  }

  private func exit(_ results: [Result]) -> ExitCode {
    ExitCode.lowestLayer(
      of: results.flatMap { result -> [ExitCode] in
        guard case .run(let outcome) = result else { return [.partial] }
        let isRight = outcome.differences.isEmpty && outcome.objections.isEmpty
        return (isRight ? [] : [.meaning]) + (outcome.divergences.isEmpty ? [] : [.replay])
      }
    )
  }

  // MARK: Writing

  private func write(_ result: Result, to output: inout Output) throws {
    switch output.format {
    case .text, .table: try writeText(result, to: &output)
    case .jsonl:
      try output.json { json in
        json.object { json in
          json.field("schema", "tidemark.scenario/1")
          result.write(to: &json)
        }
      }
    case .json: break
    }
  }

  private func writeText(_ result: Result, to output: inout Output) throws {
    switch result {
    case .malformed(let line, let message):
      try output.line("line \(line)  \("malformed", .red)  \(message)")
    case .missing(let id, let names):
      let events = names.joined(separator: ", ")
      try output.line(
        "\(id)  \("left out", .yellow)  needs records, which this build does not have: \(events)"
      )
    case .run(let outcome):
      let word: Line = outcome.isSound ? "\("ok", .green)" : "\("wrong", .red)"
      let crashes = Quantity.count(outcome.crashes, "crash", "crashes")
      try output.line("\(outcome.id)  \(word)  \(crashes)")
      for line in outcome.differences + outcome.divergences + outcome.objections {
        try output.line("  \(line)")
      }
    }
  }

  private func writeEnd(_ results: [Result], to output: inout Output) throws {
    switch output.format {
    case .jsonl: break
    case .json:
      try output.json { json in
        json.object { json in
          json.field("schema", "tidemark.simulate/1")
          json.array("scenarios") { json in
            for result in results { json.object { result.write(to: &$0) } }
          }
        }
      }
    case .text, .table:
      let ran = results.compactMap { if case .run(let outcome) = $0 { outcome } else { nil } }
      let wrong = ran.count { !$0.isSound }
      let left = results.count - ran.count
      try output.line(
        """
        \(Quantity.count(ran.count, "scenario", "scenarios")) run, \
        \("\(Quantity.count(wrong)) wrong", wrong > 0 ? .red : .green), \
        \(Quantity.count(left)) left out
        """
      )
    }
  }
}

extension Simulation.Outcome {
  fileprivate var isSound: Bool {
    differences.isEmpty && divergences.isEmpty && objections.isEmpty
  }
}

extension Simulate.Result {
  fileprivate var id: String {
    switch self {
    case .run(let outcome): outcome.id
    case .missing(let id, _): id
    case .malformed: ""
    }
  }

  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .malformed(let line, let message):
      json.field("line", line)
      json.field("result", "malformed")
      json.field("message", message)
    case .missing(let id, let names):
      json.field("id", id)
      json.field("result", "left-out")
      json.array("needs") { json in for name in names { json.element(name) } }
    case .run(let outcome):
      json.field("id", outcome.id)
      json.field("result", outcome.isSound ? "ok" : "wrong")
      json.field("crashes", outcome.crashes)
      let lists = [
        ("differences", outcome.differences), ("divergences", outcome.divergences),
        ("objections", outcome.objections),
      ]
      for (name, lines) in lists {
        json.array(name) { json in for line in lines { json.element(line) } }
      }
      outcome.state.write(to: &json, name: "state")
    }
  }
}
