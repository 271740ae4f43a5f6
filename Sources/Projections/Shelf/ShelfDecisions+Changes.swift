internal import TidemarkEntries

extension ShelfDecision {
  func send(_ change: Shelf.Change, in opening: Seq) throws(Shelf.Unknown) -> Draft {
    _ = try live(opening)
    return draft(
      MutationSent(
        method: change.method,
        touches: change.touches,
        body: change.body,
        label: change.label
      ),
      in: .opened(opening),
      paths: [(change.path, .mention)]
    )
  }

  /// An answer fences what its change touches, and writes what nothing newer stands against.
  ///
  /// Where the server numbers its revisions, a path never goes to a lower one. Where it does not,
  /// an answer writes a path only if nothing was written there since the change was sent; else the
  /// path is suspect until it is read again.
  func answer(to sent: Seq, _ answer: Shelf.Answer) throws(Shelf.Unknown) -> [Draft] {
    let (opening, path) = try change(sent)
    if let end = state.incarnations[opening]?.end {
      return [suppression(sent, [path], in: opening, (.retired, end), answer)]
    }
    let store = try live(opening)
    let (written, objections) = divided(answer, since: sent, in: store)
    var drafts: [Draft] = []
    if objections.isEmpty || !written.copies.isEmpty || !written.removals.isEmpty {
      drafts.append(answered(sent, path, in: opening, written))
    }
    suppress(sent, objections, in: opening, answer, &drafts)
    drafts.append(bump(behind: drafts.count, in: store))
    return drafts
  }

  typealias Objection = (reason: MutationSuppressed.Reason, witness: Seq)
  typealias Objected = (path: Path, objection: Objection, revision: UInt64?)

  /// What of an answer may be written, and what may not.
  func divided(
    _ answer: Shelf.Answer,
    since sent: Seq,
    in store: ShelfState.Store
  ) -> (written: Shelf.Answer, objections: [Objected]) {
    var written = answer
    var objections: [Objected] = []
    func mayNot(_ path: Path, _ revision: UInt64?) -> Bool {
      guard let objection = objection(to: path, revision, since: sent, in: store) else {
        return false
      }
      objections.append((path, objection, revision))
      return true
    }
    written.copies.removeAll { mayNot($0.path, $0.revision) }
    written.removals.removeAll { mayNot($0, nil) }
    return (written, objections)
  }

  /// Adds what says of each path that its copy was not written.
  func suppress(
    _ sent: Seq,
    _ objections: [Objected],
    in opening: Seq,
    _ answer: Shelf.Answer,
    _ drafts: inout [Draft]
  ) {
    for (path, objection, revision) in objections {
      let suffix = drafts.isEmpty ? "" : "/suppressed-\(drafts.count)"
      drafts.append(
        suppression(sent, [path], in: opening, objection, answer, revision, suffix: suffix)
      )
    }
  }

  /// Why an answer may not write `path`, or nothing if it may.
  private func objection(
    to path: Path,
    _ revision: UInt64?,
    since sent: Seq,
    in store: ShelfState.Store
  ) -> Objection? {
    guard let record = store.record(of: path) else { return nil }
    if StoreRule.mutateRevision.isOn, let revision, let floor = record.floor,
      revision < floor.revision
    {
      return (.older, floor.seq)
    }
    guard record.lastWrite > sent else { return nil }
    // Both say their revision, and the order is the server's.
    if revision != nil, record.lastRevision != nil { return nil }
    return (.late, record.lastWrite)
  }

  private func answered(
    _ sent: Seq,
    _ path: Path,
    in opening: Seq,
    _ answer: Shelf.Answer
  ) -> Draft {
    let writes = answer.copies.map(\.path) + answer.removals
    let mention = writes.contains(path) ? [] : [(path: path, role: PathLink.Role.mention)]
    let copies = answer.copies.enumerated().map { index, copy in
      MutationAnswered.Copy(path: UInt64(index), body: copy.body, revision: copy.revision)
    }
    let removals = answer.removals.indices.map { UInt64(answer.copies.count + $0) }
    return draft(
      MutationAnswered(
        mutation: sent,
        status: answer.status,
        copies: copies,
        removals: removals,
        answer: answer.body
      ),
      in: .opened(opening),
      cause: .entry(sent),
      paths: writes.map { ($0, .write) } + mention
    )
  }

  private func suppression(
    _ sent: Seq,
    _ paths: [Path],
    in opening: Seq,
    _ objection: Objection,
    _ answer: Shelf.Answer,
    _ revision: UInt64? = nil,
    suffix: String = ""
  ) -> Draft {
    draft(
      MutationSuppressed(
        mutation: sent,
        status: answer.status,
        reason: objection.reason,
        witness: objection.witness,
        answer: answer.body,
        revision: revision
      ),
      in: .opened(opening),
      cause: .entry(sent),
      paths: paths.map { ($0, .mention) },
      suffix: suffix
    )
  }

  /// The bump behind the first entry of an answer, which is its cause.
  func bump(behind count: Int, in store: ShelfState.Store) -> Draft {
    draft(
      GenerationBumped(from: store.generation, to: store.generation + 1, reason: .answer),
      in: .opened(store.opening),
      cause: .earlierInBatch(count),
      suffix: "/bumped"
    )
  }

  func endChange(_ failed: MutationFailed) throws(Shelf.Unknown) -> Draft {
    let (opening, path) = try change(failed.mutation)
    return draft(
      failed,
      in: .opened(opening),
      cause: .entry(failed.mutation),
      paths: [(path, .mention)]
    )
  }

  /// The incarnation and path of a change that is in flight.
  private func change(_ sent: Seq) throws(Shelf.Unknown) -> (opening: Seq, path: Path) {
    guard let mutation = state.mutations[sent] else {
      throw Shelf.Unknown("no change that was sent at \(sent) is in flight")
    }
    return (mutation.incarnation, mutation.path)
  }
}
