package import TidemarkEntries

/// Drafts for tests of the journal, which do not care what is in them.
extension Draft {
  /// An opening of a store.
  package static func opening(
    _ address: String = "https://a.example",
    key: String = "open-1",
    time: Int64 = 1000
  ) throws -> Draft {
    Draft(
      StoreOpened(scope: try Scope(address)),
      key: try IdempotencyKey(key),
      store: .opening,
      time: DeviceTime(milliseconds: time)
    )
  }

  /// A read that begins.
  package static func begin(
    _ path: String = "/notes",
    key: String,
    store: UInt64 = 1,
    generation: UInt64 = 0,
    time: Int64 = 1001
  ) throws -> Draft {
    Draft(
      ReadBegan(generation: generation),
      key: try IdempotencyKey(key),
      store: .opened(Seq(store)),
      time: DeviceTime(milliseconds: time),
      paths: [(try Path(path), .begin)]
    )
  }

  /// A read that lands.
  package static func landing(
    _ path: String = "/notes",
    key: String,
    begin: UInt64,
    body: BodyReference,
    store: UInt64 = 1,
    time: Int64 = 1002
  ) throws -> Draft {
    Draft(
      ReadLanded(begin: Seq(begin), body: body, status: 200),
      key: try IdempotencyKey(key),
      store: .opened(Seq(store)),
      time: DeviceTime(milliseconds: time),
      cause: .entry(Seq(begin)),
      paths: [(try Path(path), .write)]
    )
  }
}
