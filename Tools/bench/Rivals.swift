import TidemarkEntries
import TidemarkJournalStore

/// A journal and its peer, which get the same entries.
///
/// The opening of the store is the journal's alone.
final class Rivals {
  let subject: Subject
  let peer: Peer

  /// What both were given so far, if it is kept.
  private(set) var given = Load()
  private let keepsLoads: Bool

  init(_ setting: Setting, keys: Workload.Keys, keepsLoads: Bool = false) throws {
    self.keepsLoads = keepsLoads
    subject = try Subject(setting, keys: keys)
    peer = try Peer(setting.file("peer.sqlite"))
  }

  func next(_ count: Int) throws -> Load {
    let load = try subject.next(count)
    if keepsLoads { given.append(load) }
    return load
  }

  /// Brings both to `count` entries, without waiting for the medium.
  func fill(to count: Int, perCommit: Int = 1000) throws {
    try peer.setDurable(false)
    // Random keys would keep the peer busy for minutes otherwise.
    try peer.setCache(kibibytes: 512 << 10)
    try subject.fill(to: count, perCommit: perCommit) { load in
      if keepsLoads { given.append(load) }
      try peer.append(load, perCommit: perCommit)
    }
    try peer.setCache(kibibytes: 2000)
  }

  /// Compares what both have with what they were given.
  func finish() throws {
    let count = Int(subject.journal.last.value)
    try subject.finish()
    try require(try peer.scan(), equals: count - 1, "rows of the peer")
  }
}
