package import TidemarkEntries

/// A list with two writers, in which nobody's removal takes more than it saw.
package enum Pins: Projection {
  package static let name = "pins"
  package static let version = 1
  package static var empty: PinsState { PinsState() }

  package static func evolve(_ state: inout PinsState, by entry: Entry) throws(EntryError) {
    switch entry.kind {
    case StoreOpened.number: try state.open(entry)
    case StoreRetired.number: state.retire(entry)
    case PinsRemoved.number: try state.remove(entry)
    case PinsSent.number: try state.send(entry)
    case PinsReceived.number: try state.receive(entry)
    case PinsListed.number: try state.list(entry)
    case PinsRefused.number: try state.refuse(entry)
    case StoreUnreadable.number: try state.freeze(entry)
    case StoreRestored.number: try state.restore(entry)
    #if DEBUG
      case GenerationBumped.number where !StoreRule.clearKeepsOutbox.isOn: try state.clear(entry)
    #endif
    default: break
    }
  }
}

extension PinsState {
  private func place(of entry: Entry) -> Int? { entry.store.flatMap { stores[$0] } }

  fileprivate mutating func open(_ entry: Entry) throws(EntryError) {
    guard let opened = try entry.decode(StoreOpened.self) else { return }
    if let place = places[opened.scope] {
      lists[place].store = entry.seq
      lists[place].isOver = false
      lists[place].pass = nil
      stores[entry.seq] = place
    } else {
      places[opened.scope] = lists.count
      stores[entry.seq] = lists.count
      lists.append(List(scope: opened.scope, store: entry.seq))
    }
  }

  fileprivate mutating func retire(_ entry: Entry) {
    guard let place = place(of: entry), lists[place].store == entry.store else { return }
    lists[place].isOver = true
    lists[place].pass = nil
  }

  fileprivate mutating func remove(_ entry: Entry) throws(EntryError) {
    guard let place = place(of: entry), let removed = try entry.decode(PinsRemoved.self) else {
      return
    }
    for pin in removed.pins {
      lists[place].removals[pin.id] = Removal(seq: entry.seq, version: pin.version)
    }
  }

  fileprivate mutating func send(_ entry: Entry) throws(EntryError) {
    guard let place = place(of: entry), let sent = try entry.decode(PinsSent.self) else { return }
    lists[place].pass = Pass(sent: entry.seq, pins: sent.pins)
  }

  /// The snapshot is the new one, and exactly what its request sent is acknowledged.
  fileprivate mutating func receive(_ entry: Entry) throws(EntryError) {
    guard let place = place(of: entry), let received = try entry.decode(PinsReceived.self),
      lists[place].pass?.sent == received.sent || !StoreRule.replicaSerial.isOn
    else { return }
    lists[place].snapshot = Snapshot(seq: entry.seq, received: entry.time, body: received.body)
    add(received.pins, in: place)
    guard let pass = lists[place].pass, pass.sent == received.sent else { return }
    lists[place].pass = nil
    guard StoreRule.replicaAckSent.isOn else { return lists[place].removals = [:] }
    for pin in pass.pins {
      guard let removal = lists[place].removals[pin.id], removal.seq < pass.sent,
        removal.version == pin.version
      else { continue }
      lists[place].removals[pin.id] = nil
    }
  }

  fileprivate mutating func list(_ entry: Entry) throws(EntryError) {
    guard let place = place(of: entry), let listed = try entry.decode(PinsListed.self),
      lists[place].snapshot?.seq == entry.cause
    else { return }
    add(listed.pins, in: place)
  }

  private mutating func add(_ pins: [PinVersion], in place: Int) {
    for pin in pins { lists[place].snapshot?.pins[pin.id] = .some(pin.version) }
  }

  fileprivate mutating func refuse(_ entry: Entry) throws(EntryError) {
    guard let place = place(of: entry), let refused = try entry.decode(PinsRefused.self),
      lists[place].pass?.sent == refused.sent
    else { return }
    lists[place].pass = nil
  }

  fileprivate mutating func freeze(_ entry: Entry) throws(EntryError) {
    guard let place = place(of: entry), try entry.decode(StoreUnreadable.self)?.part == .pins else {
      return
    }
    guard StoreRule.replicaUnreadable.isOn else {
      lists[place].snapshot = nil
      lists[place].removals = [:]
      return
    }
    lists[place].unreadable = lists[place].unreadable ?? entry.seq
  }

  fileprivate mutating func restore(_ entry: Entry) throws(EntryError) {
    guard let place = place(of: entry), try entry.decode(StoreRestored.self)?.part == .pins else {
      return
    }
    lists[place].unreadable = nil
  }
}

// What stories without a rule do; see ``StoreRule``.
#if DEBUG
  extension PinsState {
    /// Drops the removals of a scope with its copies.
    fileprivate mutating func clear(_ entry: Entry) throws(EntryError) {
      guard let place = place(of: entry),
        try entry.decode(GenerationBumped.self)?.reason == .cleared
      else { return }
      lists[place].removals = [:]
    }
  }
#endif
