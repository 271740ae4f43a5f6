import CTidemarkPeer
import Foundation

/// Adds up the time of what it is told to measure: by the clock, and of the processor.
struct Stopwatch {
  private(set) var nanoseconds: UInt64 = 0

  /// What the process used; others that run on the machine do not count, nor does waiting.
  private(set) var processorNanoseconds: UInt64 = 0

  mutating func measure<Result>(_ work: () throws -> Result) rethrows -> Result {
    let start = Stopwatch.now(CLOCK_MONOTONIC)
    let processorStart = Stopwatch.now(CLOCK_PROCESS_CPUTIME_ID)
    defer {
      nanoseconds += Stopwatch.now(CLOCK_MONOTONIC) - start
      processorNanoseconds += Stopwatch.now(CLOCK_PROCESS_CPUTIME_ID) - processorStart
    }
    return try work()
  }

  mutating func measure(_ work: () async throws -> Void) async rethrows {
    let start = Stopwatch.now(CLOCK_MONOTONIC)
    let processorStart = Stopwatch.now(CLOCK_PROCESS_CPUTIME_ID)
    defer {
      nanoseconds += Stopwatch.now(CLOCK_MONOTONIC) - start
      processorNanoseconds += Stopwatch.now(CLOCK_PROCESS_CPUTIME_ID) - processorStart
    }
    try await work()
  }

  /// How long `work` takes by the clock alone: asking for the processor time of all threads takes
  /// longer than many a thing that is measured.
  static func nanoseconds(of work: () async throws -> Void) async rethrows -> UInt64 {
    let start = now(CLOCK_MONOTONIC)
    try await work()
    return now(CLOCK_MONOTONIC) - start
  }

  static func nanoseconds(of work: () throws -> Void) rethrows -> UInt64 {
    let start = now(CLOCK_MONOTONIC)
    try work()
    return now(CLOCK_MONOTONIC) - start
  }

  /// Runs a program to its end; it must succeed.
  mutating func measure(program words: [String]) throws {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let start = Stopwatch.now(CLOCK_MONOTONIC)
    let status = tidemark_peer_run(&pointers, &processorNanoseconds)
    nanoseconds += Stopwatch.now(CLOCK_MONOTONIC) - start
    guard status == 0 else {
      throw BenchmarkFailure("'\(words.joined(separator: " "))' ended with \(status)")
    }
  }

  /// The lap in which so many units were done.
  func lap(_ units: Int) -> Lap {
    Lap(units: units, nanoseconds: nanoseconds, processorNanoseconds: processorNanoseconds)
  }

  private static func now(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
