/// The projections that this build has, one line a projection.
package enum ProjectionCatalogue {
  package static let all: [any Projection.Type] = [
    Shelf.self
  ]
}
