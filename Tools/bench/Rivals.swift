import TidemarkEntries
import TidemarkJournalStore

/// A journal and its peer that get the same entries.
final class Rivals {
  private var workload: Workload
  let path: String
  let journal: Journal
  let peer: Peer
  private(set) var entryBytes = 0

  init(_ setting: Setting, keys: Workload.Keys, name: String = "rivals") throws {
    workload = try Workload(seed: setting.seed, keys: keys)
    path = setting.file("\(name).tidemark")
    var chance = SplitMix64(seed: setting.seed)
    journal = try Journal(path, create: true, chance: &chance)
    peer = try Peer(setting.file("\(name).sqlite"))
    // The opening of the store, which both have.
    let opening = try next(1)
    try journal.append(opening.drafts)
    try peer.append(opening, perCommit: 1)
  }

  func next(_ count: Int) throws -> Load {
    let load = try workload.load(count)
    entryBytes += load.entryBytes
    return load
  }

  /// Brings both to `count` entries, without waiting for the medium.
  func fill(to count: Int, perCommit: Int = 1000) throws {
    try peer.setDurable(false)
    // Random keys would keep the peer busy for minutes otherwise.
    try peer.setCache(kibibytes: 512 << 10)
    while Int(journal.last.value) < count {
      let load = try next(min(50_000, count - Int(journal.last.value)))
      for commit in load.commits(of: perCommit) { try journal.append(commit, durability: .lazy) }
      try peer.append(load, perCommit: perCommit)
    }
    try journal.commit(.authored)
    try peer.setCache(kibibytes: 2000)
  }

  /// Compares what both have: the number of entries, their bytes, and the root after opening again.
  func finish() throws {
    let (count, root) = (journal.last.value, journal.root)
    try journal.close()
    let reader = try JournalReader(path)
    var bytes = 0
    var range = CompactRange()
    let findings = try reader.forEach { (entry) throws(JournalError) in
      bytes += entry.bytes.count
      range.append(Tree.leaf(of: entry))
      return true
    } mapping: {
      $0
    }
    try require(findings.count, equals: 0, "findings")
    try require(bytes, equals: entryBytes, "bytes of the entries")
    try require(range.root, equals: root, "root of the tree")
    try require(try peer.scan(), equals: Int(count), "rows of the peer")
  }
}
