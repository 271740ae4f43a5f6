import TidemarkEntries
import TidemarkJournalStore

/// Looking at the key: what it costs as the journal grows, and what a second attempt costs.
enum Idempotency {
  static let all: [Benchmark] = [
    growth,
    duplicates("duplicate-recent", "refuse a retry, one a call, of the last 1,000 entries") {
      count in
      (0..<20_000).map { count - 1 - $0 % 1000 }
    },
    duplicates("duplicate-old", "refuse a retry, one a call, of any entry") { count in
      var chance = SplitMix64(seed: 3)
      return (0..<1000).map { _ in 1 + Int(chance.next() % UInt64(count - 1)) }
    },
    repeatedBatch,
  ]

  /// The same work on a large journal and on a small one; the small one is the peer.
  private static let growth = Benchmark(
    name: "append-at-1M",
    work: "append through the key check, random keys, at 1 M entries",
    peer: "the same at 10 k entries",
    goal: .cost(atMost: 1.1)
  ) { setting in
    let large = try Subject(setting, keys: .random, name: "large")
    try large.fill(to: setting.scaled(1_000_000, least: 100_000))
    // Eight times the tail of the index: the merging of runs has its share.
    let count = Limits.indexTailEntriesMax * 8
    var round = 0
    return Contest(
      product: { try append(count, to: large) },
      peer: {
        round += 1
        let small = try Subject(setting, keys: .random, name: "small-\(round)")
        try small.fill(to: 10_000)
        let lap = try append(count, to: small)
        try small.finish()
        return lap
      },
      finish: large.finish
    )
  }

  private static func append(_ count: Int, to subject: Subject) throws -> Lap {
    let commits = try subject.next(count).commits(of: 100)
    var stopwatch = Stopwatch()
    try stopwatch.measure {
      for commit in commits { try subject.journal.append(commit, durability: .lazy) }
    }
    return stopwatch.lap(count)
  }

  private static func duplicates(
    _ name: String,
    _ work: String,
    _ places: @escaping @Sendable (Int) -> [Int]
  ) -> Benchmark {
    Benchmark(name: name, work: work, peer: "SQLite in C", goal: .speed(atLeast: 10)) { setting in
      let rivals = try Rivals(setting, keys: .random, keepsLoads: true)
      try rivals.fill(to: setting.scaled(1_000_000, least: 100_000))
      let load = rivals.given.picking(places(rivals.given.drafts.count))
      return try contest(rivals, load, perCall: 1)
    }
  }

  private static let repeatedBatch = Benchmark(
    name: "duplicate-batch",
    work: "refuse 100,000 entries again, 1000 a call",
    peer: "SQLite in C",
    goal: .speed(atLeast: 10)
  ) { setting in
    let rivals = try Rivals(setting, keys: .random, keepsLoads: true)
    try rivals.fill(to: setting.scaled(1_000_000, least: 100_000))
    let count = setting.scaled(100_000, least: 10_000)
    return try contest(rivals, rivals.given.picking(Array(count..<(2 * count))), perCall: 1000)
  }

  private static func contest(_ rivals: Rivals, _ load: Load, perCall: Int) throws -> Contest {
    let calls = load.commits(of: perCall)
    let last = rivals.subject.journal.last
    return Contest(
      product: {
        var stopwatch = Stopwatch()
        let refused = try stopwatch.measure {
          try calls.reduce(0) { sum, call in
            sum + (try rivals.subject.journal.append(call).count { $0.isRefused })
          }
        }
        try require(refused, equals: load.drafts.count, "entries refused")
        try require(rivals.subject.journal.last, equals: last, "the last entry")
        return stopwatch.lap(refused)
      },
      peer: {
        var stopwatch = Stopwatch()
        let refused = try stopwatch.measure { try rivals.peer.append(load, perCommit: perCall) }
        try require(refused, equals: load.drafts.count, "rows refused")
        return stopwatch.lap(refused)
      },
      finish: rivals.finish
    )
  }
}

extension AppendOutcome {
  fileprivate var isRefused: Bool {
    if case .alreadyAppended = self { true } else { false }
  }
}
