import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// The tree against roots that others have published, and against itself.
@Suite struct TreeTests {
  // The leaves that implementations of certificate transparency test with, and their roots.
  private static let leaves = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ]

  private static let roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  private func leaf(_ bytes: [UInt8]) -> Digest {
    bytes.withUnsafeBytes { Tree.leaf($0) }
  }

  private func range(_ leaves: ArraySlice<Digest>) -> CompactRange {
    var range = CompactRange(start: UInt64(leaves.startIndex))
    for leaf in leaves { range.append(leaf) }
    return range
  }

  @Test func `trees of none to eight leaves have the roots that were published`() throws {
    var range = CompactRange()
    #expect(range.root.description == TreeTests.roots[0])
    for (index, text) in TreeTests.leaves.enumerated() {
      range.append(leaf(try #require(Hex.decode(text))))
      #expect(range.root.description == TreeTests.roots[index + 1])
      #expect(range.end == UInt64(index + 1))
    }
  }

  @Test func `ranges that meet are together the range of all their leaves`() {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    let leaves = (0..<70).map { _ in
      let count = Int.random(in: 0...9, using: &chance)
      return leaf((0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) })
    }
    let whole = range(leaves[...])
    for start in 0...leaves.count {
      for end in start...leaves.count {
        var joined = range(leaves[..<start])
        joined.append(range(leaves[start..<end]))
        joined.append(range(leaves[end...]))
        #expect(joined == whole, "\(start)..<\(end) (seed \(seed))")
      }
    }
    #expect(whole.root == recursiveRoot(leaves[...]), "(seed \(seed))")
  }

  /// The root as RFC 9162, section 2.1.1, defines it.
  private func recursiveRoot(_ leaves: ArraySlice<Digest>) -> Digest {
    guard leaves.count > 1 else { return leaves.first ?? Tree.emptyRoot }
    var split = 1
    while split * 2 < leaves.count { split *= 2 }
    let middle = leaves.startIndex + split
    return Tree.node(recursiveRoot(leaves[..<middle]), recursiveRoot(leaves[middle...]))
  }

  @Test func `a range is had again from its digests, and from no more and no fewer`() {
    let leaves = (0..<70).map { leaf([UInt8($0)]) }
    for start in 0...leaves.count {
      for end in start...leaves.count {
        let range = range(leaves[start..<end])
        let digests = range.digests
        let (first, last) = (UInt64(start), UInt64(end))
        #expect(CompactRange(start: first, end: last, digests: digests) == range)
        let more = digests + [leaves[0]]
        #expect(CompactRange(start: first, end: last, digests: more) == nil)
        guard !digests.isEmpty else { continue }
        let fewer = Array(digests.dropLast())
        #expect(CompactRange(start: first, end: last, digests: fewer) == nil)
      }
    }
  }
}
