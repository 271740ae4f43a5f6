internal import TidemarkEntries

/// The changes of one store that its reads in flight may have missed.
struct StoreChanges {
  /// A change that was answered, with what tells what it did.
  struct Answered {
    var change: Race.Change
    var touches: [Touch]?
    var removed: [Path] = []
    var answer: BodyReference?
    var sent: BodyReference?
  }

  /// A change that was sent.
  struct Sent {
    var seq: Seq
    var store: Seq
    var time: DeviceTime
    var path: Path
    var kind: MutationSent
  }

  /// In the order of their answers.
  private var answered: [Answered] = []
  private var answers = TouchIndex()

  /// How many answers there may be before it is worth a look which matter no more.
  private var limit = 64

  /// Those without an answer, by their sending.
  private var sent: [Seq: Sent] = [:]
  private var sendings = TouchIndex()

  /// The begins of reads, in order; some may have ended.
  private var begins: [Seq] = []

  /// How many begins there may be before it is worth a look which reads have ended.
  private var beginsLimit = 64

  private static let answersMax = 16_384

  // MARK: In flight

  mutating func begin(_ read: Seq) { begins.append(read) }

  mutating func send(_ change: Sent) {
    sent[change.seq] = change
    sendings.insert(change.seq, change.kind.touches)
  }

  /// The change that was sent at `seq`, which is not in flight any more.
  mutating func end(_ seq: Seq) -> Sent? {
    guard let change = sent.removeValue(forKey: seq) else { return nil }
    sendings.remove(seq, change.kind.touches)
    return change
  }

  /// The last changes in flight that touch `path`.
  func inFlight(_ count: Int, touching path: Path) -> [Sent] {
    sendings.last(count, touching: path, in: Seq(0)..<Seq(.max)).compactMap { sent[$0] }
  }

  // MARK: Answered

  mutating func answer(_ change: Answered) {
    answered.append(change)
    answers.insert(change.change.answered, change.touches)
  }

  /// The last changes that touch `path` and were answered in `range`.
  func answered(_ count: Int, touching path: Path, in range: Range<Seq>) -> [Answered] {
    answers.last(count, touching: path, in: range).compactMap { seq in
      let place = answered.firstPlace { $0.change.answered >= seq }
      return place < answered.count ? answered[place] : nil
    }
  }

  /// Forgets answers that came before every read in flight began.
  ///
  /// - Parameter isOpen: whether a read has not ended.
  /// - Complexity: O(1) amortised.
  mutating func forgetAnswers(_ isOpen: (Seq) -> Bool) {
    if begins.count > beginsLimit {
      begins.removeAll { !isOpen($0) }
      beginsLimit = max(64, 2 * begins.count)
    }
    guard answered.count > limit else { return }
    let oldest = begins.first(where: isOpen) ?? Seq(.max)
    answered.removeAll { $0.change.answered <= oldest }
    answered.removeFirst(max(0, answered.count - StoreChanges.answersMax))
    limit = max(64, 2 * answered.count)
    answers = TouchIndex()
    for change in answered { answers.insert(change.change.answered, change.touches) }
  }
}
