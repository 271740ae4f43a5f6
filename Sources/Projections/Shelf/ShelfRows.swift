package import TidemarkEntries
internal import TidemarkJournalStore

// The shelf in rows: a scope each, a path of a scope each, and an opening, a read or a change in
// flight each.
extension Shelf {
  package static func rowKeys(of state: ShelfState) -> [RowKey] {
    var keys: [RowKey] = []
    for (number, store) in state.stores.enumerated() {
      keys.append(.scope(UInt32(number)))
      for path in store.records.indices {
        keys.append(.item(UInt32(number), store.paths.path(path).bytes))
      }
    }
    keys += state.incarnations.keys.map { .entry($0) }
    keys += state.reads.keys.map { .entry($0) }
    keys += state.mutations.keys.map { .entry($0) }
    return keys
  }

  package static func rowKeys(changedBy entry: Entry, in state: ShelfState) -> [RowKey] {
    var keys = [RowKey.entry(entry.seq)]
    keys += entry.references.map { .entry($0.seq) }
    guard let number = storeNumber(of: entry, in: state) else { return keys }
    keys.append(.scope(number))
    if Int(number) < state.stores.count {
      // An opening ends the incarnation before it; a clearing changes every path.
      keys.append(.entry(state.stores[Int(number)].opening))
      if entry.decoded(GenerationBumped.self)?.reason == .cleared {
        let paths = state.stores[Int(number)].paths
        keys += (0..<paths.count).map { .item(number, paths.path($0).bytes) }
      }
    }
    for link in (try? entry.paths) ?? [] { keys.append(.item(number, link.path.bytes)) }
    return keys
  }

  /// The number that the scope of an entry has, or gets by it.
  private static func storeNumber(of entry: Entry, in state: ShelfState) -> UInt32? {
    if let opened = entry.decoded(StoreOpened.self) {
      return UInt32(state.places[opened.scope] ?? state.stores.count)
    }
    return entry.store.flatMap { state.incarnations[$0]?.store }.map { UInt32($0) }
  }

  package static func row(_ key: RowKey, of state: ShelfState) -> [UInt8]? {
    var writer = CBORWriter(capacity: 128)
    switch key {
    case .scope(let number):
      guard Int(number) < state.stores.count else { return nil }
      writer.store(state.stores[Int(number)])
    case .item(let number, let bytes):
      guard Int(number) < state.stores.count,
        let record = state.stores[Int(number)].record(of: Path(canonical: bytes))
      else { return nil }
      writer.record(record)
    case .entry(let seq):
      if let incarnation = state.incarnations[seq] {
        writer.incarnation(incarnation)
      } else if let read = state.reads[seq] {
        writer.read(read, of: state.path(of: read))
      } else if let mutation = state.mutations[seq] {
        writer.mutation(mutation)
      } else {
        return nil
      }
    }
    return writer.bytes
  }
}

extension CBORWriter {
  // [address, account, opening, retirement, generation, last fence of all, last answer,
  //  [[bounded fence, touches], …]]
  fileprivate mutating func store(_ store: ShelfState.Store) {
    array(count: 8)
    text(store.scope.address)
    optional(store.scope.account)
    unsigned(store.opening.value)
    optional(store.retired)
    unsigned(store.generation)
    unsigned(store.wholeFence.value)
    array(count: store.lastAnswer == nil ? 0 : 2)
    if let (mutation, touches) = store.lastAnswer {
      unsigned(mutation.value)
      optional(touches)
    }
    array(count: store.boundFences.count)
    for fence in store.boundFences {
      array(count: 2)
      unsigned(fence.seq.value)
      optional(fence.touches)
    }
  }

  // [last begin, last write, its revision, floor, its seq, suspect, copy]
  fileprivate mutating func record(_ record: ShelfState.PathRecord) {
    array(count: 7)
    unsigned(record.latestBegin.value)
    unsigned(record.lastWrite.value)
    optional(record.lastRevision)
    optional(record.floor?.revision)
    optional(record.floor?.seq)
    optional(record.suspect)
    guard let copy = record.copy else { return null() }
    array(count: 6)
    unsigned(copy.seq.value)
    integer(copy.saved.milliseconds)
    copy.body.write(to: &self)
    unsigned(copy.status)
    optional(copy.revision)
    bool(copy.isImmutable)
  }

  // [0, scope, end]
  fileprivate mutating func incarnation(_ incarnation: ShelfState.Incarnation) {
    array(count: 3)
    unsigned(0)
    unsigned(UInt64(incarnation.store))
    optional(incarnation.end)
  }

  // [1, opening, scope, path, generation, [[page, rows, row keys], …]]
  fileprivate mutating func read(_ read: ShelfState.OpenRead, of path: Path) {
    array(count: 6)
    unsigned(1)
    unsigned(read.incarnation.value)
    unsigned(UInt64(read.store))
    byteString(path.bytes)
    unsigned(read.generation)
    array(count: read.pages.count)
    for page in read.pages {
      array(count: 3)
      unsigned(page.seq.value)
      unsigned(page.count)
      byteString(page.rowKeys)
    }
  }

  // [2, opening, path, method, touches]
  fileprivate mutating func mutation(_ mutation: ShelfState.OpenMutation) {
    array(count: 5)
    unsigned(2)
    unsigned(mutation.incarnation.value)
    byteString(mutation.path.bytes)
    text(mutation.method)
    optional(mutation.touches)
  }
}

// MARK: Reading them again

extension Shelf {
  /// - Throws: ``EntryError`` if the rows are not those of a shelf.
  package static func state(
    from rows: [(key: RowKey, value: [UInt8])]
  ) throws(EntryError) -> ShelfState {
    var state = ShelfState()
    // Scopes come last in the order of keys, and all else names them.
    for case (.scope(let number), let value) in rows {
      guard Int(number) == state.stores.count else { throw .strange }
      let store = try RowReader.whole(value) { (row) throws(EntryError) in try row.store() }
      state.places[store.scope] = state.stores.count
      state.stores.append(store)
    }
    for (key, value) in rows {
      switch key {
      case .scope: break
      case .item(let number, let path):
        guard Int(number) < state.stores.count else { throw .strange }
        let place = state.stores[Int(number)].intern(Path(canonical: path))
        state.stores[Int(number)].records[place] = try RowReader.whole(value) {
          (row) throws(EntryError) in try row.record()
        }
      case .entry(let seq):
        try RowReader.whole(value) { (row) throws(EntryError) in
          try row.entry(at: seq, into: &state)
        }
      }
    }
    state.countOpenReads()
    return state
  }
}

extension ShelfState {
  fileprivate mutating func countOpenReads() {
    for read in reads.values where !isOver(read.incarnation) {
      guard stores[read.store].opening == read.incarnation else { continue }
      stores[read.store].openReads += 1
    }
  }
}

extension EntryError {
  fileprivate static var strange: EntryError {
    EntryError(.malformed, "the rows are not those of a shelf")
  }
}

extension RowReader {
  fileprivate mutating func store() throws(EntryError) -> ShelfState.Store {
    try array(of: 8)
    let address = try text()
    let account = try optional { (row) throws(EntryError) in try row.text() }
    let opening = try seq()
    let retired = try optional { (row) throws(EntryError) in try row.seq() }
    let generation = try unsigned()
    var store = ShelfState.Store(
      scope: Scope(canonical: address, account: account),
      opening: opening,
      retired: retired,
      generation: generation,
      wholeFence: try seq()
    )
    if try array() == 2 {
      let mutation = try seq()
      store.lastAnswer = (
        mutation, try optional { (row) throws(EntryError) in try row.touches() }
      )
    }
    store.boundFences = try list { (row) throws(EntryError) in
      try row.array(of: 2)
      return ShelfState.BoundFence(seq: try row.seq(), touches: try row.touches())
    }
    return store
  }

  fileprivate mutating func record() throws(EntryError) -> ShelfState.PathRecord {
    try array(of: 7)
    var record = ShelfState.PathRecord()
    record.latestBegin = try seq()
    record.lastWrite = try seq()
    record.lastRevision = try optional { (row) throws(EntryError) in try row.unsigned() }
    let revision = try optional { (row) throws(EntryError) in try row.unsigned() }
    let floor = try optional { (row) throws(EntryError) in try row.seq() }
    if let revision, let floor { record.floor = (revision, floor) }
    record.suspect = try optional { (row) throws(EntryError) in try row.seq() }
    record.copy = try optional { (row) throws(EntryError) in try row.copy() }
    return record
  }

  private mutating func copy() throws(EntryError) -> ShelfState.Copy {
    try array(of: 6)
    return ShelfState.Copy(
      seq: try seq(),
      saved: DeviceTime(milliseconds: try integer()),
      body: try body(),
      status: try unsigned(),
      revision: try optional { (row) throws(EntryError) in try row.unsigned() },
      isImmutable: try bool()
    )
  }

  fileprivate mutating func entry(
    at seq: Seq,
    into state: inout ShelfState
  ) throws(EntryError) {
    let count = try array()
    switch (try unsigned(), count) {
    case (0, 3):
      let store = try storeNumber(in: state)
      let end = try optional { (row) throws(EntryError) in try row.seq() }
      state.incarnations[seq] = ShelfState.Incarnation(store: store, end: end)
    case (1, 6):
      let incarnation = try self.seq()
      let store = try storeNumber(in: state)
      let path = Path(canonical: try bytes())
      state.reads[seq] = ShelfState.OpenRead(
        incarnation: incarnation,
        store: store,
        path: state.stores[store].intern(path),
        generation: try unsigned(),
        pages: try list { (row) throws(EntryError) in try row.page() }
      )
    case (2, 5):
      state.mutations[seq] = ShelfState.OpenMutation(
        incarnation: try self.seq(),
        path: Path(canonical: try bytes()),
        method: try text(),
        touches: try optional { (row) throws(EntryError) in try row.touches() }
      )
    default: throw .strange
    }
  }

  private mutating func page() throws(EntryError) -> ShelfState.Page {
    try array(of: 3)
    return ShelfState.Page(seq: try seq(), count: try unsigned(), rowKeys: try bytes())
  }

  private mutating func storeNumber(in state: ShelfState) throws(EntryError) -> Int {
    let number = try unsigned()
    guard number < UInt64(state.stores.count) else { throw .strange }
    return Int(number)
  }
}
