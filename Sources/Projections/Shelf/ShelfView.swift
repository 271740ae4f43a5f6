package import TidemarkEntries

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
