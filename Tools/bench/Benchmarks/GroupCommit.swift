import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// Many tasks that append one authored entry each, again and again.
enum GroupCommit {
  private static let callerCount = 32

  static let all: [Benchmark] = [
    Benchmark(
      name: "append-concurrent-32",
      work: "durable append, \(callerCount) concurrent callers, 1 entry each",
      peer: "SQLite in C with one caller, 1 per commit",
      goal: .speed(atLeast: 8)
    ) { setting in
      let callers = try await Callers(setting)
      let peer = try Peer(setting.file("peer.sqlite"))
      var workload = try Workload(seed: setting.seed, keys: .ordered)
      try peer.append(try workload.load(4000), perCommit: 1)
      try peer.setDurable(true)
      let count = setting.scaled(200, least: 10)
      return Contest(
        product: { try await callers.append(count).lap },
        peer: {
          let load = try workload.load(count * 4)
          var stopwatch = Stopwatch()
          try stopwatch.measure { _ = try peer.append(load, perCommit: 1) }
          return stopwatch.lap(load.drafts.count)
        },
        finish: callers.finish
      )
    },
    Benchmark(
      name: "latency-concurrent-32",
      work: "the slowest of 100 durable appends, \(callerCount) concurrent callers",
      peer: "the median sync of the disk",
      goal: .cost(atMost: 4)
    ) { setting in
      let callers = try await Callers(setting)
      let probe = try DiskProbe(setting.file("sync"))
      let count = setting.scaled(200, least: 10)
      return Contest(
        product: {
          let latencies = try await callers.append(count).latencies.sorted()
          let slow = latencies[latencies.count * 99 / 100]
          return Lap(units: 1, nanoseconds: slow, processorNanoseconds: slow)
        },
        peer: {
          let sync = try probe.median(of: 101)
          return Lap(units: 1, nanoseconds: sync, processorNanoseconds: sync)
        },
        finish: callers.finish
      )
    },
  ]

  /// The callers of one journal.
  private final class Callers {
    private let writer: JournalWriter
    private var workload: Workload
    private var appended = 1

    init(_ setting: Setting) async throws {
      writer = try await JournalWriter.open(setting.file("concurrent.tidemark"))
      workload = try Workload(seed: setting.seed &+ 1, keys: .random)
      try await writer.append(try workload.load(1).drafts)
    }

    /// Each caller appends `count` entries, one after the other.
    func append(_ count: Int) async throws -> (lap: Lap, latencies: [UInt64]) {
      // Reads that begin: they name no other entry, so that any order will do.
      let loads = try (0..<callerCount).map { _ in
        try workload.load(count * 2).drafts.filter { $0.cause == nil }
      }
      var latencies: [UInt64] = []
      var stopwatch = Stopwatch()
      try await stopwatch.measure { [writer] in
        latencies = try await withThrowingTaskGroup(of: [UInt64].self) { group in
          for drafts in loads {
            group.addTask {
              var latencies: [UInt64] = []
              for draft in drafts {
                var stopwatch = Stopwatch()
                try await stopwatch.measure { _ = try await writer.append([draft]) }
                latencies.append(stopwatch.nanoseconds)
              }
              return latencies
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }
      appended += callerCount * count
      try require(Int(await writer.last.value), equals: appended, "entries appended")
      return (stopwatch.lap(callerCount * count), latencies)
    }

    func finish() async throws { try await writer.close() }
  }
}
