package import TidemarkEntries

extension Shelf {
  /// Makes of a submission the entries that say what comes of it.
  ///
  /// Pure: the same gives the same.
  ///
  /// A refusal is an entry too, with its reason and its witness. All of the drafts are one append.
  ///
  /// - Parameters:
  ///   - submission: what is asked of the shelf.
  ///   - state: the shelf that the decision rests on.
  ///   - key: names the submission; entries behind the first get keys made of it.
  ///   - now: what the device's clock says.
  /// - Returns: the drafts of one append.
  /// - Throws: ``Unknown`` if it names a store, a read or a change that is not there, or has ended.
  package static func decide(
    _ submission: Submission,
    on state: ShelfState,
    key: IdempotencyKey,
    at now: DeviceTime
  ) throws(Unknown) -> [Draft] {
    let decision = ShelfDecision(state: state, key: key, now: now)
    return switch submission {
    case .open(let scope, let software): [decision.open(scope, software)]
    case .turn(let store, let scope, let software):
      try decision.turn(from: store, to: scope, software)
    case .retire(let store, let reason): [try decision.retire(store, reason)]
    case .begin(let path, let store, let label): [try decision.begin(path, in: store, label)]
    case .reply(let begin, let reply): [try decision.reply(to: begin, reply)]
    case .endRead(let begin, let reason, let reply, let status):
      [try decision.endRead(begin, reason, reply, status)]
    case .page(let begin, let page): [try decision.page(of: begin, page)]
    case .assemble(let begin, let whole, let size):
      [try decision.assemble(of: begin, whole, pageSize: size)]
    case .send(let change, let store): [try decision.send(change, in: store)]
    case .answer(let sent, let answer): try decision.answer(to: sent, answer)
    case .endChange(let sent, let reason, let status, let answer):
      [
        try decision.endChange(
          MutationFailed(mutation: sent, reason: reason, status: status, answer: answer)
        )
      ]
    case .copy(let store, let delivery, let answer):
      try decision.copy(in: store, delivery, answer)
    case .bump(let store, let reason): [try decision.bump(store, reason)]
    case .keep(let path, let store, let body, let type):
      [try decision.keep(path, in: store, CopyStored(body: body, mediaType: type))]
    case .remove(let path, let store, let reason):
      [try decision.remove(path, in: store, CopyRemoved(reason: reason))]
    }
  }
}

/// One decision: the state it rests on, and what its entries share.
struct ShelfDecision {
  let state: ShelfState
  let key: IdempotencyKey
  let now: DeviceTime

  func draft(
    _ kind: some EntryKind,
    in store: Draft.Store,
    cause: Draft.Cause? = nil,
    paths: [(path: Path, role: PathLink.Role)] = [],
    suffix: String = ""
  ) -> Draft {
    Draft(kind, key: key.with(suffix), store: store, time: now, cause: cause, paths: paths)
  }

  /// The store, if its incarnation is the present one and not over.
  func live(_ opening: Seq) throws(Shelf.Unknown) -> ShelfState.Store {
    guard let store = state.present(opening), store.retired == nil else {
      throw Shelf.Unknown("the store that was opened at \(opening) is not open")
    }
    return store
  }

  // MARK: Stores

  func open(_ scope: Scope, _ software: String?) -> Draft {
    let previous = state.store(of: scope)?.opening
    return draft(
      StoreOpened(scope: scope, previous: previous, software: software),
      in: .opening
    )
  }

  /// Retires the old store before the new one opens: no reply of one can meet the other.
  func turn(from opening: Seq, to scope: Scope, _ software: String?) throws(Shelf.Unknown)
    -> [Draft]
  {
    _ = try live(opening)
    return [
      draft(StoreRetired(reason: .switched), in: .opened(opening), suffix: "/retired"),
      open(scope, software),
      draft(
        ScopeSwitched(from: opening),
        in: .openedInBatch(1),
        cause: .earlierInBatch(1),
        suffix: "/switched"
      ),
    ]
  }

  func retire(_ opening: Seq, _ reason: StoreRetired.Reason) throws(Shelf.Unknown) -> Draft {
    _ = try live(opening)
    return draft(StoreRetired(reason: reason), in: .opened(opening))
  }

  func bump(_ opening: Seq, _ reason: GenerationBumped.Reason) throws(Shelf.Unknown) -> Draft {
    let generation = try live(opening).generation
    return draft(
      GenerationBumped(from: generation, to: generation + 1, reason: reason),
      in: .opened(opening)
    )
  }

  // MARK: Copies without a ticket

  func keep(_ path: Path, in opening: Seq, _ copy: CopyStored) throws(Shelf.Unknown) -> Draft {
    _ = try live(opening)
    return draft(copy, in: .opened(opening), paths: [(path, .mention)])
  }

  func remove(_ path: Path, in opening: Seq, _ removal: CopyRemoved) throws(Shelf.Unknown) -> Draft
  {
    _ = try live(opening)
    return draft(removal, in: .opened(opening), paths: [(path, .mention)])
  }
}

extension IdempotencyKey {
  /// The key of another entry of the same submission.
  func with(_ suffix: String) -> IdempotencyKey {
    guard !suffix.isEmpty else { return self }
    precondition(bytes.count + suffix.utf8.count <= IdempotencyKey.bytesMax, "the key is too long")
    return IdempotencyKey(unchecked: bytes + Array(suffix.utf8))
  }
}
