import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Bytes and tree: each class of damage is found, named, and does not end the reading.
@Suite struct VerificationTests {
  private let place: TemporaryJournal
  private let root: Digest

  /// Five blocks of two entries; the landings of the last four name bodies.
  init() throws {
    place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: 3)
    try journal.append([.opening(), .begin("/0", key: "b0")])
    for number in 1..<5 {
      let body = try journal.body(Array("content \(number)".utf8), chance: &chance)
      try journal.append([
        .begin("/\(number)", key: "b\(number)"),
        .landing("/\(number)", key: "l\(number)", begin: UInt64(number * 2 + 1), body: body),
      ])
    }
    root = journal.root
    try journal.close()
  }

  private func verified(
    _ options: Verification.Options = .init(bodies: true)
  ) throws -> VerificationReport {
    try Verification.verify(try place.read(), options)
  }

  @Test func `a whole journal is examined whole, and is what was written`() throws {
    let report = try verified()
    #expect(report.findings == [])
    #expect(report.isClean && report.isWhole && report.isContainerExamined)
    #expect(report.entries == 10 && report.blocks == 5 && report.bodies == 4)
    #expect(report.inventory.blocks == 5 && report.inventory.bodies == 4)
    #expect(report.bytes == report.inventory.blockBytes)
    #expect(report.root == root && report.size == 10)
    #expect(report.standing == .equal)
  }

  @Test func `an empty journal is whole`() throws {
    let empty = try TemporaryJournal()
    try empty.open().close()
    let report = try Verification.verify(try empty.read())
    #expect(report.isClean && report.isWhole)
    #expect(report.root == Tree.emptyRoot)
  }

  // MARK: Blocks

  @Test(arguments: ["flip", "zero", "swap"])
  func `a damaged block is named, and what stands behind it is read`(damage: String) throws {
    switch damage {
    case "flip": try place.flipBit(inEntry: 3)
    case "zero": try place.zeroBlock(ofEntry: 3)
    default: try place.swapBlocks(ofEntries: 3, 5)
    }
    let report = try verified()
    let blocks = damage == "swap" ? 2 : 1
    #expect(report.counts == [.blockDamaged: UInt64(blocks)])
    #expect(report.findings.first?.seq == Seq(3))
    #expect(report.entries == UInt64(10 - 2 * blocks))
    #expect(!report.isWhole && !report.isClean)
    #expect(report.root == nil)
  }

  @Test func `a block that is gone is a gap`() throws {
    try place.dropBlock(ofEntry: 5)
    let report = try verified()
    #expect(report.counts == [.seqGap: 1])
    #expect(report.findings.first?.message == "entries 5 to 6 are missing")
    #expect(report.entries == 8)
  }

  @Test func `a block that comes twice is found`() throws {
    try place.tamper(
      """
      INSERT INTO blocks SELECT 4, entry_count, codec, dictionary, raw_bytes, subtrees, checksum,
        frames FROM blocks WHERE first_seq = 3
      """
    )
    let report = try verified()
    // The copy has no checksum of its own, and nobody is believed for what both claim.
    #expect(report.counts == [.seqGap: 1, .blockDamaged: 1])
    let message = "a block begins at entry 4, before the one at 3 ends with 4"
    #expect(report.findings.first?.message == message)
    #expect(report.findings.map(\.seq) == [Seq(4), Seq(4)])
    #expect(report.entries == 9)
  }

  @Test(arguments: [-125, 0, 1, 200, 5000, .max])
  func `a number of entries that is not the block's is damage`(count: Int) throws {
    try place.tamper(
      """
      PRAGMA ignore_check_constraints = 1;
      UPDATE blocks SET entry_count = \(count) WHERE first_seq = 5
      """
    )
    let report = try verified()
    #expect(report.counts[.blockDamaged] == 1)
    #expect(report.entries == 8)
    #expect(try place.open().isReadOnly)
  }

  @Test(arguments: ["raw_bytes = -1", "raw_bytes = 1 << 40", "codec = 1", "subtrees = x''"])
  func `a column that was changed is damage`(change: String) throws {
    try place.tamper("UPDATE blocks SET \(change) WHERE first_seq = 5")
    #expect(try verified().counts == [.blockDamaged: 1])
  }

  @Test func `a block beyond the limit is not taken into memory`() throws {
    try place.tamper("UPDATE blocks SET frames = zeroblob(50000000) WHERE first_seq = 5")
    #expect(try verified().counts == [.blockDamaged: 1])
  }

  // MARK: Entries and tree

  @Test func `an entry that is not deterministic is malformed`() throws {
    try place.forge { entries in
      // The kind in a head that is longer than needed.
      entries[3] = [entries[3][0], 0, 0x18] + entries[3][2...]
    }
    let report = try verified()
    #expect(report.counts == [.entryMalformed: 1])
  }

  @Test func `a payload that is not deterministic is malformed`() throws {
    try place.forge { entries in
      #expect(entries[2].suffix(4) == [0x0f, 0xa1, 0x01, 0x00])
      entries[2] = entries[2].dropLast() + [0x18, 0x00]
    }
    let report = try verified()
    #expect(report.counts == [.entryMalformed: 1])
    #expect(report.findings.first?.seq == Seq(3))
    #expect(report.entries == 10)
  }

  @Test func `a payload that lacks a field of its kind is malformed`() throws {
    try place.forge(entry: 4) { pairs in
      pairs[pairs.count - 1].value = .map([.init(.unsigned(1), .unsigned(3))])
    }
    let report = try verified()
    #expect(report.counts == [.entryMalformed: 1])
    #expect(report.findings.first?.message.contains("field 2 is missing") == true)
  }

  @Test func `an unknown field and an unknown kind are carried and are no damage`() throws {
    try place.forge(entry: 3) { pairs in
      pairs[0].value = .unsigned(30_000)
      pairs.append(.init(.unsigned(99), .text("later")))
    }
    #expect(try verified().findings == [])
  }

  @Test func `nodes of the tree that the entries do not give are found`() throws {
    let entries = try place.read().allEntries().map { Array($0.bytes) }
    let nodes = [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)]
    try place.replaceEntries(with: entries, nodes: nodes)
    let report = try verified()
    #expect(report.counts == [.rootDiffers: 1])
    #expect(report.root == root)
  }

  @Test func `another history under the old anchor is found`() throws {
    var entries = try place.read().allEntries().map { Array($0.bytes) }
    #expect(entries[9][5...6] == [UInt8(ascii: "l"), UInt8(ascii: "4")])
    entries[9][6] = UInt8(ascii: "9")
    try place.replaceEntries(with: entries, isAnchored: false)
    let report = try verified(.init())
    #expect(report.counts == [.rootDiffers: 1])
    #expect(report.standing == .diverged)
    #expect(report.findings.first?.expected == root.description)
  }

  @Test func `a head inside a block is compared too`() throws {
    let entries = try place.read().allEntries().map { Array($0.bytes) }
    try place.replaceEntries(with: entries)
    let whole = try Verification.verify(try place.read())
    try place.anchor(size: 5, root: try rootOf(5, entries))
    let report = try verified()
    #expect(report.findings == [] && report.standing == .behind && report.root == whole.root)
    try place.anchor(size: 5, root: try rootOf(4, entries))
    #expect(try verified().counts == [.rootDiffers: 1])
  }

  private func rootOf(_ count: Int, _ entries: [[UInt8]]) throws -> [UInt8] {
    var range = CompactRange()
    for entry in entries.prefix(count) { range.append(entry.withUnsafeBytes { Tree.leaf($0) }) }
    return range.root.bytes
  }

  @Test func `a key that stands twice is found`() throws {
    try place.forge(entry: 5) { $0[1].value = .bytes(Array("b1".utf8)) }
    let report = try verified()
    #expect(report.counts == [.keyRepeated: 1])
    #expect(report.findings.first?.seq == Seq(5) && report.findings.first?.witness == Seq(3))
  }

  // MARK: Anchor

  @Test func `an anchor that names more than there is tells of a lost tail`() throws {
    try place.dropBlock(ofEntry: 9)
    let report = try verified()
    #expect(report.counts == [.tailLost: 1])
    #expect(report.standing == .ahead)
    #expect(report.entries == 8)
  }

  @Test func `the anchor of another journal is found`() throws {
    try place.anchor(journal: [UInt8](repeating: 7, count: 16), size: 10, root: root.bytes)
    let report = try verified()
    #expect(report.counts == [.otherAnchor: 1])
    #expect(report.standing == .foreign)
  }

  @Test func `without an anchor the entries are judged all the same`() throws {
    try place.remove(.anchor)
    let report = try verified()
    #expect(report.findings == [] && report.standing == .missing && report.isWhole)
  }

  @Test func `tables that are not the format's are found, beside whole entries`() throws {
    try place.tamper("CREATE TABLE extra(a)")
    let report = try verified()
    #expect(report.counts == [.containerDamaged: 1] && report.isWhole)
    let judged = try Judge.judge(try place.read())
    #expect(judged.counts[.containerDamaged] == 1 && judged.entries == report.entries)
  }

  // MARK: Torn tails

  @Test func `a torn tail that nobody was told of is a note`() throws {
    try place.anchor(
      size: 8,
      root: try rootOf(8, try place.read().allEntries().map { Array($0.bytes) })
    )
    try place.flipBit(inEntry: 9)
    let report = try verified()
    #expect(report.counts == [.tornTail: 1])
    #expect(report.isClean && report.isWhole)
    #expect(report.last == Seq(8) && report.size == 8)
    #expect(report.standing == .equal)
  }

  @Test func `a tail that was acknowledged is damage and not torn`() throws {
    try place.flipBit(inEntry: 9)
    let report = try verified()
    #expect(report.counts == [.blockDamaged: 1])
    #expect(!report.isWhole)
  }

  @Test func `what a writer set aside is told`() throws {
    try place.anchor(
      size: 8,
      root: try rootOf(8, try place.read().allEntries().map { Array($0.bytes) })
    )
    try place.flipBit(inEntry: 9)
    try place.open().close()
    let report = try verified()
    #expect(report.findings == [] && report.isWhole && report.entries == 8)
    #expect(report.inventory.setAside == 1 && report.inventory.setAsideBytes > 0)
  }

  // MARK: Bodies

  @Test(arguments: [
    ("UPDATE bodies SET content = x'00' WHERE id = 2", "cannot be had"),
    ("UPDATE bodies SET content = CAST('CONTENT 2' AS BLOB) WHERE id = 2", "is not what its entry"),
    ("UPDATE bodies SET salt = zeroblob(16) WHERE id = 2", "is not what its entry commits to"),
    ("UPDATE bodies SET salt = zeroblob(90000) WHERE id = 2", "cannot be had"),
    ("UPDATE bodies SET raw_bytes = 1 << 50 WHERE id = 2", "cannot be had"),
    ("UPDATE bodies SET codec = 1 WHERE id = 2", "cannot be had"),
    ("UPDATE bodies SET content = NULL WHERE id = 2", "is gone"),
    ("DELETE FROM bodies WHERE id = 2", "is gone"),
  ])
  func `a content that is not what its entry says is found`(sql: String, message: String) throws {
    try place.tamper(sql)
    let report = try verified()
    #expect(report.counts == [.bodyDiffers: 1])
    #expect(report.findings.first?.message.contains(message) == true)
    #expect(report.findings.first?.seq == Seq(6))
    #expect(report.findings.first?.path == (try Path("/2")))
    #expect(try verified(.init()).findings == [])
  }

  @Test(arguments: [("codec = 9", 1), ("base = 1", 1)])
  func `a content that only a later build can unpack is told apart from damage`(
    change: String,
    count: UInt64
  ) throws {
    try place.tamper("UPDATE bodies SET \(change) WHERE id = 2")
    #expect(try verified().counts == [.newerFormat: count])
  }

  @Test func `a length that is not the content's is found`() throws {
    try place.forge(entry: 4) { pairs in
      guard case .map(var payload) = pairs[pairs.count - 1].value,
        case .array(var body) = payload[1].value
      else {
        Issue.record("no body")
        return
      }
      body[2] = .unsigned(8)
      payload[1].value = .array(body)
      pairs[pairs.count - 1].value = .map(payload)
    }
    let report = try verified()
    #expect(report.counts == [.bodyDiffers: 1])
    #expect(report.findings.first?.expected == "8" && report.findings.first?.actual == "9")
  }

  @Test func `a content that no entry names is counted and looked at`() throws {
    let journal = try place.open()
    var chance = SeededGenerator(seed: 4)
    _ = try journal.body(Array("left over".utf8), chance: &chance)
    try journal.append([.begin(key: "z")])
    try journal.close()
    let report = try verified()
    #expect(report.findings == [] && report.unnamedBodies == 1)
    #expect(report.bodies == report.inventory.bodies)
    try place.tamper("UPDATE bodies SET raw_bytes = 3 WHERE id = 5")
    #expect(try verified().counts == [.bodyDiffers: 1])
  }

  // MARK: How much is examined

  @Test func `the parts of a sample are the whole together, and each sees the root`() throws {
    var entries: UInt64 = 0
    for part in 1...3 as ClosedRange<UInt64> {
      let report = try verified(.init(bodies: true, sample: .init(part, of: 3)))
      #expect(report.findings == [] && report.root == root && report.standing == .equal)
      #expect(report.isContainerExamined == (part == 1))
      #expect(!report.isWhole)
      entries += report.entries
    }
    #expect(entries == 10)
    #expect(Verification.Sample(0, of: 3) == nil && Verification.Sample(4, of: 3) == nil)
  }

  @Test func `a sample finds what lies in its part, and a wrong anchor in any`() throws {
    try place.flipBit(inEntry: 3)
    #expect(try verified(.init(sample: .init(1, of: 5))).findings == [])
    #expect(try verified(.init(sample: .init(2, of: 5))).counts == [.blockDamaged: 1])
    try place.anchor(size: 10, root: [UInt8](repeating: 0, count: 32))
    #expect(try verified(.init(sample: .init(1, of: 5))).counts == [.rootDiffers: 1])
  }

  @Test func `no more than so many are listed, and the count stays true`() throws {
    for seq in [3, 5, 7] as [UInt64] { try place.flipBit(inEntry: seq) }
    let report = try verified(.init(examplesMax: 2))
    #expect(report.findings.map(\.seq) == [Seq(3), Seq(5)])
    #expect(report.counts == [.blockDamaged: 3])
  }

  @Test func `progress is told to the end`() throws {
    var told: [UInt64] = []
    _ = try Verification.verify(try place.read()) { told.append($0) }
    #expect(told == [2, 4, 6, 8, 10])
  }

  @Test func `beside a writer a snapshot is judged`() throws {
    let journal = try place.open()
    let reader = try place.read()
    try journal.append([.begin(key: "later")])
    let report = try Verification.verify(reader)
    #expect(report.isClean && report.isWhole && report.entries == 10)
    let second = try Verification.verify(try place.read())
    #expect(second.isClean && second.isWhole && second.entries == 11)
    try journal.close()
  }
}
