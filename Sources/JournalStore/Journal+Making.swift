internal import TidemarkEntries

extension Journal {
  /// Makes a journal that has its name only when `work` is done and everything is on disk.
  ///
  /// Until then it stands beside its name; if `work` throws, it is gone again. Nobody else can have
  /// opened it.
  ///
  /// - Parameters:
  ///   - path: where it is to be; nothing may be there.
  ///   - identity: that of the journal which it is a copy of.
  ///   - chance: gives it a name until it has its own.
  ///   - work: appends what it is to hold.
  /// - Returns: what `work` returns.
  /// - Throws: what `work` throws, or ``JournalError``.
  package static func making<Result>(
    _ path: String,
    as identity: Identity,
    chance: inout some RandomNumberGenerator,
    _ work: (Journal) throws -> Result
  ) throws -> Result {
    let path = try Files.resolved(path)
    if let lost = try Anchor.read(beside: path), lost.size > 0 {
      throw JournalError(
        .damaged,
        "the anchor names \(lost.size) entries, but there is no journal at \(path)",
        finding: .tailLost
      )
    }
    let side = "\(path).\(String(chance.next(), radix: 16))"
    defer { remove(side) }
    let result = try appending(side, identity, &chance, work)
    try Files.move(side, toNew: path)
    Files.remove(Anchor.path(for: path))
    try Files.move(Anchor.path(for: side), toNew: Anchor.path(for: path))
    try Files.syncFolder(of: path)
    return result
  }

  private static func appending<Result>(
    _ path: String,
    _ identity: Identity,
    _ chance: inout some RandomNumberGenerator,
    _ work: (Journal) throws -> Result
  ) throws -> Result {
    let journal = try Journal(path, create: true, as: identity, chance: &chance)
    let result = try work(journal)
    try journal.close()
    return result
  }

  /// What is left of a journal that did not get its name.
  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { Files.remove(path + suffix) }
    Files.remove(Anchor.path(for: path))
  }

  /// Whether something is at `path`.
  package static func isThere(_ path: String) throws(JournalError) -> Bool {
    try Files.kind(of: path) != .nothing
  }
}
