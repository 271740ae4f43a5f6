/// All benchmarks, in the order of `docs/performance.md`.
enum Catalogue {
  static let benchmarks: [Benchmark] =
    Append.all + GroupCommit.all + Idempotency.all + Scan.all + JSONLines.all
    + CommandLineTool.all + ImportHAR.all + LiveStores.all + Rebuilding.all
    + RebuildMemory.all + Bounds.all
}
