import Foundation

/// Prints outcomes as they come, and all of them as JSON.
enum Report {
  static func printHeader() {
    for fact in Machine.facts { print("\(fact.name): \(fact.value)") }
    print()
    print(row("work", "asked", "measured", "min–max", "cpu", "product", "peer", "sync"))
  }

  static func print(_ outcome: Outcome, isFullSize: Bool) {
    let ratios = outcome.ratios
    // At another size the goal says nothing.
    let verdict = !isFullSize ? "" : outcome.isReached ? " ok" : " MISSED"
    let isMemory = if case .memory = outcome.benchmark.goal { true } else { false }
    let syncs = outcome.rounds.map { Double($0.sync) / 1000 }
    Swift.print(
      row(
        outcome.benchmark.name,
        outcome.benchmark.goal.description,
        ratio(outcome.ratio) + verdict,
        "\(ratio(ratios.min() ?? 0))–\(ratio(ratios.max() ?? 0))",
        ratio(outcome.processorRatio),
        isMemory ? mebibytes(outcome.productPeak) : rate(outcome.productRate),
        isMemory ? mebibytes(outcome.peerPeak) : rate(outcome.peerRate),
        "\(Int(syncs.min() ?? 0))–\(Int(syncs.max() ?? 0)) µs"
      )
    )
  }

  private static func print(_ text: String = "") { Swift.print(text) }

  private static func row(_ columns: String...) -> String {
    let widths = [26, 7, 14, 14, 7, 11, 11, 0]
    return zip(columns, widths)
      .map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
      .joined(separator: " ")
  }

  private static func ratio(_ value: Double) -> String { String(format: "%.2f", value) }

  private static func mebibytes(_ bytes: Double) -> String {
    String(format: "%.1f MiB", bytes / 1_048_576)
  }

  private static func rate(_ value: Double) -> String {
    switch value {
    case 1e6...: String(format: "%.2f M/s", value / 1e6)
    case 1e3...: String(format: "%.1f k/s", value / 1e3)
    default: String(format: "%.2f /s", value)
    }
  }

  /// All rounds of all outcomes.
  static func json(_ outcomes: [Outcome], _ options: Options) throws -> Data {
    let document = Document(
      machine: Dictionary(uniqueKeysWithValues: Machine.facts.map { ($0.name, $0.value) }),
      scale: options.scale,
      seed: options.seed,
      benchmarks: outcomes.map { Document.Row($0) }
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(document)
  }
}

extension Benchmark.Goal: CustomStringConvertible {
  var description: String {
    switch self {
    case .speed(let least): "≥ \(least)"
    case .cost(let most), .memory(let most): "≤ \(most)"
    }
  }
}

private struct Document: Encodable {
  struct Row: Encodable {
    struct Round: Encodable {
      var ratio: Double
      var productPerSecond: Double
      var peerPerSecond: Double
      var productProcessorNanoseconds: Double
      var peerProcessorNanoseconds: Double
      var productPeakBytes: UInt64
      var peerPeakBytes: UInt64
      var syncNanoseconds: UInt64
    }

    var name: String
    var work: String
    var peer: String
    var goal: String
    var isReached: Bool
    var ratio: Double
    var rounds: [Round]

    init(_ outcome: Outcome) {
      name = outcome.benchmark.name
      work = outcome.benchmark.work
      peer = outcome.benchmark.peer
      goal = outcome.benchmark.goal.description
      isReached = outcome.isReached
      ratio = outcome.ratio
      rounds = zip(outcome.rounds, outcome.ratios).map { round, ratio in
        Round(
          ratio: ratio,
          productPerSecond: round.product.rate,
          peerPerSecond: round.peer.rate,
          productProcessorNanoseconds: round.product.processorPerUnit,
          peerProcessorNanoseconds: round.peer.processorPerUnit,
          productPeakBytes: round.product.peakBytes,
          peerPeakBytes: round.peer.peakBytes,
          syncNanoseconds: round.sync
        )
      }
    }
  }

  var machine: [String: String]
  var scale: Double
  var seed: UInt64
  var benchmarks: [Row]
}
