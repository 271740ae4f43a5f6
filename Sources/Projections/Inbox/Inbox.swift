package import TidemarkEntries
internal import TidemarkJournalStore

/// What other processes shared with the app, and how far each share has come.
package struct InboxState: Sendable {
  /// A share whose items are in the outbox, or on their way there.
  package struct Share: Sendable, Hashable {
    /// The `share-received` entry.
    package var received: Seq
    package var count: UInt64

    /// The `share-imported` entry: every item stands in the outbox.
    package var imported: Seq?
  }

  /// A share that could not be read, and is kept.
  package struct Unreadable: Sendable, Hashable {
    /// The `share-unreadable` entry.
    package var seq: Seq
    package var detail: String
    package var content: Digest
  }

  /// By the id of the share.
  package var shares: [ItemID: Share] = [:]

  /// By the name of the file.
  package var unreadable: [ItemID: Unreadable] = [:]
}

/// The doors in: shares of other processes, each taken once.
package enum Inbox: Projection {
  package static let name = "inbox"
  package static let version = 1
  package static var empty: InboxState { InboxState() }

  package static func evolve(_ state: inout InboxState, by entry: Entry) throws(EntryError) {
    switch entry.kind {
    case ShareReceived.number:
      guard let share = try entry.decode(ShareReceived.self) else { return }
      state.shares[ItemID(share.share)] = InboxState.Share(received: entry.seq, count: share.count)
    case ShareImported.number:
      guard let share = try entry.decode(ShareImported.self) else { return }
      state.shares[ItemID(share.share)]?.imported = entry.seq
    case ShareUnreadable.number:
      guard let share = try entry.decode(ShareUnreadable.self) else { return }
      state.unreadable[ItemID(share.share)] = InboxState.Unreadable(
        seq: entry.seq,
        detail: share.detail,
        content: share.content
      )
    case ShareDiscarded.number:
      guard let share = try entry.decode(ShareDiscarded.self) else { return }
      state.unreadable[ItemID(share.share)] = nil
    default: break
    }
  }
}

// The inbox in rows: shares under scope 0, unreadable ones under scope 1.
extension Inbox {
  package static func rowKeys(of state: InboxState) -> [RowKey] {
    state.shares.keys.map { .item(0, $0.bytes) } + state.unreadable.keys.map { .item(1, $0.bytes) }
  }

  package static func rowKeys(changedBy entry: Entry, in state: InboxState) -> [RowKey] {
    let share =
      entry.decoded(ShareReceived.self)?.share ?? entry.decoded(ShareImported.self)?.share
      ?? entry.decoded(ShareUnreadable.self)?.share ?? entry.decoded(ShareDiscarded.self)?.share
    return share.map { share in
      let name = Array(share.utf8)
      return [.item(0, name), .item(1, name)]
    } ?? []
  }

  package static func row(_ key: RowKey, of state: InboxState) -> [UInt8]? {
    var writer = CBORWriter(capacity: 96)
    switch key {
    case .item(0, let name):
      guard let share = state.shares[ItemID(name)] else { return nil }
      writer.array(count: 3)
      writer.unsigned(share.received.value)
      writer.unsigned(share.count)
      writer.optional(share.imported)
    case .item(1, let name):
      guard let share = state.unreadable[ItemID(name)] else { return nil }
      writer.array(count: 3)
      writer.unsigned(share.seq.value)
      writer.text(share.detail)
      writer.byteString(share.content.bytes)
    case .scope, .item, .entry: return nil
    }
    return writer.bytes
  }

  /// - Throws: ``EntryError`` if the rows are not those of an inbox.
  package static func state(
    from rows: [(key: RowKey, value: [UInt8])]
  ) throws(EntryError) -> InboxState {
    var state = InboxState()
    for (key, value) in rows {
      try RowReader.whole(value) { (row) throws(EntryError) in
        try row.array(of: 3)
        switch key {
        case .item(0, let name):
          state.shares[ItemID(name)] = InboxState.Share(
            received: try row.seq(),
            count: try row.unsigned(),
            imported: try row.optional { (row) throws(EntryError) in try row.seq() }
          )
        case .item(1, let name):
          let (seq, detail) = (try row.seq(), try row.text())
          guard let content = Digest(try row.bytes()) else {
            throw EntryError(.malformed, "no digest")
          }
          state.unreadable[ItemID(name)] = InboxState.Unreadable(
            seq: seq,
            detail: detail,
            content: content
          )
        case .scope, .item, .entry:
          throw EntryError(.malformed, "the rows are not those of an inbox")
        }
      }
    }
    return state
  }
}
