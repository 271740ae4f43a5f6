import CTidemarkPeer

/// Plain SQLite in C, a row an entry: the peer *P* of the tables.
final class Peer {
  private let handle: OpaquePointer
  private var rowCount = 0

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let result = tidemark_peer_open(path, &opened)
    guard result == 0, let opened else {
      throw BenchmarkFailure("the peer cannot open \(path): \(result)")
    }
    handle = opened
  }

  deinit {
    tidemark_peer_close(handle)
  }

  /// Whether each commit waits for the medium.
  func setDurable(_ isDurable: Bool) throws {
    try check(tidemark_peer_durable(handle, isDurable ? 1 : 0))
  }

  /// How much of the file SQLite keeps in memory; 2,000 KiB is its own choice.
  func setCache(kibibytes: Int32) throws {
    try check(tidemark_peer_cache(handle, kibibytes))
  }

  /// Inserts the rows of `load`, and returns how many it refused because of their key.
  @discardableResult
  func append(_ load: Load, perCommit: Int) throws -> Int {
    var refused: UInt64 = 0
    let result = load.withRows { bytes, rows, count in
      tidemark_peer_append(handle, bytes, rows, count, perCommit, &refused)
    }
    try check(result)
    rowCount += load.rows.count - Int(refused)
    return Int(refused)
  }

  /// Reads every row, and returns how many there are.
  func scan() throws -> Int {
    var result = tidemark_peer_scan()
    try check(tidemark_peer_read(handle, &result))
    guard result.sum > 0 else { throw BenchmarkFailure("the peer read nothing") }
    try require(Int(result.rows), equals: rowCount, "rows of the peer")
    return Int(result.rows)
  }

  private func check(_ result: Int32) throws {
    guard result == 0 else {
      throw BenchmarkFailure("the peer: \(String(cString: tidemark_peer_message(handle)))")
    }
  }
}
