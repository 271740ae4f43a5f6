package import TidemarkEntries

extension Outbox {
  /// What may be asked of the outbox.
  package enum Submission: Sendable {
    /// Keep what a user did, in the store that was opened at a seq.
    case enqueue(OutboxEnqueued, at: Path, in: Seq)

    /// Begin an attempt of an item, in the store of its scope that is open.
    case send(Seq, in: Seq)

    /// The answer to the last attempt.
    case answer(Seq, Answer)

    /// The last attempt ended without an answer.
    case doubt(Seq, OutboxInDoubt.Reason, retryAt: DeviceTime?)

    /// The copies of what was answered stand: the entry before this one in the batch says so.
    case retire(Seq, behind: Int)

    /// Hand an item to a person.
    case park(Seq, OutboxParked.Reason)

    /// Let an item go again.
    case retry(Seq, OutboxRetried.Reason)

    /// Give an item up.
    case discard(Seq, reason: String?)
  }

  /// An answer that was read.
  package struct Answer: Sendable {
    package var status: UInt64
    package var verdict: OutboxAnswered.Verdict
    package var body: BodyReference?
    package var retryAt: DeviceTime?

    package init(
      status: UInt64,
      verdict: OutboxAnswered.Verdict,
      body: BodyReference? = nil,
      retryAt: DeviceTime? = nil
    ) {
      self.status = status
      self.verdict = verdict
      self.body = body
      self.retryAt = retryAt
    }
  }

  /// Why something is not done.
  package enum Refusal: Error, Sendable, Hashable {
    /// No item that is not settled came by this entry.
    case unknown(Seq)

    /// The item was authored under another server or account.
    case otherScope(Scope)

    /// Something earlier of its lane is not settled.
    case notItsTurn(behind: Seq)

    /// An attempt is under way.
    case underWay

    /// The item waits for a person, or for somebody to sign in.
    case waits

    /// The server has it; what is left is to finish it.
    case answered

    /// There is no attempt under way that this could be about.
    case notSent

    /// The server has not said that it has it.
    case notAnswered

    /// The store is not open.
    case noStore(Seq)
  }
}
