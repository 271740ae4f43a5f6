import CTidemarkPeer
import TidemarkJournalStore

/// The least work of a journal in C, which no product can be ahead of: see `peer/include/limit.h`.
final class LimitJournal {
  private let handle: OpaquePointer
  private let path: String
  private var appended = 0

  init(_ setting: Setting) throws {
    path = setting.file("limit.sqlite")
    var opened: OpaquePointer?
    let result = tidemark_limit_open(path, setting.file("limit-anchor"), &opened)
    guard result == 0, let opened else {
      throw BenchmarkFailure("the limit cannot open \(path): \(result)")
    }
    handle = opened
  }

  deinit {
    tidemark_limit_close(handle)
  }

  func setDurable(_ isDurable: Bool) throws {
    try require(tidemark_limit_durable(handle, isDurable ? 1 : 0), equals: 0, "the limit")
  }

  func append(_ load: Load, perCommit: Int) throws {
    let result = load.withRows { bytes, rows, count in
      tidemark_limit_append(handle, bytes, rows, count, perCommit)
    }
    try require(result, equals: 0, "the limit")
    appended += load.rows.count
  }

  /// Compares what is in the file with what was given.
  func finish() throws {
    try require(Int(tidemark_limit_entries(handle)), equals: appended, "entries of the limit")
    let entries = try LimitJournal.read(path, tidemark_limit_hashes)
    try require(entries, equals: appended, "entries in the file of the limit")
  }

  /// Goes through the blocks of a journal, and returns how many entries there are.
  static func read(_ path: String, _ work: tidemark_limit_work) throws -> Int {
    var result = tidemark_limit()
    let status = tidemark_limit_read(path, Limits.blockBytesMax, work, &result)
    try require(Int(status), equals: 0, "status of the limit")
    guard result.sum > 0 else { throw BenchmarkFailure("the limit read nothing") }
    return Int(result.entries)
  }

  /// Finds the entries of `load`, which are those at `seqs`, and returns how many are the same.
  static func find(_ load: Load, at seqs: [UInt64], in path: String) throws -> Int {
    var result = tidemark_limit()
    let status = load.withRows { bytes, rows, count in
      tidemark_limit_find(path, Limits.blockBytesMax, seqs, bytes, rows, count, &result)
    }
    try require(Int(status), equals: 0, "status of the limit")
    return Int(result.entries)
  }

  /// Reads the capture at `path` and keeps its long strings, and returns how many there are.
  static func importing(_ path: String, into journal: String) throws -> Int {
    var result = tidemark_limit()
    let status = tidemark_limit_import(path, journal, &result)
    try require(Int(status), equals: 0, "status of the limit")
    return Int(result.entries)
  }
}
