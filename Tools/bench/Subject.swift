import TidemarkEntries
import TidemarkJournalStore

/// A journal that gets the entries of a workload.
final class Subject {
  private var workload: Workload
  let path: String
  let journal: Journal
  private var entryBytes = 0

  init(
    _ setting: Setting,
    keys: Workload.Keys,
    paths: Int = Workload.pathCount,
    name: String = "subject"
  ) throws {
    workload = try Workload(seed: setting.seed, keys: keys, paths: paths)
    path = setting.file("\(name).tidemark")
    var chance = SplitMix64(seed: setting.seed)
    journal = try Journal(path, create: true, chance: &chance)
    // The opening of the store.
    try journal.append(try next(1).drafts)
  }

  /// The next entries, which are to be appended in this order.
  func next(_ count: Int) throws -> Load {
    let load = try workload.load(count)
    entryBytes += load.entryBytes
    return load
  }

  /// Brings the journal to `count` entries, without waiting for the medium.
  ///
  /// Each load goes to `also` as well.
  func fill(to count: Int, perCommit: Int = 1000, also: (Load) throws -> Void = { _ in }) throws {
    while Int(journal.last.value) < count {
      let load = try next(min(50_000, count - Int(journal.last.value)))
      for commit in load.commits(of: perCommit) { try journal.append(commit, durability: .lazy) }
      try also(load)
    }
    try journal.commit(.authored)
  }

  /// Compares what is in the file with what was given: the entries' bytes, and the root.
  func finish() throws {
    let root = journal.root
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
  }
}
