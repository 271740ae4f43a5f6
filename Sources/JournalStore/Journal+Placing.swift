internal import TidemarkEntries

extension Journal {
  func check(_ guards: [AppendGuard]) throws(JournalError) {
    for condition in guards {
      let holds =
        switch condition {
        case .head(let seq): seq == last
        case .fence(let store, let fence): try lastFence(of: store) == fence
        case .path(let store, let path, let write):
          try pathHead(opened.index.storePath(store, path))?.write == write
        }
      guard holds else {
        throw JournalError(.stale, "what the append rests on is not so any more: \(condition)")
      }
    }
  }

  /// Gives every draft that is withheld as yet its place.
  func place(
    _ drafts: [Draft],
    _ fingerprints: [UInt64],
    _ outcomes: inout [AppendOutcome]
  ) throws(JournalError) {
    // A span lends each draft; an array would copy it.
    let span = drafts.span
    var place = Place()
    for index in span.indices where outcomes[index].isWithheld {
      let seq = try self.place(span[index], fingerprints[index], index, outcomes, &place)
      outcomes[index] = .appended(at: seq)
    }
  }

  /// Refuses what cannot be placed before anything of the batch is.
  ///
  /// What others have staged stays where it is.
  func checkPlaces(_ drafts: [Draft], _ outcomes: [AppendOutcome]) throws(JournalError) {
    let span = drafts.span
    var seq = staging.next
    var openings: [Seq] = []
    for index in span.indices where outcomes[index].isWithheld {
      defer { seq = seq.next }
      try checkStore(of: drafts, at: index, openings)
      if span[index].store == .opening { openings.append(seq) }
      switch span[index].cause {
      case nil: break
      case .entry(let cause):
        guard cause < seq, cause.value > 0 else {
          throw JournalError(.invalid, "the cause \(cause) does not stand before the entry")
        }
      case .earlierInBatch(let distance):
        precondition(distance > 0, "a cause comes earlier")
        guard index >= distance else {
          throw JournalError(.invalid, "the cause is no entry of the batch")
        }
      }
    }
  }

  private func checkStore(
    of drafts: [Draft],
    at index: Int,
    _ openings: [Seq]
  ) throws(JournalError) {
    let span = drafts.span
    guard (span[index].store == .opening) == (span[index].kind == StoreOpened.number) else {
      throw JournalError(.invalid, "an opening opens its own store, and nothing else does")
    }
    switch span[index].store {
    case .journal:
      guard span[index].paths.isEmpty else {
        throw JournalError(.invalid, "an entry of the journal itself names no path")
      }
    case .opening: break
    case .opened(let opening):
      guard try opening < staging.next ? lastFence(of: opening) != nil : openings.contains(opening)
      else {
        throw JournalError(.invalid, "no store was opened at \(opening)")
      }
    case .openedInBatch(let distance):
      precondition(distance > 0, "an opening comes earlier")
      guard index >= distance, span[index - distance].store == .opening else {
        throw JournalError(.invalid, "the opening is no entry of the batch")
      }
    }
  }

  /// Gives a draft that was checked its place.
  func place(
    _ draft: Draft,
    _ fingerprint: UInt64,
    _ index: Int,
    _ outcomes: [AppendOutcome],
    _ place: inout Place
  ) throws(JournalError) -> Seq {
    let seq = staging.next
    let journalIndex = opened.index
    try find(&place, of: draft, at: seq, index, outcomes)
    staging.add(draft, at: place.placement)
    journalIndex.noteKey(fingerprint, at: seq)
    for index in place.paths.indices {
      let previous = place.placement.links[index].previous
      journalIndex.notePath(
        place.paths[index],
        PathHead(naming: seq, as: draft.paths[index].role, previous: previous)
      )
    }
    if KindRegistry.isFence(draft.kind), let entry = try entry(at: seq) {
      opened.heads.note(entry)
    }
    return seq
  }

  /// Where an entry comes to stand; one value serves a whole batch and keeps its memory.
  struct Place {
    var placement = Placement(store: nil, cause: nil, previousFence: nil, links: [])

    /// The paths of the entry, as the index has them; one for each link.
    var paths: [StorePath] = []

    mutating func empty() {
      // There are one or two; `removeAll(keepingCapacity:)` is made for many.
      while paths.popLast() != nil { placement.links.removeLast() }
    }
  }

  private func find(
    _ place: inout Place,
    of draft: Draft,
    at seq: Seq,
    _ index: Int,
    _ outcomes: [AppendOutcome]
  ) throws(JournalError) {
    place.empty()
    place.placement.cause =
      switch draft.cause {
      case nil: nil
      case .entry(let cause): cause
      case .earlierInBatch(let distance): outcomes[index - distance].seq
      }
    place.placement.store = nil
    place.placement.previousFence = nil
    let store: Seq
    switch draft.store {
    case .journal: return
    case .opening: store = seq
    case .opened(let opening): store = opening
    case .openedInBatch(let distance):
      guard let opening = outcomes[index - distance].seq else {
        preconditionFailure("the entries of a batch are placed in order")
      }
      store = opening
    }
    place.placement.store = store
    if store != seq { place.placement.previousFence = try lastFence(of: store) }
    let journalIndex = opened.index
    for index in draft.paths.indices {
      let path = journalIndex.storePath(store, draft.paths[index].path)
      let head = store == seq ? nil : try pathHead(path)
      place.placement.links.append((head?.write, head?.naming))
      place.paths.append(path)
    }
  }

  /// The last fence of a store; nothing if no store was opened there.
  func lastFence(of store: Seq) throws(JournalError) -> Seq? {
    if let fence = opened.heads.lastFence(of: store) { return fence }
    // An incarnation that is long gone: a reply outlived several openings. Rare, and exact.
    guard let opening = try entry(at: store), opening.kind == StoreOpened.number,
      let scope = try? opening.decode(StoreOpened.self)?.scope
    else { return nil }
    var head = Heads.Store(opening: store, scope: scope, lastFence: store)
    var seq = store.next
    while seq <= last {
      if let entry = try entry(at: seq), entry.store == store, KindRegistry.isFence(entry.kind) {
        head.lastFence = seq
      }
      seq = seq.next
    }
    opened.heads.remember(head)
    return head.lastFence
  }

  /// The last entries of the store that name the path, if one does.
  func pathHead(_ key: StorePath) throws(JournalError) -> PathHead? {
    if let head = opened.index.headInMemory(of: key) { return head }
    var found: PathHead?
    _ = try indexed { () throws(IndexFailure) in
      try opened.index.lastNaming(key) { seq throws(JournalError) in
        guard let entry = try entry(at: seq), entry.store == key.store else { return false }
        entry.forEachPathPlace { place in
          guard entry.holds(key.path.bytes, in: place.bytes) else { return }
          let head = PathHead(naming: seq, as: place.role, previous: place.previous)
          found = found.map { head.joined(with: $0) } ?? head
        }
        return found != nil
      }
    }
    return found
  }
}
