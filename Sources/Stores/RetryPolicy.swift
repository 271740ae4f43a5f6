internal import TidemarkEntries

/// How attempts of the outbox follow each other: the wait doubles, and a part of it by chance is
/// taken (full jitter), so that many devices do not come back together.
public struct RetryPolicy: Sendable, Hashable {
  /// The longest wait after the first attempt, in milliseconds.
  public var first: Int64 = 1000

  /// The longest wait of all, in milliseconds.
  public var longest: Int64 = 64_000

  /// How long the server keeps idempotency keys, in milliseconds; nothing: nobody knows.
  ///
  /// What has been in doubt for longer is handed to a person, for the server would take it twice.
  public var keyRetention: Int64?

  /// For how long a server may be at work on an attempt that was lost, in milliseconds.
  ///
  /// Until then its 409 to a further attempt under the same key says that the first is under way.
  public var inProgress: Int64 = 600_000

  /// How many attempts are made before a person decides; nothing: as many as it takes.
  public var attemptsMax: UInt64?

  /// From one second to about a minute, for as long as it takes.
  public init() {}

  /// The wait after so many attempts, in milliseconds.
  package func wait(after attempts: UInt64, _ chance: () -> Double) -> Int64 {
    guard StoreRule.retryBounded.isOn else { return 0 }
    var (bound, rest) = (max(first, 0), attempts)
    while rest > 1, bound > 0, bound < longest {
      (bound, rest) = (bound > longest / 2 ? longest : bound * 2, rest - 1)
    }
    let wait = (Double(min(bound, max(longest, 0))) * chance()).rounded()
    return Int64(exactly: wait) ?? .max
  }
}
