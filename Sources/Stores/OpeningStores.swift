internal import TidemarkEntries

/// Stores that are being opened: what is asked of them meanwhile waits, and nothing is lost.
///
/// For an app whose first screen comes before its journal is open: hold this, and ask.
///
///     let opening = OpeningStores(path)
///     try await opening.with { stores in … }
public final class OpeningStores: Sendable {
  private let opening: Task<Stores, any Error>

  /// Begins to open the journal at `path`, as ``Stores/open(_:_:progress:)`` does.
  public init(_ path: String, _ options: Stores.Options = Stores.Options()) {
    opening = Task { try await Stores.open(path, options) }
  }

  /// The stores, once they are open.
  ///
  /// - Throws: what opening them threw.
  public var stores: Stores {
    get async throws { try await opening.value }
  }

  /// Does `work` on the stores when they are open; on none before, and on none beside.
  ///
  /// - Throws: what opening them threw, or `work`.
  public nonisolated(nonsending) func with<Result>(
    _ work: (Stores) async throws -> Result
  ) async throws -> Result {
    guard StoreRule.openWaits.isOn else { throw StoreError.unknown("the stores are not open yet") }
    return try await work(try await stores)
  }
}
