import TidemarkJournalStore

/// Appending, so and so many entries in a commit.
enum Append {
  /// How entries are appended, and what is asked of it.
  struct Commits: Sendable {
    var name: String
    var work: String
    var perCommit: Int
    var keys = Workload.Keys.ordered
    var durability = Durability.authored
    var asked: Double
    fileprivate var size: Int

    /// Both write-ahead logs are as long as they get: a file that grows takes longer to sync.
    func fill(_ setting: Setting) -> Int {
      durability == .authored ? 4000 : setting.scaled(1_000_000)
    }

    var filledPerCommit: Int { durability == .authored ? 1 : 1000 }

    /// How many entries a round appends.
    func count(_ setting: Setting) -> Int {
      durability == .authored
        ? setting.scaled(size / perCommit, least: 4) * perCommit
        : setting.scaled(size, least: 10_000)
    }
  }

  static let commits: [Commits] = [
    durable(1, commits: 400, asked: 1.0),
    durable(10, commits: 400, asked: 1.0),
    durable(100, commits: 200, asked: 1.4),
    durable(1000, commits: 40, asked: 1.4),
    lazy(.ordered, asked: 2.5),
    lazy(.random, asked: 10),
  ]

  private static func durable(_ perCommit: Int, commits: Int, asked: Double) -> Commits {
    Commits(
      name: "append-durable-\(perCommit)",
      work: "durable append, \(perCommit) per commit",
      perCommit: perCommit,
      asked: asked,
      size: commits * perCommit
    )
  }

  private static func lazy(_ keys: Workload.Keys, asked: Double) -> Commits {
    Commits(
      name: "append-lazy-\(keys)",
      work: "lazy append, 1000 per commit, \(keys) keys",
      perCommit: 1000,
      keys: keys,
      durability: .lazy,
      asked: asked,
      size: 100_000
    )
  }

  static let all: [Benchmark] = commits.map { commits in
    Benchmark(
      name: commits.name,
      work: commits.work,
      peer: "SQLite in C",
      goal: .speed(atLeast: commits.asked)
    ) { setting in
      let rivals = try Rivals(setting, keys: commits.keys)
      try rivals.fill(to: commits.fill(setting), perCommit: commits.filledPerCommit)
      try rivals.peer.setDurable(commits.durability == .authored)
      return try contest(rivals, commits.count(setting), commits.perCommit, commits.durability)
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
