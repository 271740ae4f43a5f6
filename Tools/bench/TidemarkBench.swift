import Foundation

/// Measures the product against peers, each as a ratio inside one run.
///
/// See `docs/performance.md`. Exits 0 also where a goal is missed: speed is read, never asserted.
@main
struct TidemarkBench {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--help") { return print(Options.usage) }
    if arguments.first == RebuildMemory.word { return try RebuildMemory.child(arguments) }
    if arguments.contains("--list") {
      for benchmark in Catalogue.benchmarks { print("\(benchmark.name)\t\(benchmark.work)") }
      return
    }
    do {
      try await run(try Options(arguments))
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: Options) async throws {
    let runner = Runner(options: options)
    let chosen = options.chosen(from: Catalogue.benchmarks)
    guard !chosen.isEmpty else {
      throw BenchmarkFailure("no benchmark has such a name; see --list")
    }
    Report.printHeader()
    var outcomes: [Outcome] = []
    for benchmark in chosen {
      let outcome = try await runner.run(benchmark)
      Report.print(outcome, isFullSize: options.scale >= 1)
      fflush(nil)
      outcomes.append(outcome)
    }
    if let path = options.json {
      try Report.json(outcomes, options).write(to: URL(fileURLWithPath: path))
    }
  }

  private static func isThere(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}
