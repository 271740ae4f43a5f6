package import TidemarkEntries
import TidemarkHashing
import TidemarkJournalStore
import TidemarkSQLite

/// Another history under the same roof: entries changed, and everything that covers them made anew.
///
/// Checksums, tree and anchor are right again; written from `Journal/FORMAT.md` and not with the
/// code that is tested. Only the entries themselves can give it away.
extension TemporaryJournal {
  /// Rewrites the journal with other entries.
  package func forge(_ change: (inout [[UInt8]]) throws -> Void) throws {
    var entries = try read().allEntries().map { Array($0.bytes) }
    try change(&entries)
    try replaceEntries(with: entries)
  }

  /// Rewrites one entry, whose envelope is a map of CBOR.
  package func forge(
    entry seq: UInt64,
    _ change: (inout [CBORValue.Pair]) throws -> Void
  ) throws {
    try forge { entries in
      let index = Int(seq) - 1
      guard case .map(var pairs) = try CBORValue(entries[index]) else { return }
      try change(&pairs)
      entries[index] = CBORValue.map(pairs).encoded
    }
  }

  /// Makes `entries` the only block of the journal, and makes the anchor anew if `isAnchored`.
  ///
  /// `nodes` are what stands as the nodes of the tree, if it is not what the entries give.
  package func replaceEntries(
    with entries: [[UInt8]],
    nodes: [[UInt8]]? = nil,
    isAnchored: Bool = true
  ) throws {
    var frames: [UInt8] = []
    for entry in entries {
      frames += [UInt8(entry.count & 0xff), UInt8(entry.count >> 8)] + entry
    }
    let leaves = entries.map { sha256([0] + $0) }
    let subtrees = nodes ?? wholeSubtrees(of: leaves)
    let checksum = checksum(
      [1, Int64(entries.count), 0, 0, Int64(frames.count)],
      subtrees.flatMap { $0 },
      frames
    )
    try tamper(
      """
      DELETE FROM blocks; DELETE FROM heads; DELETE FROM runs; DELETE FROM run_buckets;
      INSERT INTO blocks(first_seq, entry_count, codec, raw_bytes, subtrees, checksum, frames)
      VALUES (1, \(entries.count), 0, \(frames.count), x'\(Hex.encode(subtrees.flatMap { $0 }))',
        \(checksum), x'\(Hex.encode(frames))')
      """
    )
    if isAnchored { try anchor(size: entries.count, root: root(of: leaves[...])) }
  }

  /// Changes rows by SQL that nothing of the schema forbids, and makes all checksums anew.
  package func forgeBlocks(_ sql: String) throws {
    try tamper("PRAGMA ignore_check_constraints = ON; \(sql)")
    let rows = try Database(path: path, access: .read).prepare(
      """
      SELECT first_seq, entry_count, codec, coalesce(dictionary, 0), raw_bytes, subtrees, frames
      FROM blocks
      """
    )
    var updates = "PRAGMA ignore_check_constraints = ON;"
    while try rows.step() {
      let checksum = checksum((0..<5).map { rows.integer($0) }, rows.bytes(5), rows.bytes(6))
      updates += "UPDATE blocks SET checksum = \(checksum) WHERE first_seq = \(rows.integer(0));"
    }
    rows.reset()
    try tamper(updates)
  }

  /// Makes the anchor name the first `size` entries, as if nobody had been told of the others.
  package func acknowledge(through size: UInt64) throws {
    let leaves = try read().allEntries().prefix(Int(size)).map { sha256([0] + Array($0.bytes)) }
    try anchor(size: Int(size), root: root(of: leaves[...]))
  }

  /// Writes an anchor that names this head.
  package func anchor(
    journal: [UInt8]? = nil,
    size: Int,
    root: [UInt8],
    turn: Int = 1_000_000
  ) throws {
    let id = try journal ?? read().identity.journal
    let text = """
      tidemark anchor 1
      journal \(Hex.encode(id))
      term 1
      size \(size)
      root \(Hex.encode(root))
      turn \(turn)

      """
    let slot = Array("\(text)sum \(Hex.encode(sha256(Array(text.utf8)).prefix(8)))\n".utf8)
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 511 - slot.count)
    try write(slot + blanks + Array("\n".utf8), to: .anchor)
  }
}

/// What a block must have as its checksum, over its first five columns of numbers and its bytes.
private func checksum(_ numbers: [Int64], _ subtrees: [UInt8], _ frames: [UInt8]) -> Int64 {
  let all = numbers + [Int64(subtrees.count), Int64(frames.count)]
  let sum = sha256(all.flatMap(bigEndian) + subtrees + frames)
  return Int64(bitPattern: sum.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
}

private func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var hash = SHA256Hash()
  hash.update(bytes)
  return Digest(words: hash.finish()).bytes
}

private func bigEndian(_ number: Int64) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// The root as RFC 9162, section 2.1.1, defines it: by recursion.
private func root(of leaves: ArraySlice<[UInt8]>) -> [UInt8] {
  guard leaves.count > 1 else { return leaves.first ?? sha256([]) }
  var split = 1
  while split * 2 < leaves.count { split *= 2 }
  let middle = leaves.startIndex + split
  return sha256([1] + root(of: leaves[..<middle]) + root(of: leaves[middle...]))
}

/// From the first leaf on: always the largest whole subtree that fits.
private func wholeSubtrees(of leaves: [[UInt8]]) -> [[UInt8]] {
  var subtrees: [[UInt8]] = []
  var rest = leaves[...]
  while !rest.isEmpty {
    var size = 1
    while size * 2 <= rest.count { size *= 2 }
    subtrees.append(root(of: rest.prefix(size)))
    rest = rest.dropFirst(size)
  }
  return subtrees
}
