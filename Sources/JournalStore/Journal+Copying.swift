package import TidemarkEntries
internal import TidemarkSQLite

extension Journal {
  /// Writes what is committed to a new file, while the journal is in use.
  ///
  /// A snapshot that the database takes, with what is still in the write-ahead log. It has its name
  /// only when it is whole and on disk. What it holds goes on as this journal wherever it is opened
  /// next: see ``renewIdentity(at:chance:)``.
  ///
  /// - Parameters:
  ///   - path: where it is to be; nothing may be there.
  ///   - chance: gives it a name until it has its own.
  /// - Throws: ``JournalError`` with code `storage`.
  /// - Complexity: O(*n*) in the pages of the file.
  package func copy(
    to path: String,
    chance: inout some RandomNumberGenerator
  ) throws(JournalError) {
    let side = "\(path).\(String(chance.next(), radix: 16))"
    defer { Files.removeDatabase(side) }
    guard StoreRule.copySnapshot.isOn else {
      try Files.copy(self.path, to: side)
      return try Files.move(side, toNew: path)
    }
    try sqlite("cannot copy the journal to \(path)") { () throws(SQLiteError) in
      try opened.database.copy(to: side)
    }
    try Files.sync(side)
    try Files.move(side, toNew: path)
    try Files.syncFolder(of: path)
  }

  /// Takes a new writer id and the next term, and says so in an entry: this is not the device that
  /// wrote the journal until now, or not as it was.
  ///
  /// - Throws: ``JournalError``; the identity is as it was then.
  package func renewIdentity(
    at time: DeviceTime,
    chance: inout some RandomNumberGenerator
  ) throws(JournalError) {
    let renewed = identity.renewed(chance: &chance)
    let entry = IdentityRenewed(
      term: renewed.term,
      writer: renewed.writer,
      previous: identity.writer
    )
    let key = IdempotencyKey(unchecked: Array("identity/\(Hex.encode(renewed.writer))".utf8))
    try stage([Draft(entry, key: key, store: .journal, time: time)])
    try settling { () throws(JournalError) in
      try opened.setSynchronous(.authored)
      try transact { () throws(JournalError) in
        try sqlite("cannot renew the identity") { () throws(SQLiteError) in
          try renewed.renew(in: opened.database)
        }
        try writeStaged()
      } mapping: {
        $0
      }
      try reopen()
      try syncLazyEntries()
    }
  }
}
