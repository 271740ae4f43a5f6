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
    stores = state.stores.map(Store.init).sorted {
      $0.scope.description.utf8.lexicographicallyPrecedes($1.scope.description.utf8)
    }
  }
}

extension ShelfView.Store {
  init(_ store: ShelfState.Store) {
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
    reads = store.reads.sorted { $0.key < $1.key }.map { begin, read in
      (
        Ticket(incarnation: store.opening, generation: read.generation, begin: begin),
        store.paths.path(read.path)
      )
    }
    changes = store.mutations.sorted { $0.key < $1.key }.map { sent, mutation in
      (sent, mutation.method, mutation.path)
    }
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
    for store in stores { writer.store(store) }
    writer.array(count: state.strays.count)
    for (begin, stray) in state.strays.sorted(by: { $0.key < $1.key }) {
      writer.array(count: 4)
      writer.unsigned(begin.value)
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

  fileprivate mutating func store(_ store: ShelfState.Store) {
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
    array(count: store.reads.count)
    for (begin, read) in store.reads.sorted(by: { $0.key < $1.key }) {
      array(count: 3)
      unsigned(begin.value)
      byteString(store.paths.path(read.path).bytes)
      unsigned(read.generation)
    }
    array(count: store.mutations.count)
    for (sent, mutation) in store.mutations.sorted(by: { $0.key < $1.key }) {
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
