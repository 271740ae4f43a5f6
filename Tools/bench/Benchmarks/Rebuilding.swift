import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections

/// Making the projections anew, against folding alone.
enum Rebuilding {
  static let all: [Benchmark] = [
    benchmark("materialise", "make the projections of 100,000 entries anew, on disk", 100_000),
    benchmark("rebuild", "make the projections of a million entries anew, on disk", 1_000_000),
  ]

  private static func benchmark(_ name: String, _ work: String, _ count: Int) -> Benchmark {
    Benchmark(
      name: name,
      work: work,
      peer: "evolve into the shelf alone, in memory",
      goal: .speed(atLeast: 0.5)
    ) { setting in
      let subject = try Subject(setting, keys: .ordered)
      try subject.fill(to: setting.scaled(count, least: 20_000), perCommit: 100)
      let reader = try JournalReader(subject.path)
      let count = Int(reader.last.value)
      let path = setting.file("projections")
      return Contest(
        product: {
          Files.removeDatabase(path)
          var stopwatch = Stopwatch()
          let file = try ProjectionsFile(path, of: reader.identity.journal)
          var catching = try CatchingUp(file, reader)
          guard try stopwatch.measure({ try catching.run(reader) }) else {
            throw BenchmarkFailure("the rebuild was ended")
          }
          try require(Int(catching.position.value), equals: count, "entries")
          return stopwatch.lap(count)
        },
        peer: {
          var stopwatch = Stopwatch()
          var projector = Projector(Shelf.self)
          try stopwatch.measure { try projector.run(reader) }
          try require(Int(projector.position.value), equals: count, "entries")
          return stopwatch.lap(count)
        },
        finish: subject.finish
      )
    }
  }
}
