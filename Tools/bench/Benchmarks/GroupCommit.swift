import Tidemark
import TidemarkEntries
import TidemarkJournalStore

/// Many tasks that append one authored entry each, again and again.
enum GroupCommit {
  static let all: [Benchmark] = [
    Benchmark(
      name: "append-concurrent-32",
      work: "durable append, 32 concurrent callers, 1 entry each",
      peer: "SQLite in C with one caller, 1 per commit",
      goal: .speed(atLeast: 8)
    ) { setting in
      let rivals = try Rivals(setting, keys: .ordered)
      try rivals.fill(to: 4000, perCommit: 1)
      try rivals.peer.setDurable(true)
      let writer = try await writer(setting)
      let perCaller = setting.scaled(200, least: 10)
      let callerCount = 32
      var workload = try Workload(seed: setting.seed &+ 1, keys: .random)
      try await writer.append(try workload.load(1).drafts)
      var appended = 1
      return Contest(
        product: {
          // Reads that begin: they name no other entry, so that any order will do.
          let loads = try (0..<callerCount).map { _ in
            try workload.load(perCaller * 2).drafts.filter { $0.cause == nil }
          }
          var stopwatch = Stopwatch()
          try await stopwatch.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
              for drafts in loads {
                group.addTask { for draft in drafts { try await writer.append([draft]) } }
              }
              try await group.waitForAll()
            }
          }
          appended += callerCount * perCaller
          try require(Int(await writer.last.value), equals: appended, "entries appended")
          return stopwatch.lap(callerCount * perCaller)
        },
        peer: {
          let load = try rivals.next(perCaller * 4)
          for commit in load.commits(of: 1000) {
            try rivals.subject.journal.append(commit, durability: .lazy)
          }
          var stopwatch = Stopwatch()
          try stopwatch.measure { _ = try rivals.peer.append(load, perCommit: 1) }
          return stopwatch.lap(load.drafts.count)
        },
        finish: {
          try await writer.close()
          try rivals.finish()
        }
      )
    }
  ]

  private static func writer(_ setting: Setting) async throws -> JournalWriter {
    try await JournalWriter.open(setting.file("concurrent.tidemark"))
  }
}
