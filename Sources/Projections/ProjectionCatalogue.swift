internal import TidemarkEntries

/// The projections that this build has, one line a projection.
package enum ProjectionCatalogue {
  package static let all: [any Projection.Type] = [
    Shelf.self,
    Outbox.self,
    Pins.self,
    Inbox.self,
  ]

  /// The same, each with its place in ``States``.
  package static let parts: [StatePart] = [
    StatePart(Shelf.self, { $0.shelf }) { (states, body) throws(EntryError) in
      try body(&states.shelf)
    },
    StatePart(Outbox.self, { $0.outbox }) { (states, body) throws(EntryError) in
      try body(&states.outbox)
    },
    StatePart(Pins.self, { $0.pins }) { (states, body) throws(EntryError) in try body(&states.pins)
    },
    StatePart(Inbox.self, { $0.inbox }) { (states, body) throws(EntryError) in
      try body(&states.inbox)
    },
  ]
}
