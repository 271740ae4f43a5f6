package import TidemarkEntries

/// A fold of the journal: what it keeps, and what each entry does to it.
///
/// `evolve` gets an entry and nothing else: no journal, no clock, no chance. What it makes of the
/// same entries is the same in every process. A projection can be lost at any time; replay gives it
/// back.
package protocol Projection: Sendable {
  associatedtype State: Sendable

  static var name: String { get }

  /// Goes up when the same entries must give another state; then the old one is dropped.
  static var version: Int { get }

  static var empty: State { get }

  /// Takes one entry into the state.
  ///
  /// Kinds that do not concern it are passed over.
  ///
  /// - Throws: ``EntryError`` if the payload is not that of its kind; the state is as before.
  static func evolve(_ state: inout State, by entry: Entry) throws(EntryError)

  /// SHA-256 of all that the state holds, in one order.
  ///
  /// - Complexity: O(*n* log *n*) in what the state holds.
  static func digest(of state: State) -> Digest
}
