package import TidemarkEntries

/// Which rows of which projections may have changed.
package struct ChangedRows: Sendable {
  package private(set) var keys: [String: Set<RowKey>] = [:]

  /// How many keys were noted, counted each time.
  package private(set) var count = 0

  package init() {}

  /// Notes what `entry` may change, before `states` take it.
  package mutating func note(_ entry: Entry, before states: States) {
    for part in ProjectionCatalogue.parts { note(entry, before: states, part) }
  }

  /// Notes what `entry` may change of one projection.
  package mutating func note(_ entry: Entry, before states: States, _ part: StatePart) {
    let changed = part.changedKeys(states, entry)
    keys[part.name, default: []].formUnion(changed)
    count += changed.count
  }

  package mutating func formUnion(_ other: ChangedRows) {
    for (name, keys) in other.keys { self.keys[name, default: []].formUnion(keys) }
    count += other.count
  }

  /// Every row of `states`.
  package static func all(of states: States) -> ChangedRows {
    var all = ChangedRows()
    for part in ProjectionCatalogue.parts {
      let keys = part.rowKeys(states)
      all.keys[part.name] = Set(keys)
      all.count += keys.count
    }
    return all
  }
}
