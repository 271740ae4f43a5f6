package import TidemarkEntries

// What the checks see of the stores beside the shelf.

extension JudgedEntry {
  /// What happened to an item of the outbox.
  package enum OutboxEvent {
    case enqueued(OutboxEnqueued)
    case sent(OutboxSent)
    case answered(OutboxAnswered)
    case inDoubt(OutboxInDoubt)
    case retired(OutboxRetired)
    case parked(OutboxParked)
    case retried(OutboxRetried)
    case discarded(OutboxDiscarded)
  }

  /// What happened to a list with two writers.
  package enum PinsEvent {
    case removed(PinsRemoved)
    case sent(PinsSent)
    case received(PinsReceived)
    case listed(PinsListed)
    case refused(PinsRefused)
    case unreadable
    case restored
  }
}

extension JudgedEntry.OutboxEvent {
  /// Nothing if the entry is about no item.
  init?(of entry: Entry) throws(EntryError) {
    switch entry.kind {
    case OutboxEnqueued.number: self = .enqueued(try .reading(entry))
    case OutboxSent.number: self = .sent(try .reading(entry))
    case OutboxAnswered.number: self = .answered(try .reading(entry))
    case OutboxInDoubt.number: self = .inDoubt(try .reading(entry))
    case OutboxRetired.number: self = .retired(try .reading(entry))
    case OutboxParked.number: self = .parked(try .reading(entry))
    case OutboxRetried.number: self = .retried(try .reading(entry))
    case OutboxDiscarded.number: self = .discarded(try .reading(entry))
    default: return nil
    }
  }

  /// The `outbox-enqueued` entry of the item; nothing if this is it.
  package var item: Seq? {
    switch self {
    case .enqueued: nil
    case .sent(let sent): sent.enqueued
    case .answered(let answered): answered.enqueued
    case .inDoubt(let doubt): doubt.enqueued
    case .retired(let retired): retired.enqueued
    case .parked(let parked): parked.enqueued
    case .retried(let retried): retried.enqueued
    case .discarded(let discarded): discarded.enqueued
    }
  }
}

extension JudgedEntry.PinsEvent {
  /// Nothing if the entry is about no list.
  init?(of entry: Entry) throws(EntryError) {
    switch entry.kind {
    case PinsRemoved.number: self = .removed(try .reading(entry))
    case PinsSent.number: self = .sent(try .reading(entry))
    case PinsReceived.number: self = .received(try .reading(entry))
    case PinsListed.number: self = .listed(try .reading(entry))
    case PinsRefused.number: self = .refused(try .reading(entry))
    case StoreUnreadable.number:
      guard try StoreUnreadable.reading(entry).part == .pins else { return nil }
      self = .unreadable
    case StoreRestored.number:
      guard try StoreRestored.reading(entry).part == .pins else { return nil }
      self = .restored
    default: return nil
    }
  }
}
