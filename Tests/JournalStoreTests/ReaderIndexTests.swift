import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// What a reader finds by the index is what the entries say, however much of the index there is.
@Suite struct ReaderIndexTests {
  /// What became of the index.
  enum Index: String, CaseIterable {
    case asWritten
    case deleted
    case damagedHeads
    case damagedRuns
    case ofMore
    case ofLostTail
  }

  private static let entries = 20_000
  private static let paths = 700

  /// Long enough for the index to have runs, with a tail behind them.
  private func journal(_ index: Index) throws -> TemporaryJournal {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .opening("https://b.example", key: "open-2")])
    for start in stride(from: 0, to: ReaderIndexTests.entries, by: 1000) {
      try journal.append(
        (start..<start + 1000).map {
          try .begin(
            "/p/\($0 * 7919 % ReaderIndexTests.paths)",
            key: "k\($0)",
            store: UInt64($0 / 3 % 2 + 1)
          )
        },
        durability: .lazy
      )
    }
    try journal.close()
    switch index {
    case .asWritten: break
    case .deleted: try place.tamper("DELETE FROM heads; DELETE FROM runs; DELETE FROM run_buckets")
    case .damagedHeads: try place.tamper("UPDATE heads SET content = x'00'")
    case .damagedRuns:
      try place.tamper("UPDATE run_buckets SET items = CAST(x'00' || items AS BLOB)")
    case .ofLostTail:
      try place.tamper("DELETE FROM blocks WHERE first_seq > 10000")
      try place.remove(.anchor)
    case .ofMore: try place.tamper("UPDATE heads SET through = through + 1000000")
    }
    return place
  }

  @Test(arguments: Index.allCases)
  func `keys and the last naming of paths are found`(index: Index) throws {
    let reader = try journal(index).read()
    var last: [String: Seq] = [:]
    for entry in try reader.allEntries() where entry.kind == ReadBegan.number {
      last["\(entry.store?.value ?? 0)\(try entry.paths[0].path)"] = entry.seq
    }
    for number in [0, 1, 99, 8_000, 12_345, ReaderIndexTests.entries - 1] {
      let seq = Seq(UInt64(number) + 3)
      let found = try reader.entry(for: IdempotencyKey("k\(number)"))
      #expect(found?.seq == (seq <= reader.last ? seq : nil))
    }
    #expect(try reader.entry(for: IdempotencyKey("none")) == nil)
    for number in [0, 1, 2, 350, 699] {
      for store in 1...2 as ClosedRange<UInt64> {
        let found = try reader.lastNaming(of: Path("/p/\(number)"), in: Seq(store))
        #expect(found?.seq == last["\(store)/p/\(number)"], "\(number) in \(store)")
      }
    }
    #expect(try reader.lastNaming(of: Path("/none"), in: Seq(1)) == nil)
    #expect(try reader.lastNaming(of: Path("/p/1"), in: Seq(3)) == nil)
  }

  @Test(arguments: Index.allCases)
  func `an earlier naming is found along the pointers`(index: Index) throws {
    let reader = try journal(index).read()
    let path = try Path("/p/5")
    let all = try reader.allEntries().filter { $0.link(to: path, in: Seq(1)) != nil }.map(\.seq)
    #expect(all.count >= 5)
    for (place, seq) in all.enumerated() {
      #expect(try reader.lastNaming(of: path, in: Seq(1), through: seq)?.seq == seq)
      let before = try reader.lastNaming(of: path, in: Seq(1), through: Seq(seq.value - 1))
      #expect(before?.seq == (place == 0 ? nil : all[place - 1]))
    }
  }

  @Test(arguments: Index.allCases)
  func `root, stores and fences are those of the writer`(index: Index) throws {
    let place = try journal(index)
    let reader = try place.read()
    let (root, standing) = (try reader.root(), try reader.anchorStanding())
    let writer = try place.open()
    #expect(writer.root == root)
    #expect(standing == (index == .ofLostTail ? .missing : .equal))
    #expect(
      try reader.stores().map { "\($0.opening) \($0.scope) \($0.lastFence)" } == [
        "1 https://a.example 1", "2 https://b.example 2",
      ]
    )
    #expect(try writer.append([.begin(key: "next")]) == [.appended(at: reader.last.next)])
  }

  @Test func `the last fence before a point is found`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.begin()
    let first = try scribe.bump()
    try scribe.commit()
    try scribe.begin()
    let second = try scribe.bump()
    try scribe.open("https://b.example")
    let reader = try scribe.finish()
    let fences = try (1...reader.last.value).map {
      try reader.lastFence(of: Seq(1), through: Seq($0))?.seq.value
    }
    #expect(fences == [1, 1, first, first, second, second])
    #expect(try reader.lastFence(of: Seq(6), through: Seq(5)) == nil)
  }

  // MARK: Standing

  private func standing(_ change: (TemporaryJournal) throws -> Void) throws -> Anchor.Standing {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "r1")])
    try journal.close()
    try change(place)
    return try place.read().anchorStanding()
  }

  @Test func `a reader tells how the anchor stands, as the writer does`() throws {
    #expect(try standing { _ in } == .equal)
    #expect(try standing { try $0.remove(.anchor) } == .missing)
    #expect(try standing { try $0.dropBlock(ofEntry: 2) } == .ahead)
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(try standing { try $0.anchor(size: 2, root: zeros) } == .diverged)
    #expect(try standing { try $0.anchor(size: 1, root: zeros) } == .diverged)
    #expect(
      try standing {
        try $0.anchor(journal: [UInt8](repeating: 7, count: 16), size: 2, root: zeros)
      } == .foreign
    )
    let behind = try standing { place in
      let leaf = Tree.leaf(of: try #require(try place.read().entry(at: Seq(1))))
      try place.anchor(size: 1, root: leaf.bytes)
    }
    #expect(behind == .behind)
  }

  @Test func `damage ends the tree, and is told`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "r1")])
    try journal.append([.begin(key: "r2")])
    try journal.close()
    try place.flipBit(inEntry: 2)
    let reader = try place.read()
    #expect(try reader.root() == nil)
    #expect(try reader.damage()?.code == .blockDamaged)
    #expect(try reader.entry(for: IdempotencyKey("r2"))?.seq == Seq(3))
  }

  @Test func `what was set aside is listed`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "r1")])
    try journal.close()
    try place.zeroBlock(ofEntry: 2)
    let first = try #require(try place.read().entry(at: Seq(1)))
    try place.anchor(size: 1, root: Tree.leaf(of: first).bytes)
    try place.open().close()
    let rows = try place.read().setAside()
    #expect(rows.map { "\($0.block.first) \($0.reason)" } == ["2 torn-tail"])
    #expect(rows.allSatisfy { !$0.block.frames.isEmpty })
  }
}
