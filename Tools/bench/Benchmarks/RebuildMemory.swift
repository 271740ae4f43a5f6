import Foundation
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections

/// How much memory making the projections anew takes, where entries are more and paths are not.
///
/// A process of its own does it each time, so that what was made before it does not count.
enum RebuildMemory {
  /// Begins the command line of that process.
  static let word = "--rebuild-and-tell-peak"

  static let all: [Benchmark] = [
    Benchmark(
      name: "rebuild-memory",
      work: "make the projections of a million entries anew: the most memory",
      peer: "the same of 10,000 entries of the same 500 paths",
      goal: .memory(atMost: 1.5)
    ) { setting in
      let large = try journal(setting, "large", setting.scaled(1_000_000, least: 20_000))
      let small = try journal(setting, "small", 10_000)
      return Contest(
        product: { try lap(of: large, setting) },
        peer: { try lap(of: small, setting) }
      )
    }
  ]

  private static func journal(
    _ setting: Setting,
    _ name: String,
    _ count: Int
  ) throws -> (path: String, count: Int) {
    let subject = try Subject(setting, keys: .ordered, paths: 500, name: name)
    try subject.fill(to: count, perCommit: 100)
    try subject.finish()
    return (subject.path, count)
  }

  private static func lap(of journal: (path: String, count: Int), _ setting: Setting) throws -> Lap
  {
    let (projections, told) = (setting.file("projections"), setting.file("peak"))
    Files.removeDatabase(projections)
    var stopwatch = Stopwatch()
    try stopwatch.measure(
      program: [CommandLine.arguments[0], word, journal.path, projections, told]
    )
    let words = try String(contentsOfFile: told, encoding: .utf8).split(separator: " ")
    try require(words.first.flatMap { Int($0) }, equals: journal.count, "entries")
    guard let peak = words.last.flatMap({ UInt64($0) }), peak > 0 else {
      throw BenchmarkFailure("the peak of the memory is not known here")
    }
    var lap = stopwatch.lap(journal.count)
    lap.peakBytes = peak
    return lap
  }

  /// Makes the projections anew, and writes down how many entries they are of and the peak.
  static func child(_ arguments: some Collection<String>) throws {
    let paths = Array(arguments.dropFirst())
    guard paths.count == 3 else { throw BenchmarkFailure(Options.usage) }
    let reader = try JournalReader(paths[0])
    let file = try ProjectionsFile(paths[1], of: reader.identity.journal)
    var catching = try CatchingUp(file, reader)
    guard try catching.run(reader) else { throw BenchmarkFailure("the rebuild was ended") }
    let told = "\(catching.position.value) \(Machine.peakBytes)"
    try told.write(toFile: paths[2], atomically: false, encoding: .utf8)
  }
}
