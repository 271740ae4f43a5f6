internal import TidemarkCompression
internal import TidemarkHashing
internal import TidemarkJournalFormat
internal import TidemarkSQLite

/// What this build reads and writes with, as `tidemark --version` and `info` tell it.
package enum Libraries {
  /// The format of the journals that are written.
  package static var formatVersion: Int64 { JournalFormat.version }

  package static var sqlite: String { Database.version }

  /// Whether this SQLite may damage a write-ahead log when two connections write or checkpoint at
  /// once; see `Journal/FORMAT.md`.
  package static var mayBreakLogs: Bool { Database.versionNumber < 3_051_003 }
  package static var zstd: String { Zstd.version }
  package static var crypto: String { Hashing.version }
}
