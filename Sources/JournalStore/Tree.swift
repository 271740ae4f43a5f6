package import TidemarkEntries
internal import TidemarkHashing

/// The Merkle tree over the entries of a journal (RFC 9162, section 2.1).
///
/// A leaf is made of the bytes of an entry. See `Journal/FORMAT.md`, Tree.
package enum Tree {
  //   one byte   n bytes
  //  ┌────────┬──────────────────────────────┐
  //  │  0x00  │  the entry                   │   SHA-256 of this is the leaf
  //  └────────┴──────────────────────────────┘
  //
  // The 0x00 keeps a leaf from being passed off as an inner node, which starts with 0x01.
  package static func leaf(_ bytes: UnsafeRawBufferPointer) -> Digest {
    Digest(words: SHA256Hash.hash(0x00, bytes))
  }

  package static func leaf(of entry: Entry) -> Digest {
    entry.storage.withUnsafeBytes { leaf(UnsafeRawBufferPointer(rebasing: $0[entry.range])) }
  }

  package static func node(_ left: Digest, _ right: Digest) -> Digest {
    var children = (
      left.words.0.bigEndian, left.words.1.bigEndian, left.words.2.bigEndian,
      left.words.3.bigEndian, right.words.0.bigEndian, right.words.1.bigEndian,
      right.words.2.bigEndian, right.words.3.bigEndian
    )
    return withUnsafeBytes(of: &children) { Digest(words: SHA256Hash.hash(0x01, $0)) }
  }

  /// The root of a tree without leaves: SHA-256 of nothing.
  package static let emptyRoot = Digest(words: SHA256Hash().finish())
}

/// The nodes that cover a range of leaves exactly, as few as there can be.
///
/// From the first leaf on this is all that a tree needs to grow: its *compact range*. Appending a
/// leaf costs one hash in the mean, and never more than the height of the tree.
package struct CompactRange: Sendable, Equatable {
  /// A whole subtree: 2^level leaves, beginning at a multiple of that.
  private struct Node: Equatable {
    var level: UInt8
    var digest: Digest
  }

  /// The first leaf, counted from 0.
  package let start: UInt64

  /// One behind the last leaf.
  package private(set) var end: UInt64

  private var nodes: [Node] = []

  package init(start: UInt64 = 0) {
    self.start = start
    end = start
    nodes.reserveCapacity(24)
  }

  /// The range whose nodes are `digests`, from left to right; nothing if the number is another.
  package init?(start: UInt64, end: UInt64, digests: [Digest]) {
    self.start = start
    self.end = start
    var rest = digests[...]
    while self.end < end {
      guard let digest = rest.popFirst() else { return nil }
      let level = CompactRange.level(at: self.end, below: end)
      nodes.append(Node(level: level, digest: digest))
      self.end += 1 << UInt64(level)
    }
    guard rest.isEmpty else { return nil }
  }

  /// The digests of the nodes, from left to right.
  package var digests: [Digest] { nodes.map(\.digest) }

  /// The largest level of a whole subtree that begins at `start` and ends by `end`.
  private static func level(at start: UInt64, below end: UInt64) -> UInt8 {
    let aligned = start == 0 ? 63 : start.trailingZeroBitCount
    let fitting = 63 - (end - start).leadingZeroBitCount
    return UInt8(min(aligned, fitting))
  }

  package mutating func append(_ leaf: Digest) {
    append(Node(level: 0, digest: leaf))
  }

  /// Appends the leaves of a range that begins where this one ends.
  package mutating func append(_ range: CompactRange) {
    precondition(range.start == end, "the ranges do not meet")
    for node in range.nodes { append(node) }
  }

  private mutating func append(_ node: Node) {
    var node = node
    end += 1 << UInt64(node.level)
    while let left = nodes.last, left.level == node.level,
      (end >> UInt64(node.level)) & 1 == 0
    {
      nodes.removeLast()
      node = Node(level: node.level + 1, digest: Tree.node(left.digest, node.digest))
    }
    nodes.append(node)
  }

  /// The root of the tree over all leaves from the first of the journal to the end of this range.
  package var root: Digest {
    precondition(start == 0, "a range that begins later has no root")
    guard var root = nodes.last?.digest else { return Tree.emptyRoot }
    for node in nodes.dropLast().reversed() { root = Tree.node(node.digest, root) }
    return root
  }
}
