package import TidemarkEntries

/// A fold of the journal: what it keeps, and what each entry does to it.
///
/// `evolve` gets an entry and nothing else: no journal, no clock, no chance. What it makes of the
/// same entries is the same in every process. A projection can be lost at any time; replay gives it
/// back.
///
/// What a state holds is told in *rows*, keyed bytes that are the same for equal states: they are
/// what a projections file keeps and what the digest of a state is made of.
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

  /// The keys of all rows, in no order.
  static func rowKeys(of state: State) -> [RowKey]

  /// The rows that `entry` may change, asked before it is taken in.
  ///
  /// Too many do no harm; one that is left out would stay as it was in the projections file.
  static func rowKeys(changedBy entry: Entry, in state: State) -> [RowKey]

  /// What the row under `key` holds; nothing if there is none.
  static func row(_ key: RowKey, of state: State) -> [UInt8]?

  /// The state that `rows` hold, which come in the order of their keys.
  ///
  /// - Throws: ``EntryError`` if they are not those of a state.
  static func state(from rows: [(key: RowKey, value: [UInt8])]) throws(EntryError) -> State
}

extension Projection {
  /// SHA-256 of the name, the version and all rows, in the order of their keys.
  ///
  /// - Complexity: O(*n* log *n*) in the rows.
  package static func digest(of state: State) -> Digest {
    var digest = RowDigest(name, version)
    for (key, bytes) in RowKey.inOrder(rowKeys(of: state)) {
      guard let value = row(key, of: state) else { continue }
      digest.add(bytes, value)
    }
    return digest.finish()
  }
}
