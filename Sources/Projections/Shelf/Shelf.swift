package import TidemarkEntries
internal import TidemarkHashing

/// Device copies of what servers said, in which an old answer never stands over a newer one.
package enum Shelf: Projection {
  package static let name = "shelf"
  package static let version = 1
  package static var empty: ShelfState { ShelfState() }

  package static func evolve(_ state: inout ShelfState, by entry: Entry) throws(EntryError) {
    switch entry.kind {
    case ReadBegan.number: try state.begin(entry)
    case ReadLanded.number: try state.land(entry)
    case ReadRefused.number: try state.refuse(entry)
    case StoreOpened.number: try state.open(entry)
    case StoreRetired.number: state.retire(entry)
    case MutationSent.number: try state.send(entry)
    case MutationAnswered.number: try state.answer(entry)
    case MutationSuppressed.number: try state.suppress(entry)
    case MutationFailed.number: try state.fail(entry)
    case GenerationBumped.number: try state.bump(entry)
    case CopyStored.number: try state.keep(entry)
    case CopyRemoved.number: try state.remove(entry)
    default: break
    }
  }
}

extension ShelfState {
  /// The place of the entry's store, if its incarnation is the present one and not over.
  private func place(of entry: Entry) -> Int? {
    guard let opening = entry.store, let incarnation = incarnations[opening],
      incarnation.end == nil
    else { return nil }
    return incarnation.store
  }

  private mutating func record(_ entry: Entry, in store: Int) throws(EntryError) -> Int? {
    guard let place = try entry.firstPathPlace() else { return nil }
    return stores[store].intern(entry, place.bytes)
  }

  fileprivate mutating func open(_ entry: Entry) throws(EntryError) {
    guard let opened = try entry.decode(StoreOpened.self) else { return }
    if let store = stores.firstIndex(where: { $0.scope == opened.scope }) {
      end(store, at: entry.seq)
      stores[store].restart(at: entry.seq)
      incarnations[entry.seq] = Incarnation(store: store)
    } else {
      incarnations[entry.seq] = Incarnation(store: stores.count)
      stores.append(Store(scope: opened.scope, opening: entry.seq, wholeFence: entry.seq))
    }
  }

  fileprivate mutating func retire(_ entry: Entry) {
    guard let store = place(of: entry) else { return }
    end(store, at: entry.seq)
  }

  /// The incarnation is over; what is in flight can only be refused now.
  private mutating func end(_ store: Int, at seq: Seq) {
    guard stores[store].retired == nil else { return }
    let opening = stores[store].opening
    stores[store].retired = seq
    incarnations[opening]?.end = seq
    for (begin, read) in stores[store].reads {
      let path = stores[store].paths.path(read.path)
      strays[begin] = Stray(incarnation: opening, path: path, isRead: true)
    }
    for (sent, mutation) in stores[store].mutations {
      strays[sent] = Stray(incarnation: opening, path: mutation.path, isRead: false)
    }
    stores[store].reads = [:]
    stores[store].mutations = [:]
    stores[store].boundFences = []
  }

  fileprivate mutating func begin(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let path = try record(entry, in: store),
      let began = try entry.decode(ReadBegan.self)
    else { return }
    stores[store].records[path].latestBegin = entry.seq
    stores[store].reads[entry.seq] = OpenRead(path: path, generation: began.generation)
  }

  fileprivate mutating func land(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let path = try record(entry, in: store),
      let landed = try entry.decode(ReadLanded.self)
    else { return }
    stores[store].end(read: landed.begin)
    stores[store].records[path].write(
      Copy(
        seq: entry.seq,
        saved: entry.time,
        body: landed.body,
        status: landed.status,
        revision: landed.revision
      )
    )
    stores[store].records[path].suspect = nil
  }

  fileprivate mutating func refuse(_ entry: Entry) throws(EntryError) {
    guard let refused = try entry.decode(ReadRefused.self) else { return }
    strays[refused.begin] = nil
    guard let store = place(of: entry) else { return }
    stores[store].end(read: refused.begin)
  }

  fileprivate mutating func send(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let place = try entry.firstPathPlace(),
      let sent = try entry.decode(MutationSent.self)
    else { return }
    stores[store].mutations[entry.seq] = OpenMutation(
      path: Path(canonical: Array(entry.storage[place.bytes])),
      method: sent.method,
      touches: sent.touches
    )
  }

  fileprivate mutating func answer(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let answered = try entry.decode(MutationAnswered.self)
    else { return }
    let links = try entry.paths
    let named = answered.copies.map(\.path) + answered.removals
    guard named.allSatisfy({ $0 < UInt64(links.count) }) else {
      throw EntryError(.malformed, "a copy or a removal names a path that is not there")
    }
    let numbers = links.map { stores[store].intern($0.path) }
    for copy in answered.copies {
      stores[store].records[numbers[Int(copy.path)]].write(
        Copy(
          seq: entry.seq,
          saved: entry.time,
          body: copy.body,
          status: answered.status,
          revision: copy.revision
        )
      )
    }
    for index in answered.removals {
      stores[store].records[numbers[Int(index)]].remove(at: entry.seq)
    }
    stores[store].fence(at: entry.seq, by: answered.mutation)
  }

  fileprivate mutating func suppress(_ entry: Entry) throws(EntryError) {
    guard let suppressed = try entry.decode(MutationSuppressed.self) else { return }
    strays[suppressed.mutation] = nil
    guard let store = place(of: entry) else { return }
    for link in try entry.paths {
      let path = stores[store].intern(link.path)
      stores[store].records[path].suspect = entry.seq
    }
    stores[store].fence(at: entry.seq, by: suppressed.mutation)
  }

  fileprivate mutating func fail(_ entry: Entry) throws(EntryError) {
    guard let failed = try entry.decode(MutationFailed.self) else { return }
    strays[failed.mutation] = nil
    guard let store = place(of: entry) else { return }
    stores[store].mutations[failed.mutation] = nil
  }

  fileprivate mutating func bump(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let bumped = try entry.decode(GenerationBumped.self)
    else { return }
    stores[store].generation = max(stores[store].generation, bumped.to)
    // A bump behind an answer is bounded by what the change declared: the fence of the answer has
    // said so already, and the bump says where the generation went up.
    if bumped.reason == .answer, let cause = entry.cause,
      let fence = stores[store].boundFences.lastIndex(where: { $0.seq == cause })
    {
      stores[store].boundFences[fence].seq = entry.seq
    } else if bumped.reason != .answer || entry.cause == stores[store].wholeFence {
      stores[store].wholeFence = entry.seq
    }
    guard bumped.reason == .cleared else { return }
    for path in stores[store].records.indices { stores[store].records[path].clear() }
  }

  fileprivate mutating func keep(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let path = try record(entry, in: store),
      let stored = try entry.decode(CopyStored.self)
    else { return }
    stores[store].records[path].copy = Copy(
      seq: entry.seq,
      saved: entry.time,
      body: stored.body,
      status: 200,
      isImmutable: true
    )
  }

  fileprivate mutating func remove(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let path = try record(entry, in: store) else { return }
    stores[store].records[path].clear()
  }
}

extension ShelfState.Store {
  fileprivate mutating func intern(_ entry: Entry, _ range: Range<Int>) -> Int {
    let number = paths.intern(entry.storage, range)
    if number == records.count { records.append(ShelfState.PathRecord()) }
    return number
  }

  fileprivate mutating func intern(_ path: Path) -> Int {
    let number = paths.intern(path.bytes, 0..<path.bytes.count)
    if number == records.count { records.append(ShelfState.PathRecord()) }
    return number
  }

  /// A new incarnation begins: copies and floors stay, what was in flight does not.
  fileprivate mutating func restart(at opening: Seq) {
    self.opening = opening
    retired = nil
    generation = 0
    wholeFence = opening
    lastAnswer = nil
  }

  fileprivate mutating func end(read begin: Seq) {
    reads[begin] = nil
    if reads.isEmpty, !boundFences.isEmpty { boundFences = [] }
  }

  /// The answer of a change makes reads late: those that it declared, or all.
  fileprivate mutating func fence(at seq: Seq, by mutation: Seq) {
    if let answered = mutations.removeValue(forKey: mutation) {
      lastAnswer = (mutation, answered.touches)
    }
    if let answer = lastAnswer, answer.mutation == mutation, let touches = answer.touches {
      // Only reads in flight can be late; for those that come later it is no fence.
      guard !reads.isEmpty else { return }
      boundFences.append(ShelfState.BoundFence(seq: seq, touches: touches))
    } else {
      wholeFence = seq
    }
  }
}

extension ShelfState.PathRecord {
  fileprivate mutating func write(_ copy: ShelfState.Copy) {
    self.copy = copy
    lastWrite = copy.seq
    lastRevision = copy.revision
    if let revision = copy.revision, revision >= floor?.revision ?? 0 {
      floor = (revision, copy.seq)
    }
  }

  fileprivate mutating func remove(at seq: Seq) {
    copy = nil
    lastWrite = seq
    lastRevision = nil
    // What comes under the path again is another thing, and its revisions may begin anew.
    floor = nil
    suspect = nil
  }

  /// The device forgets its copy, and with it what it knew of revisions.
  fileprivate mutating func clear() {
    copy = nil
    floor = nil
    suspect = nil
  }
}
