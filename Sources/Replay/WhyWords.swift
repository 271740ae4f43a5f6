package import TidemarkEntries
package import TidemarkJournalStore

/// What an entry did, and why it could not do more, in plain words.
package struct WhyWords {
  private let context: EntryContext

  package init(_ context: EntryContext) {
    self.context = context
  }

  /// The words, and the entry that they rest on if it is a refusal.
  package func of(_ entry: Entry) -> (words: String, witness: Seq?) {
    if let refused = entry.decoded(ReadRefused.self) {
      return (refusal(refused), refused.witness)
    }
    if let suppressed = entry.decoded(MutationSuppressed.self) {
      return ("\(change(of: entry)): \(suppression(suppressed))", suppressed.witness)
    }
    return (plain(entry), nil)
  }

  private func plain(_ entry: Entry) -> String {
    if let began = entry.decoded(ReadBegan.self) {
      return "a read, no reply yet" + (began.label.map { " (\($0))" } ?? "")
    }
    if let landed = entry.decoded(ReadLanded.self) {
      return "the reply to the read that began at \(place(landed.begin))"
    }
    if let list = entry.decoded(ListAssembled.self) {
      return "the \(list.pages.count) pages of the read that began at \(place(list.begin))"
    }
    if entry.kind == MutationSent.number { return "\(change(of: entry)), no answer yet" }
    if entry.kind == MutationAnswered.number { return "the answer to \(change(of: entry))" }
    if let failed = entry.decoded(MutationFailed.self) {
      return "\(change(of: entry)): \(failure(failed))"
    }
    if entry.kind == CopyStored.number { return "bytes that never change" }
    if let removed = entry.decoded(CopyRemoved.self) {
      return "the copy was removed (\(removed.reason.rawValue))"
    }
    return work(entry) ?? entry.kindName
  }

  // MARK: The outbox

  private func work(_ entry: Entry) -> String? {
    switch entry.kind {
    case OutboxEnqueued.number: return "\(change(of: entry)) waits to be sent"
    case OutboxCopied.number: return "the answer to \(change(of: entry))"
    case OutboxDiscarded.number: return "\(change(of: entry)): a person gave it up"
    default: break
    }
    if let answered = entry.decoded(OutboxAnswered.self) {
      return "\(change(of: entry)): the server answered \(answered.status) "
        + "(\(answered.verdict.rawValue))"
    }
    if let doubt = entry.decoded(OutboxInDoubt.self) {
      return "\(change(of: entry)): in doubt (\(doubt.reason.rawValue)); it may have happened"
    }
    if let parked = entry.decoded(OutboxParked.self) {
      return "\(change(of: entry)): a person must decide (\(parked.reason.rawValue))"
    }
    return nil
  }

  /// Whether an entry of the outbox says that an attempt did not bring what was wanted.
  func isFailure(_ entry: Entry) -> Bool {
    guard let answered = entry.decoded(OutboxAnswered.self) else { return true }
    return answered.verdict != .accepted && answered.verdict != .duplicate
  }

  /// `PATCH /notes/41, sent at 4119`.
  private func change(of entry: Entry) -> String {
    if let item = context.item(of: entry), let work = item.decoded(OutboxEnqueued.self) {
      let path = ((try? item.paths) ?? []).first.map { " \($0.path)" } ?? ""
      let place = item.seq == entry.seq ? "" : ", enqueued at \(self.place(item.seq))"
      return "\(work.method)\(path)\(place)"
    }
    guard let sending = context.sending(of: entry), let sent = sending.decoded(MutationSent.self)
    else { return "a change" }
    let path = ((try? sending.paths) ?? []).first.map { " \($0.path)" } ?? ""
    let place = sending.seq == entry.seq ? "" : ", sent at \(self.place(sending.seq))"
    return "\(sent.method)\(path)\(place)"
  }

  /// `4119 (14:03:07.480Z)`.
  private func place(_ seq: Seq) -> String {
    context.entry(at: seq).map { "\(seq) (\($0.time.timeOfDay))" } ?? "\(seq)"
  }

  // MARK: Refusals

  private func refusal(_ refused: ReadRefused) -> String {
    let began = "the read began at \(place(refused.begin))"
    let witness = refused.witness.flatMap { context.entry(at: $0) }
    switch refused.reason {
    case .generation: return "\(began), before \(fence(witness, refused.witness))"
    case .retired: return "\(began), before \(end(witness, refused.witness))"
    case .superseded:
      return "\(began), and a later read of the path at \(refused.witness.map(place) ?? "?")"
    case .older:
      let revision = refused.revision.map { "revision \($0)" } ?? "its revision"
      return "\(revision) is older than what \(refused.witness.map(place) ?? "?") wrote"
    case .malformed: return "\(began), and the answer is not what was asked for"
    case .incomplete: return "\(began), and the answer was cut"
    case .cancelled: return "\(began), and the app gave it up"
    case .failed:
      let status = refused.status.map { "status \($0)" } ?? "no answer was read"
      return "\(began), and failed: \(status)"
    }
  }

  /// What made the reads that began before it late.
  private func fence(_ witness: Entry?, _ seq: Seq?) -> String {
    guard let witness else { return "\(seq.map { "\($0)" } ?? "something"), which cannot be read" }
    let when = place(witness.seq)
    guard let bumped = witness.decoded(GenerationBumped.self) else {
      return "\(change(of: witness)), was answered at \(when)"
    }
    switch bumped.reason {
    case .answer:
      guard let answer = witness.cause.flatMap({ context.entry(at: $0) }) else {
        return "a change was answered at \(when)"
      }
      return "\(change(of: answer)), was answered at \(place(answer.seq))"
    case .cleared: return "the copies were cleared at \(when)"
    case .pushed: return "a result came another way at \(when)"
    case .requested: return "the app raised the generation at \(when)"
    }
  }

  /// What ended the store.
  private func end(_ witness: Entry?, _ seq: Seq?) -> String {
    guard let witness else { return "\(seq.map { "\($0)" } ?? "something"), which cannot be read" }
    if let retired = witness.decoded(StoreRetired.self) {
      return "its store was retired at \(place(witness.seq)) (\(retired.reason.rawValue))"
    }
    return "its scope was opened anew at \(place(witness.seq))"
  }

  private func suppression(_ suppressed: MutationSuppressed) -> String {
    switch suppressed.reason {
    case .late: return "the path was written at \(place(suppressed.witness)), after it was sent"
    case .older:
      let revision = suppressed.revision.map { "revision \($0)" } ?? "its revision"
      return "\(revision) is older than what \(place(suppressed.witness)) wrote"
    case .retired:
      let witness = context.entry(at: suppressed.witness)
      return "it was answered after \(end(witness, suppressed.witness))"
    }
  }

  private func failure(_ failed: MutationFailed) -> String {
    switch failed.reason {
    case .rejected: "the server said no" + (failed.status.map { " (\($0))" } ?? "")
    case .lost: "no answer was read; it may have happened"
    case .cancelled: "it never left the device"
    }
  }
}
