package import TidemarkEntries

/// The states of all projections, side by side.
///
/// A line a projection here, and one in ``ProjectionCatalogue``.
package struct States: Sendable {
  package var shelf = Shelf.empty
  package var outbox = Outbox.empty
  package var pins = Pins.empty
  package var inbox = Inbox.empty

  package init() {}

  /// Takes one entry into each.
  ///
  /// - Returns: what kept a projection from taking it; that one is as before.
  package mutating func evolve(by entry: Entry) -> [(projection: String, error: EntryError)] {
    var failures: [(projection: String, error: EntryError)] = []
    for part in ProjectionCatalogue.parts {
      do throws(EntryError) { try part.evolve(&self, entry) } catch {
        failures.append((part.name, error))
      }
    }
    return failures
  }
}

/// One projection, and where its state stands in ``States``.
package struct StatePart: Sendable {
  package let name: String
  package let version: Int
  package let evolve: @Sendable (inout States, Entry) throws(EntryError) -> Void
  package let rowKeys: @Sendable (States) -> [RowKey]
  package let changedKeys: @Sendable (States, Entry) -> [RowKey]
  package let row: @Sendable (States, RowKey) -> [UInt8]?
  package let load:
    @Sendable (inout States, [(key: RowKey, value: [UInt8])]) throws(EntryError) ->
      Void
  package let digest: @Sendable (States) -> Digest

  /// Forgets the state.
  package let reset: @Sendable (inout States) -> Void

  /// - Parameters:
  ///   - projection: the fold.
  ///   - state: where its state stands.
  ///   - change: lends it to be changed in its place: a key path would be as short, and takes
  ///     longer than the fold of most entries.
  init<Folded: Projection>(
    _ projection: Folded.Type,
    _ state: @escaping @Sendable (States) -> Folded.State,
    _ change:
      @escaping @Sendable (
        inout States, (inout Folded.State) throws(EntryError) -> Void
      ) throws(EntryError) -> Void
  ) {
    name = Folded.name
    version = Folded.version
    evolve = { (states, entry) throws(EntryError) in
      try change(&states) { (state) throws(EntryError) in try Folded.evolve(&state, by: entry) }
    }
    rowKeys = { Folded.rowKeys(of: state($0)) }
    changedKeys = { Folded.rowKeys(changedBy: $1, in: state($0)) }
    row = { Folded.row($1, of: state($0)) }
    load = { (states, rows) throws(EntryError) in
      let loaded = try Folded.state(from: rows)
      try change(&states) { $0 = loaded }
    }
    digest = { Folded.digest(of: state($0)) }
    reset = { states in
      // Nothing is read that could be malformed.
      try? change(&states) { $0 = Folded.empty }
    }
  }
}
