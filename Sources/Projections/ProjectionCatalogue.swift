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
    StatePart(Shelf.self, \.shelf),
    StatePart(Outbox.self, \.outbox),
    StatePart(Pins.self, \.pins),
    StatePart(Inbox.self, \.inbox),
  ]
}
