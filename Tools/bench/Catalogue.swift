/// All benchmarks, in the order of `docs/performance.md`.
enum Catalogue {
  static let benchmarks: [Benchmark] = Append.all + Scan.all
}
