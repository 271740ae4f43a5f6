import TestSupport
import Testing
import TidemarkEntries
import TidemarkHashing
import TidemarkJournalStore

/// The Merkle tree against published heads, and against its definition.
@Suite struct TreeTests {
  /// The leaves that the tests of Certificate Transparency publish (RFC 6962, RFC 9162).
  private static let leaves = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ]

  /// The root over the first 1, 2, 3 … of them.
  private static let roots = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  private func leaf(_ bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes { Tree.leaf($0) } }

  @Test func `the published heads come out`() throws {
    #expect(
      Tree.emptyRoot.description
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    #expect(CompactRange().root == Tree.emptyRoot)
    var range = CompactRange()
    for (text, root) in zip(TreeTests.leaves, TreeTests.roots) {
      range.append(leaf(try #require(Hex.decode(text))))
      #expect(range.root.description == root)
    }
    #expect(range.digests.count == 1)
  }

  // MARK: By definition

  private func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256Hash()
    hash.update(bytes)
    return Digest(words: hash.finish()).bytes
  }

  /// RFC 9162, section 2.1.1, word by word and slowly.
  private func head(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
    guard let first = leaves.first else { return sha256([]) }
    guard leaves.count > 1 else { return sha256([0] + first) }
    var split = 1
    while split * 2 < leaves.count { split *= 2 }
    let middle = leaves.startIndex + split
    return sha256([1] + head(leaves[..<middle]) + head(leaves[middle...]))
  }

  private func entries(_ count: Int) -> [[UInt8]] {
    (0..<count).map { number in (0..<(number % 7)).map { UInt8(truncatingIfNeeded: $0 * number) } }
  }

  @Test func `a tree that grows leaf by leaf is the defined one`() {
    let entries = entries(130)
    var range = CompactRange()
    for count in 1...entries.count {
      range.append(leaf(entries[count - 1]))
      #expect(range.end == UInt64(count))
      #expect(range.root.bytes == head(entries[..<count]))
      #expect(range.digests.count == count.nonzeroBitCount)
    }
  }

  @Test func `ranges of any start and end meet to the whole`() {
    let entries = entries(40)
    let whole = head(entries[...])
    func range(_ start: Int, _ end: Int) -> CompactRange {
      var range = CompactRange(start: UInt64(start))
      for entry in entries[start..<end] { range.append(leaf(entry)) }
      return range
    }
    for first in 0...40 {
      for second in first...40 {
        var joined = range(0, first)
        joined.append(range(first, second))
        joined.append(range(second, 40))
        #expect(joined.root.bytes == whole, "\(first) \(second)")
        #expect(joined.digests == range(0, 40).digests)
      }
    }
  }

  @Test func `a range is known by its digests alone, and by no other number of them`() {
    let entries = entries(60)
    for start in stride(from: 0, to: 60, by: 7) {
      for end in (start + 1)...60 {
        var range = CompactRange(start: UInt64(start))
        for entry in entries[start..<end] { range.append(leaf(entry)) }
        let digests = range.digests
        #expect(CompactRange(start: range.start, end: range.end, digests: digests) == range)
        let fewer = Array(digests.dropLast())
        #expect(CompactRange(start: range.start, end: range.end, digests: fewer) == nil)
        let more = digests + [digests[0]]
        #expect(CompactRange(start: range.start, end: range.end, digests: more) == nil)
      }
    }
  }

  @Test(arguments: [1, 3, 50])
  func `the nodes of the blocks of a journal give its root`(batch: Int) throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    for start in stride(from: 0, to: 100, by: batch) {
      let drafts = try (start..<(start + batch)).map { try Draft.begin("/\($0)", key: "k\($0)") }
      try journal.append(drafts, durability: .lazy)
    }
    try journal.close()
    let entries = try place.read().allEntries().map { Array($0.bytes) }
    #expect(journal.root.bytes == head(entries[...]))
    #expect(try place.read().root() == journal.root)
  }
}
