import CTidemarkPeer
import TidemarkEntries
import TidemarkJournalStore

/// How far ahead of the peers anybody could come with this format: the least work, in C, against
/// the same peers, with the ratios that are asked of the product.
enum Bounds {
  static let all: [Benchmark] =
    Append.commits.map(append) + [callers, slowest, duplicate]
    + [
      scan("bound-verified-scan", "unpack and hash all entries", 2, tidemark_limit_hashes),
      scan("bound-evolve", "unpack all entries", 1, tidemark_limit_walks), capture,
    ]

  private static let callerCount = 32

  private static func append(_ commits: Append.Commits) -> Benchmark {
    Benchmark(
      name: "bound-\(commits.name)",
      work: "the least of: \(commits.work)",
      peer: "SQLite in C",
      goal: .speed(atLeast: commits.asked)
    ) { setting in
      let rivals = try BoundRivals(setting, commits.keys)
      try rivals.fill(to: commits.fill(setting), perCommit: commits.filledPerCommit)
      try rivals.setDurable(commits.durability == .authored)
      let count = commits.count(setting)
      return Contest(
        product: {
          rivals.load = try rivals.workload.load(count)
          var stopwatch = Stopwatch()
          try stopwatch.measure {
            try rivals.limit.append(rivals.load, perCommit: commits.perCommit)
          }
          return stopwatch.lap(count)
        },
        peer: {
          var stopwatch = Stopwatch()
          let refused = try stopwatch.measure {
            try rivals.peer.append(rivals.load, perCommit: commits.perCommit)
          }
          try require(refused, equals: 0, "rows refused")
          return stopwatch.lap(count)
        },
        finish: rivals.finish
      )
    }
  }

  /// No callers need less than one who has all their entries at once.
  private static let callers = Benchmark(
    name: "bound-append-concurrent-\(callerCount)",
    work: "the same journal, one caller who has the entries of all \(callerCount)",
    peer: "SQLite in C with one caller, 1 per commit",
    goal: .speed(atLeast: 8)
  ) { setting in
    let together = try Together(setting, callerCount)
    let count = setting.scaled(200, least: 10)
    return Contest(
      product: { try together.append(count).lap },
      peer: try GroupCommit.oneCaller(setting, count * 4),
      finish: together.subject.finish
    )
  }

  private static let slowest = Benchmark(
    name: "bound-latency-concurrent-\(callerCount)",
    work: "the slowest of 100 commits of \(callerCount) entries, one caller",
    peer: "the median sync of the disk",
    goal: .cost(atMost: 4)
  ) { setting in
    let together = try Together(setting, callerCount)
    let probe = try DiskProbe(setting.file("sync"))
    let count = setting.scaled(200, least: 10)
    return Contest(
      product: {
        let latencies = try together.append(count).latencies.sorted()
        return Lap(slowest: latencies[latencies.count * 99 / 100])
      },
      peer: { Lap(slowest: try probe.median(of: 101)) },
      finish: together.subject.finish
    )
  }

  private static let duplicate = Benchmark(
    name: "bound-duplicate-old",
    work: "the least of: find an entry by its place, unpack it, compare it",
    peer: "SQLite in C, which refuses its key",
    goal: .speed(atLeast: 10)
  ) { setting in
    let rivals = try Rivals(setting, keys: .random, keepsLoads: true)
    try rivals.fill(to: setting.scaled(1_000_000, least: 100_000))
    var chance = SplitMix64(seed: 3)
    let places = (0..<1000).map { _ in
      1 + Int(chance.next() % UInt64(rivals.given.drafts.count - 1))
    }
    let load = rivals.given.picking(places)
    // The opening of the store stands before all that was given.
    let seqs = places.map { UInt64($0 + 2) }
    return Contest(
      product: {
        var stopwatch = Stopwatch()
        let found = try stopwatch.measure {
          try LimitJournal.find(load, at: seqs, in: rivals.subject.path)
        }
        try require(found, equals: seqs.count, "entries found")
        return stopwatch.lap(found)
      },
      peer: {
        var stopwatch = Stopwatch()
        let refused = try stopwatch.measure { try rivals.peer.append(load, perCommit: 1) }
        try require(refused, equals: seqs.count, "rows refused")
        return stopwatch.lap(refused)
      },
      finish: rivals.finish
    )
  }

  private static func scan(
    _ name: String,
    _ work: String,
    _ asked: Double,
    _ limit: tidemark_limit_work
  ) -> Benchmark {
    Benchmark(
      name: name,
      work: "the least of: \(work)",
      peer: "row scan of SQLite in C, nothing verified",
      goal: .speed(atLeast: asked)
    ) { setting in
      let rivals = try Rivals(setting, keys: .ordered)
      try rivals.fill(to: setting.scaled(1_000_000, least: 20_000), perCommit: 100)
      let count = Int(rivals.subject.journal.last.value)
      return Contest(
        product: {
          var stopwatch = Stopwatch()
          let read = try stopwatch.measure { try LimitJournal.read(rivals.subject.path, limit) }
          try require(read, equals: count, "entries")
          return stopwatch.lap(count)
        },
        peer: {
          var stopwatch = Stopwatch()
          try require(try stopwatch.measure { try rivals.peer.scan() }, equals: count - 1, "rows")
          return stopwatch.lap(count - 1)
        },
        finish: rivals.finish
      )
    }
  }

  private static let capture = Benchmark(
    name: "bound-import-har",
    work: "the least of: read a capture once, keep its bodies",
    peer: "Python's json.load of the file",
    goal: .speed(atLeast: 1.5),
    needs: ["python3"]
  ) { setting in
    try ImportHAR.contest(setting) { capture, bytes, round in
      let journal = setting.file("import-\(round).sqlite")
      var stopwatch = Stopwatch()
      let bodies = try stopwatch.measure { try LimitJournal.importing(capture, into: journal) }
      guard bodies > bytes / 20_000 else {
        throw BenchmarkFailure("only \(bodies) bodies were kept")
      }
      return stopwatch.lap(bytes)
    }
  }
}

/// The least work in C and its peer, which get the same entries.
private final class BoundRivals {
  var workload: Workload
  let limit: LimitJournal
  let peer: Peer

  /// What both get in a round.
  var load = Load()

  init(_ setting: Setting, _ keys: Workload.Keys) throws {
    workload = try Workload(seed: setting.seed, keys: keys)
    limit = try LimitJournal(setting)
    peer = try Peer(setting.file("peer.sqlite"))
  }

  func fill(to count: Int, perCommit: Int) throws {
    try setDurable(false)
    try peer.setCache(kibibytes: 512 << 10)
    for start in stride(from: 0, to: count, by: 50_000) {
      let load = try workload.load(min(50_000, count - start))
      try limit.append(load, perCommit: perCommit)
      try peer.append(load, perCommit: perCommit)
    }
    try peer.setCache(kibibytes: 2000)
  }

  func setDurable(_ isDurable: Bool) throws {
    try limit.setDurable(isDurable)
    try peer.setDurable(isDurable)
  }

  func finish() throws {
    try limit.finish()
    _ = try peer.scan()
  }
}

/// A journal that one caller gives the entries of many, each by itself, in one commit.
private final class Together {
  let subject: Subject
  private let callerCount: Int

  init(_ setting: Setting, _ callerCount: Int) throws {
    self.callerCount = callerCount
    subject = try Subject(setting, keys: .random)
  }

  func append(_ count: Int) throws -> (lap: Lap, latencies: [UInt64]) {
    let drafts = try subject.next(count * callerCount).drafts.map { [$0] }
    var latencies: [UInt64] = []
    var stopwatch = Stopwatch()
    try stopwatch.measure {
      for start in stride(from: 0, to: drafts.count, by: callerCount) {
        latencies.append(
          try Stopwatch.nanoseconds {
            for draft in drafts[start..<start + callerCount] { try subject.journal.stage(draft) }
            try subject.journal.commit(.authored)
          }
        )
      }
    }
    return (stopwatch.lap(drafts.count), latencies)
  }
}
