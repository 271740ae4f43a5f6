import TidemarkEntries
import TidemarkJournalStore

/// Reading a journal from its first entry to its last.
enum Scan {
  static let all: [Benchmark] = [
    verified(threads: 1, atLeast: 2), verified(threads: 2, atLeast: 3.5), plain,
  ]

  private static func verified(threads: Int, atLeast: Double) -> Benchmark {
    benchmark(
      "verified-scan-\(threads)",
      "verified scan, \(threads == 1 ? "one core" : "\(threads) cores")",
      atLeast
    ) { reader in
      var count = 0
      _ = try reader.forEach { (entry) throws(JournalError) in
        count += 1
        return true
      } mapping: {
        $0
      }
      return count
    }
  }

  private static let plain = benchmark("scan", "scan without hashing", 1) { reader in
    var count = 0
    _ = try reader.forEach { (entry) throws(JournalError) in
      count += 1
      return true
    } mapping: {
      $0
    }
    return count
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
      peer: "SQLite in C, rows, not verified",
      goal: .speed(atLeast: atLeast)
    ) { setting in
      let rivals = try Rivals(setting, keys: .ordered)
      try rivals.fill(to: setting.scaled(1_000_000), perCommit: 100)
      let reader = try JournalReader(rivals.path)
      let count = Int(reader.last.value)
      return Contest(
        product: {
          var stopwatch = Stopwatch()
          try require(try stopwatch.measure { try scan(reader) }, equals: count, "entries scanned")
          return stopwatch.lap(count)
        },
        peer: {
          var stopwatch = Stopwatch()
          try require(try stopwatch.measure { try rivals.peer.scan() }, equals: count, "rows")
          return stopwatch.lap(count)
        },
        finish: rivals.finish
      )
    }
  }
}
