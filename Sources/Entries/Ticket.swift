/// The right of one read to land: which store it began in, under which generation, and where.
///
/// Printed as `incarnation.generation.begin`, for example `3.7.211`.
public struct Ticket: Sendable, Hashable, CustomStringConvertible {
  /// The seq of the `store-opened` entry of its store.
  public var incarnation: Seq

  /// The generation that the store had when the read began.
  public var generation: UInt64

  /// The seq of the `read-began` entry.
  public var begin: Seq

  public init(incarnation: Seq, generation: UInt64, begin: Seq) {
    self.incarnation = incarnation
    self.generation = generation
    self.begin = begin
  }

  public var description: String { "\(incarnation).\(generation).\(begin)" }

  /// The ticket that `text` prints, or nothing if it prints none.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
    guard parts.count == 3, let store = parts[0], let generation = parts[1], let begin = parts[2]
    else { return nil }
    self.init(incarnation: Seq(store), generation: generation, begin: Seq(begin))
  }
}
