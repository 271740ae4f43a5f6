package import TidemarkEntries
internal import TidemarkJournalStore

// The pins in rows: a scope each, a pin or removal of a scope each, and every opening each.
extension Pins {
  package static func rowKeys(of state: PinsState) -> [RowKey] {
    var keys = state.stores.keys.map { RowKey.entry($0) }
    for (number, list) in state.lists.enumerated() {
      keys.append(.scope(UInt32(number)))
      keys += itemKeys(of: list, UInt32(number))
    }
    return keys
  }

  private static func itemKeys(of list: PinsState.List, _ number: UInt32) -> [RowKey] {
    let ids = Set(list.snapshot.map { Array($0.pins.keys) } ?? []).union(list.removals.keys)
    return ids.map { .item(number, $0.bytes) }
  }

  package static func rowKeys(changedBy entry: Entry, in state: PinsState) -> [RowKey] {
    if let opened = entry.decoded(StoreOpened.self) {
      let number = state.places[opened.scope] ?? state.lists.count
      return [.entry(entry.seq), .scope(UInt32(number))]
    }
    guard let place = entry.store.flatMap({ state.stores[$0] }) else { return [] }
    let number = UInt32(place)
    var keys = [RowKey.scope(number)]
    let named: [PinVersion]
    switch entry.kind {
    case StoreRetired.number, StoreUnreadable.number, StoreRestored.number, PinsRefused.number,
      PinsSent.number:
      named = []
    case PinsRemoved.number: named = entry.decoded(PinsRemoved.self)?.pins ?? []
    case PinsListed.number: named = entry.decoded(PinsListed.self)?.pins ?? []
    case PinsReceived.number:
      named = entry.decoded(PinsReceived.self)?.pins ?? []
      keys += itemKeys(of: state.lists[place], number)
    default: return []
    }
    return keys + named.map { .item(number, $0.id.bytes) }
  }

  package static func row(_ key: RowKey, of state: PinsState) -> [UInt8]? {
    var writer = CBORWriter(capacity: 96)
    switch key {
    case .scope(let number):
      guard Int(number) < state.lists.count else { return nil }
      writer.list(state.lists[Int(number)])
    case .item(let number, let bytes):
      guard Int(number) < state.lists.count,
        writer.pin(ItemID(bytes), of: state.lists[Int(number)])
      else { return nil }
    case .entry(let seq):
      guard let place = state.stores[seq] else { return nil }
      writer.unsigned(UInt64(place))
    }
    return writer.bytes
  }

  /// - Throws: ``EntryError`` if the rows are not those of pins.
  package static func state(
    from rows: [(key: RowKey, value: [UInt8])]
  ) throws(EntryError) -> PinsState {
    var state = PinsState()
    for case (.scope(let number), let value) in rows {
      guard Int(number) == state.lists.count else { throw .strangePins }
      let list = try RowReader.whole(value) { (row) throws(EntryError) in try row.list() }
      state.places[list.scope] = state.lists.count
      state.lists.append(list)
    }
    for (key, value) in rows {
      if case .scope = key { continue }
      try RowReader.whole(value) { (row) throws(EntryError) in
        switch key {
        case .scope: break
        case .item(let number, let id):
          guard Int(number) < state.lists.count else { throw .strangePins }
          try row.pin(ItemID(id), into: &state.lists[Int(number)])
        case .entry(let seq):
          let place = try row.unsigned()
          guard place < UInt64(state.lists.count) else { throw .strangePins }
          state.stores[seq] = Int(place)
        }
      }
    }
    return state
  }
}

extension EntryError {
  fileprivate static var strangePins: EntryError {
    EntryError(.malformed, "the rows are not those of pins")
  }
}

extension CBORWriter {
  // [address, account, opening, is over, unreadable, snapshot, pass]
  fileprivate mutating func list(_ list: PinsState.List) {
    array(count: 7)
    text(list.scope.address)
    optional(list.scope.account)
    unsigned(list.store.value)
    bool(list.isOver)
    optional(list.unreadable)
    if let snapshot = list.snapshot {
      array(count: 3)
      unsigned(snapshot.seq.value)
      integer(snapshot.received.milliseconds)
      snapshot.body.write(to: &self)
    } else {
      null()
    }
    guard let pass = list.pass else { return null() }
    array(count: 2)
    unsigned(pass.sent.value)
    array(count: pass.pins.count)
    for pin in pass.pins { pin.write(to: &self) }
  }

  // [is in the snapshot, its version, removal, version that was seen]
  fileprivate mutating func pin(_ id: ItemID, of list: PinsState.List) -> Bool {
    let version = list.snapshot?.pins[id]
    let removal = list.removals[id]
    guard version != nil || removal != nil else { return false }
    array(count: 4)
    bool(version != nil)
    optional(version ?? nil)
    optional(removal?.seq)
    optional(removal?.version)
    return true
  }
}

extension RowReader {
  fileprivate mutating func list() throws(EntryError) -> PinsState.List {
    try array(of: 7)
    let address = try text()
    let account = try optional { (row) throws(EntryError) in try row.text() }
    var list = PinsState.List(
      scope: Scope(canonical: address, account: account),
      store: try seq(),
      isOver: try bool()
    )
    list.unreadable = try optional { (row) throws(EntryError) in try row.seq() }
    list.snapshot = try optional { (row) throws(EntryError) in
      try row.array(of: 3)
      return PinsState.Snapshot(
        seq: try row.seq(),
        received: DeviceTime(milliseconds: try row.integer()),
        body: try row.body()
      )
    }
    list.pass = try optional { (row) throws(EntryError) in
      try row.array(of: 2)
      return PinsState.Pass(
        sent: try row.seq(),
        pins: try row.list { (row) throws(EntryError) in try row.pin() }
      )
    }
    return list
  }

  fileprivate mutating func pin(
    _ id: ItemID,
    into list: inout PinsState.List
  ) throws(EntryError) {
    try array(of: 4)
    let isShown = try bool()
    let version = try optional { (row) throws(EntryError) in try row.unsigned() }
    if isShown { list.snapshot?.pins[id] = .some(version) }
    let removal = try optional { (row) throws(EntryError) in try row.seq() }
    let seen = try optional { (row) throws(EntryError) in try row.unsigned() }
    if let removal { list.removals[id] = PinsState.Removal(seq: removal, version: seen) }
  }
}
