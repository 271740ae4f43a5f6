package import TidemarkEntries

/// Device copies of what servers said, in which an old answer never stands over a newer one.
package enum Shelf: Projection {
  package static let name = "shelf"
  package static let version = 2
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
    case PageReceived.number: try state.take(page: entry)
    case ListAssembled.number: try state.assemble(entry)
    case OutboxCopied.number: try state.copy(entry)
    default: break
    }
  }
}

extension ShelfState {
  /// The place of the entry's store, if its incarnation is the present one and not over.
  private func place(of entry: Entry) -> Int? {
    guard let opening = entry.store, let incarnation = incarnations[opening],
      incarnation.end == nil || !StoreRule.fenceRetired.isOn
    else { return nil }
    return incarnation.store
  }

  private mutating func record(_ entry: Entry, in store: Int) throws(EntryError) -> Int? {
    guard let place = try entry.firstPathPlace() else { return nil }
    return stores[store].intern(entry.storage, place.bytes)
  }

  fileprivate mutating func open(_ entry: Entry) throws(EntryError) {
    guard let opened = try entry.decode(StoreOpened.self) else { return }
    if let store = places[opened.scope] ?? placeOfAll {
      places[opened.scope] = store
      end(store, at: entry.seq)
      stores[store].restart(at: entry.seq)
      incarnations[entry.seq] = Incarnation(store: store)
    } else {
      incarnations[entry.seq] = Incarnation(store: stores.count)
      places[opened.scope] = stores.count
      stores.append(Store(scope: opened.scope, opening: entry.seq, wholeFence: entry.seq))
    }
  }

  /// Where every scope would have its copies, if scopes were not kept apart.
  private var placeOfAll: Int? { StoreRule.scopeServer.isOn ? nil : stores.indices.first }

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
    stores[store].openReads = 0
    stores[store].boundFences = []
  }

  fileprivate mutating func begin(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let path = try record(entry, in: store),
      let began = try entry.decode(ReadBegan.self)
    else { return }
    stores[store].records[path].latestBegin = entry.seq
    stores[store].openReads += 1
    reads[entry.seq] = OpenRead(
      incarnation: stores[store].opening,
      store: store,
      path: path,
      generation: began.generation
    )
  }

  /// The read that began at `begin` in the present incarnation of `store` is over.
  private mutating func end(read begin: Seq, in store: Int) {
    guard reads[begin]?.incarnation == stores[store].opening else { return }
    reads[begin] = nil
    stores[store].endRead()
  }

  /// What was in flight when its incarnation ended is not any more.
  private mutating func endStray(_ seq: Seq) {
    if let read = reads[seq], isOver(read.incarnation) { reads[seq] = nil }
    if let mutation = mutations[seq], isOver(mutation.incarnation) { mutations[seq] = nil }
  }

  fileprivate mutating func land(_ entry: Entry) throws(EntryError) {
    guard let landed = try entry.decode(ReadLanded.self) else { return }
    try land(entry, landed.begin, landed.body, landed.status, landed.revision)
  }

  /// A read has brought the copy of its path.
  private mutating func land(
    _ entry: Entry,
    _ begin: Seq,
    _ body: BodyReference,
    _ status: UInt64,
    _ revision: UInt64?
  ) throws(EntryError) {
    guard let store = place(of: entry), let path = try record(entry, in: store) else { return }
    end(read: begin, in: store)
    stores[store].records[path].write(
      Copy(seq: entry.seq, saved: entry.time, body: body, status: status, revision: revision)
    )
    stores[store].records[path].suspect = nil
  }

  fileprivate mutating func assemble(_ entry: Entry) throws(EntryError) {
    guard let list = try entry.decode(ListAssembled.self) else { return }
    try land(entry, list.begin, list.body, list.status, list.revision)
  }

  fileprivate mutating func take(page entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let page = try entry.decode(PageReceived.self),
      reads[page.begin]?.incarnation == stores[store].opening
    else { return }
    let taken = Page(seq: entry.seq, count: page.count, rowKeys: page.rowKeys)
    reads[page.begin]?.pages.append(taken)
  }

  fileprivate mutating func refuse(_ entry: Entry) throws(EntryError) {
    guard let refused = try entry.decode(ReadRefused.self) else { return }
    endStray(refused.begin)
    guard let store = place(of: entry) else { return }
    end(read: refused.begin, in: store)
  }

  fileprivate mutating func send(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let place = try entry.firstPathPlace(),
      let sent = try entry.decode(MutationSent.self)
    else { return }
    mutations[entry.seq] = OpenMutation(
      incarnation: stores[store].opening,
      path: Path(canonical: Array(entry.storage[place.bytes])),
      method: sent.method,
      touches: sent.touches
    )
  }

  fileprivate mutating func answer(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let answered = try entry.decode(MutationAnswered.self)
    else { return }
    try write(answered.copies, answered.removals, answered.status, entry, in: store)
    fence(store, at: entry.seq, by: answered.mutation)
  }

  /// The answer to an entry of the outbox is on the shelf like the answer to any change.
  fileprivate mutating func copy(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let copied = try entry.decode(OutboxCopied.self) else {
      return
    }
    try write(copied.copies ?? [], [], copied.status, entry, in: store)
    stores[store].fence(at: entry.seq, by: copied.sent, reaching: copied.touches)
  }

  private mutating func write(
    _ copies: [MutationAnswered.Copy],
    _ removals: [UInt64],
    _ status: UInt64,
    _ entry: Entry,
    in store: Int
  ) throws(EntryError) {
    let links = try entry.paths
    let named = copies.map(\.path) + removals
    guard named.allSatisfy({ $0 < UInt64(links.count) }) else {
      throw EntryError(.malformed, "a copy or a removal names a path that is not there")
    }
    let numbers = links.map { stores[store].intern($0.path) }
    for copy in copies {
      stores[store].records[numbers[Int(copy.path)]].write(
        Copy(
          seq: entry.seq,
          saved: entry.time,
          body: copy.body,
          status: status,
          revision: copy.revision
        )
      )
    }
    for index in removals {
      stores[store].records[numbers[Int(index)]].remove(at: entry.seq)
    }
  }

  /// The change that was sent at `sent` in the present incarnation of `store` is over.
  @discardableResult
  private mutating func end(change sent: Seq, in store: Int) -> OpenMutation? {
    guard mutations[sent]?.incarnation == stores[store].opening else { return nil }
    return mutations.removeValue(forKey: sent)
  }

  /// The answer of a change makes reads late: those that it declared, or all.
  private mutating func fence(_ store: Int, at seq: Seq, by sent: Seq) {
    let answered = end(change: sent, in: store)
    stores[store].fence(at: seq, by: sent, answered)
  }

  fileprivate mutating func suppress(_ entry: Entry) throws(EntryError) {
    guard let suppressed = try entry.decode(MutationSuppressed.self) else { return }
    endStray(suppressed.mutation)
    guard let store = place(of: entry) else { return }
    for link in try entry.paths {
      let path = stores[store].intern(link.path)
      stores[store].records[path].suspect = entry.seq
    }
    fence(store, at: entry.seq, by: suppressed.mutation)
  }

  fileprivate mutating func fail(_ entry: Entry) throws(EntryError) {
    guard let failed = try entry.decode(MutationFailed.self) else { return }
    endStray(failed.mutation)
    guard let store = place(of: entry) else { return }
    end(change: failed.mutation, in: store)
  }

  fileprivate mutating func bump(_ entry: Entry) throws(EntryError) {
    guard let store = place(of: entry), let bumped = try entry.decode(GenerationBumped.self)
    else { return }
    // A number beyond what the format stores came from elsewhere, and must not end the counting.
    let to = min(bumped.to, UInt64(Int64.max))
    stores[store].generation = max(stores[store].generation, to)
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
