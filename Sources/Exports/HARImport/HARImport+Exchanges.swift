internal import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// What each step of a capture asks of the shelf.
extension HARImport {
  mutating func take(
    _ step: HARStep,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    switch step.moment {
    case .began: try begin(step, &chance)
    case .ended: try end(step, &chance)
    }
  }

  private mutating func begin(
    _ step: HARStep,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    switch step.traffic {
    case .left(let reason): summary.left[reason, default: 0] += 1
    case .immutable: break
    case .read(let scope, let path, let label):
      summary.reads += 1
      touchUse.read(path)
      open[step.index] = try submit(step, "began", in: scope) {
        .begin(path, in: $0, label: label)
      }
    case .change(let scope, let path, let label):
      summary.changes += 1
      touchUse.change(step.method, path)
      let change = Shelf.Change(
        path: path,
        method: step.method,
        touches: policy.touches(step.method, path),
        body: try reference(step.content, &chance),
        label: label
      )
      open[step.index] = try submit(step, "sent", in: scope) { .send(change, in: $0) }
    }
  }

  private mutating func end(
    _ step: HARStep,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    switch step.traffic {
    case .left: return
    case .immutable(let scope, let path): try keep(step, scope, path, &chance)
    case .read(let scope, let path, _):
      guard let entry = open.removeValue(forKey: step.index) else { return }
      try reply(step, entry, scope, path, &chance)
    case .change(let scope, let path, _):
      guard let entry = open.removeValue(forKey: step.index) else { return }
      try answer(step, entry, scope, path, &chance)
    }
  }

  private mutating func keep(
    _ step: HARStep,
    _ scope: Scope,
    _ path: Path,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    // Asked of this import alone: what an earlier one has opened must not change what is taken.
    guard met.contains(scope) else {
      otherServers += 1
      return
    }
    guard let body = try reference(step.content, &chance) else {
      summary.left[.withoutContent, default: 0] += 1
      return
    }
    summary.copies += 1
    _ = try submit(step, "stored", in: scope) {
      .keep(path, in: $0, body, mediaType: step.content?.mediaType)
    }
  }

  private mutating func reply(
    _ step: HARStep,
    _ begin: Seq,
    _ scope: Scope,
    _ path: Path,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    var body = try reference(step.content, &chance)
    if step.status == 304, step.content?.bytes?.isEmpty ?? true {
      // The copy that it confirms, if the capture has it.
      body = state.store(of: scope)?.copy(of: path)?.body
    }
    let reply = Shelf.Reply(
      body: body ?? .unknown(byteCount: step.content?.toldByteCount),
      status: UInt64(clamping: step.status)
    )
    let submission: Shelf.Submission =
      switch step.status {
      case 206: .endRead(begin, .incomplete, reply)
      case 200..<300, 304: .reply(to: begin, reply)
      default: .endRead(begin, .failed, reply)
      }
    _ = try submit(step, "ended", in: scope) { _ in submission }
  }

  private mutating func answer(
    _ step: HARStep,
    _ sent: Seq,
    _ scope: Scope,
    _ path: Path,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    let status = UInt64(clamping: step.status)
    let body = try reference(step.content, &chance)
    // A form is answered with the page to go to; that is a success too.
    guard (200..<400).contains(step.status), step.status != 304 else {
      _ = try submit(step, "failed", in: scope) { _ in
        .endChange(sent, .rejected, status: status, answer: body)
      }
      return
    }
    var answer = Shelf.Answer(status: status, body: body)
    if step.answer?.isRemoval == true { answer.removals = [path] }
    if let copy = step.answer?.copy, let body {
      answer.copies = [Shelf.Answer.Copy(path: copy, body: body)]
    }
    _ = try submit(step, "answered", in: scope) { _ in .answer(to: sent, answer) }
  }
}
