import CTidemarkPeer
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

/// Reading a journal from its first entry to its last, against the rows of the peer.
enum Scan {
  static let all: [Benchmark] = [
    benchmark("verified-scan", "verify: unpack, read, hash, compare the tree", 2, verify),
    limit,
    benchmark("evolve", "evolve into the shelf", 1) { reader in
      var projector = Projector(Shelf.self)
      try projector.run(reader)
      try require(projector.findings.count, equals: 0, "findings")
      try require(projector.state.stores.count, equals: 1, "stores")
      return Int(projector.position.value)
    },
  ]

  /// The physical limit: hashing takes longer than the rows of SQLite.
  private static let limit = Benchmark(
    name: "verify-limit",
    work: "verify, on all processors",
    peer: "the same blocks unpacked and hashed in C on one, nothing compared",
    goal: .speed(atLeast: 1)
  ) { setting in
    let subject = try Subject(setting, keys: .ordered)
    try subject.fill(to: setting.scaled(1_000_000, least: 20_000), perCommit: 100)
    let reader = try JournalReader(subject.path)
    let count = Int(reader.last.value)
    return Contest(
      product: {
        var stopwatch = Stopwatch()
        try require(try stopwatch.measure { try verify(reader) }, equals: count, "entries")
        return stopwatch.lap(count)
      },
      peer: {
        var stopwatch = Stopwatch()
        let read = try stopwatch.measure {
          try LimitJournal.read(subject.path, tidemark_limit_hashes)
        }
        try require(read, equals: count, "entries")
        return stopwatch.lap(count)
      },
      finish: subject.finish
    )
  }

  private static func verify(_ reader: JournalReader) throws -> Int {
    let report = try Verification.verify(reader)
    try require(report.findings.count, equals: 0, "findings")
    guard report.root != nil else { throw BenchmarkFailure("no root") }
    return Int(report.entries)
  }

  private static func benchmark(
    _ name: String,
    _ work: String,
    _ atLeast: Double,
    _ scan: @escaping @Sendable (JournalReader) throws -> Int
  ) -> Benchmark {
    Benchmark(
      name: name,
      work: work,
      peer: "row scan of SQLite in C, nothing verified",
      goal: .speed(atLeast: atLeast)
    ) { setting in
      let rivals = try Rivals(setting, keys: .ordered)
      try rivals.fill(to: setting.scaled(1_000_000, least: 20_000), perCommit: 100)
      let reader = try JournalReader(rivals.subject.path)
      let count = Int(reader.last.value)
      return Contest(
        product: {
          var stopwatch = Stopwatch()
          try require(try stopwatch.measure { try scan(reader) }, equals: count, "entries")
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
}
