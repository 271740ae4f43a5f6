package import TidemarkEntries

/// What is known of the pins of each scope, by the entries before.
///
/// Memory goes with the pins that are shown and those that were taken off. Each part tells the
/// entry that it is known by: what stands before damage is not judged by.
package struct PinsFacts {
  /// The pins of one scope.
  package struct List {
    package var snapshot: Snapshot?

    /// What was taken off and is not acknowledged.
    package var removals: [ItemID: Removal] = [:]
    package var pass: Pass?

    /// That the list could not be read; nothing once a person has decided.
    package var unreadable: Seq?
  }

  /// The last list that was received.
  package struct Snapshot {
    package var seq: Seq

    /// How many pins it is to have, and the last entry that listed some.
    package var count: UInt64
    package var last: Seq
    package var pins: [ItemID: UInt64?] = [:]
  }

  /// A pin that was taken off.
  package struct Removal {
    package var seq: Seq
    package var version: UInt64?

    /// The first request that carried it.
    package var firstSent: Seq?
  }

  /// A request under way.
  package struct Pass {
    package var sent: Seq
    package var pins: [PinVersion]
  }

  private var lists: [Int: List] = [:]

  /// The pins of the scope with number `scope`.
  package func list(of scope: Int) -> List { lists[scope] ?? List() }

  /// The scope whose list is to go on in the next entry.
  package private(set) var unfinished: Int?
}

extension PinsFacts {
  /// Takes in an entry, of the scope with number `scope` if it is of one.
  mutating func settle(_ judged: JudgedEntry, of scope: Int?) {
    unfinished = nil
    guard let scope else { return }
    switch judged.content {
    case .opened, .retired: lists[scope]?.pass = nil
    case .pins(let event):
      lists[scope, default: List()].settle(event, at: judged.seq)
      guard let snapshot = lists[scope]?.snapshot, snapshot.last == judged.seq,
        UInt64(snapshot.pins.count) < snapshot.count
      else { return }
      unfinished = scope
    default: break
    }
  }
}

extension PinsFacts.List {
  fileprivate mutating func settle(_ event: JudgedEntry.PinsEvent, at seq: Seq) {
    switch event {
    case .removed(let removed):
      for pin in removed.pins {
        removals[pin.id] = PinsFacts.Removal(seq: seq, version: pin.version)
      }
    case .sent(let sent):
      pass = PinsFacts.Pass(sent: seq, pins: sent.pins)
      for pin in sent.pins where removals[pin.id]?.firstSent == nil {
        removals[pin.id]?.firstSent = seq
      }
    case .received(let received): receive(received, at: seq)
    case .listed(let listed):
      snapshot?.last = seq
      for pin in listed.pins { snapshot?.pins[pin.id] = .some(pin.version) }
    case .refused: pass = nil
    case .unreadable: unreadable = unreadable ?? seq
    case .restored: unreadable = nil
    }
  }

  private mutating func receive(_ received: PinsReceived, at seq: Seq) {
    snapshot = PinsFacts.Snapshot(seq: seq, count: received.count, last: seq)
    for pin in received.pins { snapshot?.pins[pin.id] = .some(pin.version) }
    guard let sent = pass, sent.sent == received.sent else { return }
    pass = nil
    for pin in sent.pins {
      guard let removal = removals[pin.id], removal.seq < sent.sent,
        removal.version == pin.version
      else { continue }
      removals[pin.id] = nil
    }
  }
}
