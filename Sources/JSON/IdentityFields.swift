/// The members by which an object of JSON usually says which thing it is about.
package enum IdentityFields {
  /// The surest first.
  package static let names: [StaticString] = ["id", "_id", "uuid", "guid", "key", "slug"]
}
