import TestSupport
import Testing
import TidemarkEntries
import TidemarkProjections

/// What may be asked of an item, as it stands.
@Suite final class OutboxDecisionTests {
  private let stage: LiveStates

  init() throws {
    stage = try LiveStates()
    try stage.append([.opening()])
  }

  private func decide(_ submission: Outbox.Submission) throws -> [Draft] {
    try Outbox.decide(submission, on: stage.states.outbox, key: stage.key(), at: stage.now)
  }

  @discardableResult
  private func submit(_ submission: Outbox.Submission) throws -> Seq {
    try stage.append(decide(submission))[0].seq
  }

  private func enqueued() throws -> Seq {
    let work = OutboxEnqueued(method: "POST", lane: "\(stage.key())")
    return try submit(.enqueue(work, at: Path("/new"), in: Seq(1)))
  }

  private func refusal(_ submission: Outbox.Submission) -> Outbox.Refusal? {
    do { _ = try decide(submission) } catch { return error as? Outbox.Refusal }
    return nil
  }

  @Test func `what stands in the way of each is told, whoever asks`() throws {
    let work = OutboxEnqueued(method: "POST", lane: "a")
    #expect(try refusal(.enqueue(work, at: Path("/new"), in: Seq(9))) == .noStore(Seq(9)))

    let pending = try enqueued()
    #expect(refusal(.retire(pending, behind: 1)) == .notAnswered)
    #expect(refusal(.retry(pending, .signedIn)) == .waits)

    let sent = try enqueued()
    try submit(.send(sent, in: Seq(1)))
    #expect(refusal(.park(sent, .spent)) == .underWay)
    #expect(refusal(.retire(sent, behind: 1)) == .notAnswered)
    #expect(refusal(.discard(sent, reason: nil)) == .underWay)
    #expect(refusal(.retry(sent, .requested)) == .underWay)

    try submit(.answer(sent, Outbox.Answer(status: 200, verdict: .accepted)))
    #expect(refusal(.park(sent, .spent)) == .answered)
    #expect(refusal(.retry(sent, .requested)) == .answered)
    #expect(refusal(.doubt(sent, .timeout, retryAt: nil)) == .notSent)

    let parked = try enqueued()
    try submit(.park(parked, .spent))
    #expect(refusal(.park(parked, .spent)) == .waits)
    #expect(refusal(.retry(parked, .signedIn)) == .waits)
    #expect(refusal(.retry(parked, .requested)) == nil)
  }

  @Test func `what is settled is counted, as it was settled`() throws {
    try submit(.discard(try enqueued(), reason: nil))
    try submit(.discard(try enqueued(), reason: nil))
    let done = try enqueued()
    try submit(.send(done, in: Seq(1)))
    let read = try submit(.answer(done, Outbox.Answer(status: 200, verdict: .accepted)))
    var drafts = try decide(.retire(done, behind: 1))
    drafts[0].cause = .entry(read)
    try stage.append(drafts)
    #expect(stage.states.outbox.discarded == 2)
    #expect(stage.states.outbox.retired == 1)
    #expect(stage.states.outbox.items.isEmpty)
    #expect(stage.states.outbox.keys.isEmpty)
    #expect(stage.states.outbox.lanes.isEmpty)
  }
}
