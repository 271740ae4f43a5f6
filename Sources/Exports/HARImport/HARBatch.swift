internal import TidemarkCompression
internal import TidemarkJournalStore

/// Some steps of an import, and why there are no more of them.
///
/// Bounded by their number and their contents, but for the last of these.
struct HARBatch: Sendable {
  private(set) var steps: [HARStep] = []

  /// What could not be taken of the entries so far.
  private(set) var problems = HARProblems()

  /// How many events of the capture are through with these steps.
  private(set) var eventCount = 0

  /// Why reading ended early, behind these steps.
  private(set) var failure: HARError?

  private static let stepsMax = 2048
  private static let contentBytesMax = 4 << 20

  /// Whether nothing follows.
  private(set) var isLast = false

  /// The next steps.
  init(_ preparation: inout HARPreparation) {
    var contentBytes = 0
    do throws(HARError) {
      while !isLast, steps.count < HARBatch.stepsMax, contentBytes < HARBatch.contentBytesMax {
        if let step = try preparation.next() {
          contentBytes += step.content?.bytes?.count ?? 0
          steps.append(step)
        } else {
          isLast = true
        }
      }
    } catch {
      failure = error
      isLast = true
    }
    problems = preparation.events.problems
    eventCount = preparation.eventCount
  }

  /// Packs contents until `isAwaited` says that somebody waits for the batch; he packs the rest.
  mutating func pack(_ compressor: Compressor, until isAwaited: () -> Bool) {
    for index in steps.indices {
      if isAwaited() { return }
      steps[index].content?.pack(compressor)
    }
  }
}
