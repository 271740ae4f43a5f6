package import TidemarkEntries
internal import TidemarkHashing

/// The shelf as people and tools read it.
package struct ShelfView: Sendable {
  /// One scope.
  package struct Store: Sendable {
    package var scope: Scope
    package var opening: Seq
    package var retired: Seq?
    package var generation: UInt64

    /// The copies, by path in the order of bytes.
    package var copies: [Copy]

    /// The reads that are in flight, by their begin.
    package var reads: [(ticket: Ticket, path: Path)]

    /// The changes that are in flight, by their sending.
    package var changes: [(sent: Seq, method: String, path: Path)]
  }

  /// One copy.
  package struct Copy: Sendable {
    package var path: Path
    package var copy: ShelfState.Copy

    /// The answer that could not be written here, if the copy is suspect.
    package var suspect: Seq?
  }

  package var stores: [Store]

  package init(_ state: ShelfState) {
    let flights = Flights(state)
    stores = state.stores.map { Store($0, flights) }.sorted {
      $0.scope.description.utf8.lexicographicallyPrecedes($1.scope.description.utf8)
    }
  }
}

extension ShelfView.Store {
  fileprivate init(_ store: ShelfState.Store, _ flights: Flights) {
    scope = store.scope
    opening = store.opening
    retired = store.retired
    generation = store.generation
    copies = store.records.indices.compactMap { number in
      let record = store.records[number]
      return record.copy.map {
        ShelfView.Copy(path: store.paths.path(number), copy: $0, suspect: record.suspect)
      }
    }
    copies.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    reads = (flights.reads[store.opening] ?? []).map { begin, read in
      (
        Ticket(incarnation: store.opening, generation: read.generation, begin: begin),
        store.paths.path(read.path)
      )
    }
    changes = (flights.mutations[store.opening] ?? []).map { sent, mutation in
      (sent, mutation.method, mutation.path)
    }
  }
}

/// What is in flight, by its incarnation, in order.
private struct Flights {
  let reads: [Seq: [(key: Seq, value: ShelfState.OpenRead)]]
  let mutations: [Seq: [(key: Seq, value: ShelfState.OpenMutation)]]

  init(_ state: ShelfState) {
    reads = Dictionary(grouping: state.reads.sorted { $0.key < $1.key }) { $0.value.incarnation }
    mutations = Dictionary(grouping: state.mutations.sorted { $0.key < $1.key }) {
      $0.value.incarnation
    }
  }
}

extension ShelfState {
  /// The reads and changes whose incarnation is over, by their begin or sending.
  fileprivate var strays: [(begin: Seq, incarnation: Seq, path: Path, isRead: Bool)] {
    let late = reads.filter { isOver($0.value.incarnation) }.map {
      (begin: $0.key, incarnation: $0.value.incarnation, path: path(of: $0.value), isRead: true)
    }
    let unanswered = mutations.filter { isOver($0.value.incarnation) }.map {
      (begin: $0.key, incarnation: $0.value.incarnation, path: $0.value.path, isRead: false)
    }
    return (late + unanswered).sorted { $0.begin < $1.begin }
  }
}

extension Shelf {
  // [stores, strays, incarnations], all in the order of bytes or numbers, where
  // a store is [address, account, opening, retirement, generation, last fence of all,
  //   last answer, bound fences, [[path, latest begin, last write, last revision, floor, its seq,
  //   suspect, copy], …], [open reads], [open changes]],
  // a stray [begin, incarnation, path, whether it is a read], an incarnation [opening, end].
  package static func digest(of state: ShelfState) -> Digest {
    var writer = CBORWriter(capacity: 4096)
    writer.text("tidemark shelf \(version)")
    let stores = state.stores.sorted {
      $0.scope.description.utf8.lexicographicallyPrecedes($1.scope.description.utf8)
    }
    writer.array(count: stores.count)
    let flights = Flights(state)
    for store in stores { writer.store(store, flights) }
    let strays = state.strays
    writer.array(count: strays.count)
    for stray in strays {
      writer.array(count: 4)
      writer.unsigned(stray.begin.value)
      writer.unsigned(stray.incarnation.value)
      writer.byteString(stray.path.bytes)
      writer.bool(stray.isRead)
    }
    writer.array(count: state.incarnations.count)
    for (opening, incarnation) in state.incarnations.sorted(by: { $0.key < $1.key }) {
      writer.array(count: 2)
      writer.unsigned(opening.value)
      writer.optional(incarnation.end?.value)
    }
    var hash = SHA256Hash()
    hash.update(writer.bytes)
    return Digest(words: hash.finish())
  }
}

extension CBORWriter {
  fileprivate mutating func optional(_ value: UInt64?) {
    if let value { unsigned(value) } else { null() }
  }

  private mutating func optional(_ touches: [Touch]?) {
    guard let touches else { return null() }
    array(count: touches.count)
    for touch in touches { touch.write(to: &self) }
  }

  private mutating func fences(of store: ShelfState.Store) {
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

  fileprivate mutating func store(_ store: ShelfState.Store, _ flights: Flights) {
    array(count: 11)
    text(store.scope.address)
    if let account = store.scope.account { text(account) } else { null() }
    unsigned(store.opening.value)
    optional(store.retired?.value)
    unsigned(store.generation)
    fences(of: store)
    let paths = (0..<store.paths.count).map { (store.paths.path($0), store.records[$0]) }
      .sorted { $0.0.bytes.lexicographicallyPrecedes($1.0.bytes) }
    array(count: paths.count)
    for (path, record) in paths { self.record(path, record) }
    let isOver = store.retired != nil
    let reads = isOver ? [] : flights.reads[store.opening] ?? []
    array(count: reads.count)
    for (begin, read) in reads {
      array(count: 3)
      unsigned(begin.value)
      byteString(store.paths.path(read.path).bytes)
      unsigned(read.generation)
    }
    let mutations = isOver ? [] : flights.mutations[store.opening] ?? []
    array(count: mutations.count)
    for (sent, mutation) in mutations {
      array(count: 4)
      unsigned(sent.value)
      byteString(mutation.path.bytes)
      text(mutation.method)
      optional(mutation.touches)
    }
  }

  private mutating func record(_ path: Path, _ record: ShelfState.PathRecord) {
    array(count: 8)
    byteString(path.bytes)
    unsigned(record.latestBegin.value)
    unsigned(record.lastWrite.value)
    optional(record.lastRevision)
    optional(record.floor?.revision)
    optional(record.floor?.seq.value)
    optional(record.suspect?.value)
    guard let copy = record.copy else { return null() }
    array(count: 6)
    unsigned(copy.seq.value)
    integer(copy.saved.milliseconds)
    byteString(copy.body.commitment.bytes)
    unsigned(copy.status)
    optional(copy.revision)
    bool(copy.isImmutable)
  }
}
