internal import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// How submissions become entries, each of them once.
extension HARImport {
  /// Decides and stages a submission, unless its key is known; the seq of its first entry.
  mutating func submit(
    _ step: HARStep,
    _ part: StaticString,
    in scope: Scope,
    _ submission: (Seq) -> Shelf.Submission
  ) throws(Failure) -> Seq? {
    let key = step.key(part)
    if let known = try Failure.journal({ () throws(JournalError) in try journal.entry(for: key) }) {
      summary.known += try countKnown(from: known, opening: met.insert(scope).inserted, step)
      adopt(known.store, of: scope)
      return known.seq
    }
    guard let store = try store(of: scope, for: step) else { return nil }
    return try stage(submission(store), key, step)
  }

  /// How many entries an earlier import made of a submission whose first one is `known`.
  ///
  /// The others stand behind it, under keys made of its key; the first submission of a scope may
  /// have opened the store.
  private func countKnown(
    from known: Entry,
    opening: Bool,
    _ step: HARStep
  ) throws(Failure) -> Int {
    try Failure.journal { () throws(JournalError) in
      var count = 1
      let start = known.key.bytes + [UInt8(ascii: "/")]
      while let next = try journal.entry(at: Seq(known.seq.value + UInt64(count))),
        next.key.bytes.starts(with: start)
      { count += 1 }
      let opened = opening ? try journal.entry(for: step.key("opened")) : nil
      return opened == nil ? count : count + 1
    }
  }

  /// Goes on in the store of an earlier import of this capture, if it is still open.
  private mutating func adopt(_ store: Seq?, of scope: Scope) {
    guard stores[scope] == nil, let store, let present = state.present(store),
      present.retired == nil
    else { return }
    stores[scope] = store
  }

  private mutating func stage(
    _ submission: Shelf.Submission,
    _ key: IdempotencyKey,
    _ step: HARStep
  ) throws(Failure) -> Seq? {
    let drafts: [Draft]
    do throws(Shelf.Unknown) {
      drafts = try Shelf.decide(submission, on: state, key: key, at: step.time)
    } catch {
      // What it answers is not in flight any more: it ended in an earlier import.
      return nil
    }
    let outcomes: [AppendOutcome]
    do throws(JournalError) { outcomes = try journal.stage(drafts) } catch {
      // What no entry can hold is one exchange less; the rest of the capture is taken.
      guard error.code == .invalid else { throw .journal(error) }
      summary.problems.add(error.message, at: step.offset, index: step.index)
      return nil
    }
    for outcome in outcomes {
      guard case .appended(let seq) = outcome else { continue }
      summary.appended += 1
      let entry = try Failure.journal { () throws(JournalError) in try journal.entry(at: seq) }
      guard let entry else { continue }
      do throws(EntryError) { try Shelf.evolve(&state, by: entry) } catch {
        throw .journal(JournalError(.invalid, error.message, finding: .entryMalformed, at: seq))
      }
    }
    return outcomes.first?.seq
  }

  /// The store of a scope; the first exchange that needs it opens it.
  private mutating func store(of scope: Scope, for step: HARStep) throws(Failure) -> Seq? {
    if let store = stores[scope] { return store }
    let opening = Shelf.Submission.open(scope, software: capture.about.creator)
    guard let store = try stage(opening, step.key("opened"), step) else { return nil }
    stores[scope] = store
    met.insert(scope)
    summary.scopes.append(scope)
    return store
  }

  /// Keeps a content, and gives what an entry says of it; nothing if there was none.
  mutating func reference(
    _ content: HARContent?,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) -> BodyReference? {
    guard let content else { return nil }
    if !content.isWhole { summary.partial += 1 }
    guard let bytes = content.bytes else { return .unknown(byteCount: content.toldByteCount) }
    stagedBytes += bytes.count
    return try Failure.journal { () throws(JournalError) in
      if let packed = content.packed {
        return try journal.body(packed, isWhole: content.isWhole, chance: &chance)
      }
      return try journal.body(bytes, isWhole: content.isWhole, chance: &chance)
    }
  }
}
