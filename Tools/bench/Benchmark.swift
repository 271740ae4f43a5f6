/// One comparison: the product and a peer do the same work, and the ratio counts.
struct Benchmark: Sendable {
  /// What the ratio must reach.
  enum Goal: Sendable {
    /// The product does at least so many times as much in the same time.
    case speed(atLeast: Double)

    /// The product takes at most so many times as long.
    case cost(atMost: Double)

    /// The product needs at most so many times the memory, at its peak.
    case memory(atMost: Double)
  }

  /// Its name on the command line: `append-durable-1`.
  let name: String

  /// What is done, and against whom, for people.
  let work: String
  let peer: String

  let goal: Goal

  /// Programs without which it is skipped.
  var needs: [String] = []

  let prepare: @Sendable (Setting) async throws -> Contest
}

/// A benchmark that is set up: both sides can run, again and again.
struct Contest {
  var product: () async throws -> Lap
  var peer: () async throws -> Lap

  /// Compares what both sides have at the end; a benchmark that measured nothing throws here.
  var finish: () async throws -> Void = {}
}

/// So much was done in so much time.
struct Lap: Sendable {
  var units: Int
  var nanoseconds: UInt64

  /// What the processor worked for it, without waiting for the disk.
  var processorNanoseconds: UInt64

  /// The most memory that was resident, where that is what counts.
  var peakBytes: UInt64 = 0

  init(units: Int, nanoseconds: UInt64, processorNanoseconds: UInt64, peakBytes: UInt64 = 0) {
    self.units = units
    self.nanoseconds = nanoseconds
    self.processorNanoseconds = processorNanoseconds
    self.peakBytes = peakBytes
  }

  /// One unit, the slowest of many.
  init(slowest nanoseconds: UInt64) {
    self.init(units: 1, nanoseconds: nanoseconds, processorNanoseconds: nanoseconds)
  }

  /// Units a second.
  var rate: Double { Double(units) * 1e9 / Double(max(1, nanoseconds)) }

  /// Nanoseconds of the processor's work for one unit.
  var processorPerUnit: Double { Double(processorNanoseconds) / Double(units) }
}

/// Where a benchmark works, and how much of it.
struct Setting: Sendable {
  /// A folder of its own.
  let folder: String

  let seed: UInt64

  /// 1 is the size that `docs/performance.md` shows; `--quick` takes less.
  let scale: Double

  /// The built tool, `tidemark`.
  let tool: String

  func file(_ name: String) -> String { "\(folder)/\(name)" }

  /// `count` at the scale, but never below `least`.
  func scaled(_ count: Int, least: Int = 1) -> Int {
    max(least, Int(Double(count) * scale))
  }
}

/// A benchmark that did not do what it says.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws with `what` unless the two are equal.
func require<Value: Equatable>(_ left: Value, equals right: Value, _ what: String) throws {
  guard left == right else { throw BenchmarkFailure("\(what): \(left) is not \(right)") }
}
