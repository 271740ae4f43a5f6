import Foundation

/// What one benchmark gave.
struct Outcome: Sendable {
  /// Product and peer, one after the other.
  struct Round: Sendable {
    var product: Lap
    var peer: Lap

    /// The median of some syncs of the disk, in nanoseconds, at the time of the round.
    var sync: UInt64
  }

  let benchmark: Benchmark
  let rounds: [Round]

  /// The ratio of each round: of the speeds, or of the costs where the goal is a cost.
  ///
  /// Of the peaks of memory where the goal is one of memory.
  var ratios: [Double] {
    guard case .memory = benchmark.goal else { return ratios { Double($0.nanoseconds) } }
    return rounds.map { Double($0.product.peakBytes) / Double(max(1, $0.peer.peakBytes)) }
  }

  var ratio: Double { ratios.median }

  /// The same of the processor's work alone.
  var processorRatio: Double { ratios { Double($0.processorNanoseconds) }.median }

  private func ratios(_ cost: (Lap) -> Double) -> [Double] {
    rounds.map {
      let product = cost($0.product) / Double($0.product.units)
      let peer = cost($0.peer) / Double($0.peer.units)
      return switch benchmark.goal {
      case .speed: peer / product
      case .cost, .memory: product / peer
      }
    }
  }
  var productRate: Double { rounds.map(\.product.rate).median }
  var peerRate: Double { rounds.map(\.peer.rate).median }
  var productPeak: Double { rounds.map { Double($0.product.peakBytes) }.median }
  var peerPeak: Double { rounds.map { Double($0.peer.peakBytes) }.median }

  var isReached: Bool {
    switch benchmark.goal {
    case .speed(let least): ratio >= least
    case .cost(let most), .memory(let most): ratio <= most
    }
  }
}

extension [Double] {
  var median: Double {
    let ordered = sorted()
    return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
  }
}

/// Runs benchmarks, each in a folder of its own that is gone afterwards.
struct Runner {
  var options: Options

  func run(_ benchmark: Benchmark) async throws -> Outcome {
    let folder = "\(options.folder)/tidemark-bench-\(getpid())-\(benchmark.name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let probe = try DiskProbe("\(folder)/probe")
    let setting = Setting(
      folder: folder,
      seed: options.seed,
      scale: options.scale,
      tool: options.tool
    )
    let contest = try await benchmark.prepare(setting)
    var rounds: [Outcome.Round] = []
    for _ in 0..<options.rounds {
      let product = try await contest.product()
      let peer = try await contest.peer()
      rounds.append(Outcome.Round(product: product, peer: peer, sync: try probe.median()))
    }
    try await contest.finish()
    return Outcome(benchmark: benchmark, rounds: rounds)
  }
}
