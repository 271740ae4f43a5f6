package import TidemarkEntries

/// What is known of the pins of each scope: a list that the server and this device both write.
///
/// The replica is the last whole snapshot; what is shown is the replica without the removals that
/// the server has not acknowledged.
package struct PinsState: Sendable {
  /// The pins of one scope.
  package struct List: Sendable {
    package var scope: Scope

    /// The present incarnation of the scope.
    package var store: Seq
    package var isOver = false

    /// The last snapshot that was received whole.
    package var snapshot: Snapshot?

    /// What the user took off and the server was not told, or has not acknowledged.
    package var removals: [ItemID: Removal] = [:]

    /// The pass that is under way.
    package var pass: Pass?

    /// That the replica could not be read; nothing is synchronised until a person decides.
    package var unreadable: Seq?
  }

  /// The list as the server had it.
  package struct Snapshot: Sendable {
    /// The `pins-received` entry.
    package var seq: Seq
    package var received: DeviceTime
    package var body: BodyReference

    /// The pins that it shows, with the versions that the server sent.
    package var pins: [ItemID: UInt64?] = [:]
  }

  /// A pin that the user took off.
  package struct Removal: Sendable, Hashable {
    /// The `pins-removed` entry.
    package var seq: Seq

    /// The version that was seen.
    package var version: UInt64?
  }

  /// A request with its removals.
  package struct Pass: Sendable {
    /// The `pins-sent` entry.
    package var sent: Seq
    package var pins: [PinVersion]

    package init(sent: Seq, pins: [PinVersion]) {
      self.sent = sent
      self.pins = pins
    }
  }

  /// In the order of the first openings of their scopes.
  package var lists: [List] = []

  /// The place of each scope in ``lists``.
  package var places: [Scope: Int] = [:]

  /// The place of the scope of every incarnation in ``lists``.
  package var stores: [Seq: Int] = [:]
}

extension PinsState {
  package func list(of scope: Scope) -> List? { places[scope].map { lists[$0] } }

  /// The list whose store is open as the incarnation that was opened at `store`.
  package func list(openedAt store: Seq) -> List? {
    guard let list = stores[store].map({ lists[$0] }), list.store == store, !list.isOver else {
      return nil
    }
    return list
  }
}

extension PinsState.List {
  /// The ids that are shown, in the order of bytes.
  package var visible: [ItemID] {
    (snapshot?.pins.keys.filter { removals[$0] == nil } ?? []).sorted()
  }

  /// The removals in the order of ids.
  package var queued: [PinVersion] {
    removals.sorted { $0.key < $1.key }.map { PinVersion(id: $0.key, version: $0.value.version) }
  }
}
