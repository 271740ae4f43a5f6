/// Adds up the time of what it is told to measure.
struct Stopwatch {
  private(set) var nanoseconds: UInt64 = 0

  mutating func measure<Result>(_ work: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    defer {
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      nanoseconds += UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }
    return try work()
  }
}
