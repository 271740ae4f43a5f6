import TidemarkJournalStore

/// Appending, so and so many entries in a commit.
enum Append {
  static let all: [Benchmark] = [
    durable(1, commits: 400, atLeast: 1.0),
    durable(10, commits: 400, atLeast: 1.0),
    durable(100, commits: 200, atLeast: 1.4),
    durable(1000, commits: 40, atLeast: 1.4),
    lazy(.ordered, atLeast: 2.5),
    lazy(.random, atLeast: 10),
  ]

  private static func durable(_ perCommit: Int, commits: Int, atLeast: Double) -> Benchmark {
    Benchmark(
      name: "append-durable-\(perCommit)",
      work: "durable append, \(perCommit) per commit",
      peer: "SQLite in C",
      goal: .speed(atLeast: atLeast)
    ) { setting in
      let rivals = try Rivals(setting, keys: .ordered)
      // Both write-ahead logs are as long as they get: a file that grows takes longer to sync.
      try rivals.fill(to: 4000, perCommit: 1)
      try rivals.peer.setDurable(true)
      let count = setting.scaled(commits, least: 4) * perCommit
      return try contest(rivals, count, perCommit, .authored)
    }
  }

  private static func lazy(_ keys: Workload.Keys, atLeast: Double) -> Benchmark {
    Benchmark(
      name: "append-lazy-\(keys)",
      work: "lazy append, 1000 per commit, \(keys) keys",
      peer: "SQLite in C",
      goal: .speed(atLeast: atLeast)
    ) { setting in
      let rivals = try Rivals(setting, keys: keys)
      try rivals.fill(to: setting.scaled(1_000_000))
      return try contest(rivals, setting.scaled(100_000, least: 10_000), 1000, .lazy)
    }
  }

  private static func contest(
    _ rivals: Rivals,
    _ count: Int,
    _ perCommit: Int,
    _ durability: Durability
  ) throws -> Contest {
    // Both sides of a round get the same entries; the peer runs second and takes what is kept here.
    var load = Load()
    return Contest(
      product: {
        load = Load()
        var stopwatch = Stopwatch()
        // An app appends what it has just made: nothing of it is far away in memory.
        for _ in 0..<(count / perCommit) {
          let commit = try rivals.next(perCommit)
          try stopwatch.measure {
            _ = try rivals.subject.journal.append(commit.drafts, durability: durability)
          }
          load.append(commit)
        }
        return stopwatch.lap(count)
      },
      peer: {
        var stopwatch = Stopwatch()
        let refused = try stopwatch.measure { try rivals.peer.append(load, perCommit: perCommit) }
        try require(refused, equals: 0, "rows refused")
        return stopwatch.lap(count)
      },
      finish: rivals.finish
    )
  }
}
