/// The items of a few runs in ascending order, part by part; memory holds one bucket of each.
struct RunParts {
  private let runs: [RunIndex.Run]

  /// A part is all items with the same first bits; so many that each run has whole buckets.
  private let bits: UInt64
  private var number: Int64 = 0

  init(of runs: [RunIndex.Run]) {
    self.runs = runs
    bits = runs.map(\.bucketBits).min() ?? 0
  }

  mutating func next(
    _ appendBucket: (RunIndex.Run, Int64, inout [IndexItem]) throws(IndexFailure) -> Void
  ) throws(IndexFailure) -> [IndexItem]? {
    guard number < 1 << bits else { return nil }
    var items: [IndexItem] = []
    for run in runs {
      let finer = run.bucketBits - bits
      for place in (number << finer)..<((number + 1) << finer) {
        try appendBucket(run, place, &items)
      }
    }
    number += 1
    // Each run gives its items in ascending order, which makes this a merge.
    items.sort()
    return items
  }
}
