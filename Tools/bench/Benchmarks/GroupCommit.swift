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
      let count = setting.scaled(200, least: 10)
      return Contest(
        product: { try await callers.append(count).lap },
        peer: try oneCaller(setting, count * 4),
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
          return Lap(slowest: latencies[latencies.count * 99 / 100])
        },
        peer: { Lap(slowest: try probe.median(of: 101)) },
        finish: callers.finish
      )
    },
  ]

  /// The peer, which appends `count` entries in a round, each in a commit of its own.
  static func oneCaller(_ setting: Setting, _ count: Int) throws -> () throws -> Lap {
    let peer = try Peer(setting.file("peer.sqlite"))
    var workload = try Workload(seed: setting.seed, keys: .ordered)
    try peer.append(try workload.load(4000), perCommit: 1)
    try peer.setDurable(true)
    return {
      let load = try workload.load(count)
      var stopwatch = Stopwatch()
      try stopwatch.measure { _ = try peer.append(load, perCommit: 1) }
      return stopwatch.lap(load.drafts.count)
    }
  }

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
        try workload.load(count * 2).drafts.filter { $0.cause == nil }.map { [$0] }
      }
      var latencies: [UInt64] = []
      var stopwatch = Stopwatch()
      try await stopwatch.measure { [writer] in
        latencies = try await withThrowingTaskGroup(of: [UInt64].self) { group in
          for commits in loads {
            group.addTask {
              var latencies: [UInt64] = []
              for drafts in commits {
                latencies.append(
                  try await Stopwatch.nanoseconds { _ = try await writer.append(drafts) }
                )
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
