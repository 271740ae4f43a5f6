import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Two blocks that both claim an entry: everybody believes the later one, and says so.
@Suite struct OverlapTests {
  private struct Walk: Equatable {
    var entries: [Entry] = []
    var findings: [Finding] = []

    static func == (left: Walk, right: Walk) -> Bool {
      left.findings == right.findings
        && left.entries.elementsEqual(right.entries) {
          $0.seq == $1.seq && $0.bytes.elementsEqual($1.bytes)
        }
    }
  }

  private func walk(
    _ reader: JournalReader,
    _ range: ClosedRange<UInt64>,
    reversed: Bool
  ) throws -> Walk {
    var walk = Walk()
    let (first, last) = (Seq(range.lowerBound), Seq(range.upperBound))
    func take(_ entry: Entry) throws(JournalError) -> Bool {
      walk.entries.append(entry)
      return true
    }
    walk.findings =
      reversed
      ? try reader.forEachReversed(from: first, through: last, take, mapping: { $0 })
      : try reader.forEach(from: first, through: last, take, mapping: { $0 })
    guard reversed else { return walk }
    return Walk(entries: walk.entries.reversed(), findings: walk.findings.reversed())
  }

  /// A journal of blocks with up to six entries each, and where they begin.
  private func journal(_ chance: inout SeededGenerator) throws -> (TemporaryJournal, [UInt64]) {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var firstSeqs: [UInt64] = [1]
    try journal.append([.opening()])
    for number in 0..<6 {
      firstSeqs.append(journal.committed.next.value)
      let count = Int.random(in: 1...6, using: &chance)
      try journal.append(
        (0..<count).map { try Draft.begin("/\(number)/\($0)", key: "k\(number)-\($0)") }
      )
    }
    try journal.close()
    return (place, firstSeqs)
  }

  private static let columns =
    "entry_count, codec, dictionary, raw_bytes, subtrees, checksum, frames"

  /// Puts a copy of a block, or the block itself, where entries of other blocks are.
  private func overlap(
    _ place: TemporaryJournal,
    _ firstSeqs: [UInt64],
    _ chance: inout SeededGenerator
  ) throws {
    let source = firstSeqs.dropFirst().randomElement(using: &chance) ?? 2
    let free = (2...(firstSeqs.last ?? 2)).filter { !firstSeqs.contains($0) }
    guard let target = free.randomElement(using: &chance) else { return }
    let insertion = """
      INSERT INTO blocks(first_seq, \(OverlapTests.columns))
      SELECT \(target), \(OverlapTests.columns) FROM blocks WHERE first_seq = \(source)
      """
    let move = "UPDATE blocks SET first_seq = \(target) WHERE first_seq = \(source)"
    let sql = Bool.random(using: &chance) ? insertion : move
    Bool.random(using: &chance) ? try place.forgeBlocks(sql) : try place.tamper(sql)
  }

  @Test func `whoever reads blocks that overlap finds the same entries and the same faults`() throws
  {
    var chance = SeededGenerator(seed: testSeed("OverlapTests"))
    var overlaps = 0
    for run in 0..<24 {
      let (place, firstSeqs) = try journal(&chance)
      try overlap(place, firstSeqs, &chance)
      if Bool.random(using: &chance) {
        try place.tamper("DELETE FROM heads; DELETE FROM runs; DELETE FROM run_buckets")
      }
      let reader = try place.read()
      let last = reader.last.value
      let whole = try walk(reader, 1...last, reversed: false)
      let middle = UInt64.random(in: 1...last, using: &chance)
      for range in [1...last, middle...last, 1...middle] {
        let forward = try walk(reader, range, reversed: false)
        let seqs = forward.entries.map(\.seq.value)
        #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $0 < $1 }, "\(run)")
        #expect(try walk(reader, range, reversed: true) == forward, "\(run), \(range)")
        #expect(forward.entries.count == whole.entries.count { range.contains($0.seq.value) })
      }
      overlaps += whole.findings.count { $0.message.contains("before the one") }
      try checkLookup(reader, whole, run)
      try checkJudges(reader, whole, run)
    }
    #expect(overlaps > 4)
  }

  /// One by one they are the same, and what is lost is damage.
  private func checkLookup(_ reader: JournalReader, _ whole: Walk, _ run: Int) throws {
    for seq in 1...reader.last.value {
      guard let known = whole.entries.first(where: { $0.seq.value == seq }) else {
        let error = #expect(throws: JournalError.self) { try reader.entry(at: Seq(seq)) }
        #expect(error?.code == .damaged && error?.finding != nil, "\(run), \(seq)")
        continue
      }
      let entry = try #require(try reader.entry(at: Seq(seq)), "\(run), \(seq)")
      #expect(entry.bytes.elementsEqual(known.bytes), "\(run), \(seq)")
    }
  }

  private func checkJudges(_ reader: JournalReader, _ whole: Walk, _ run: Int) throws {
    let bytes = try Verification.verify(reader)
    #expect(bytes.entries == UInt64(whole.entries.count), "\(run)")
    let judged = try Judge.judge(reader)
    #expect(judged.entries == UInt64(whole.entries.count), "\(run)")
    for findings in [bytes.findings, judged.findings] {
      for finding in whole.findings { #expect(findings.contains(finding), "\(run): \(finding)") }
    }
    #expect(!whole.findings.isEmpty, "\(run)")
  }

  @Test func `two blocks that overlap are told with both places, and nothing is appended`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append((0..<4).map { try Draft.begin("/a/\($0)", key: "a\($0)") })
    try journal.append((0..<4).map { try Draft.begin("/b/\($0)", key: "b\($0)") })
    try journal.append([.begin(key: "c")])
    try journal.close()
    try place.forgeBlocks("UPDATE blocks SET first_seq = 4 WHERE first_seq = 6")
    let reader = try place.read()
    let found = try walk(reader, 1...10, reversed: true)
    #expect(found.entries.map(\.seq.value) == [1, 2, 3, 4, 5, 6, 7, 10])
    #expect(found.findings.map(\.code) == [.seqGap, .seqGap])
    #expect(found.findings.map(\.seq) == [Seq(4), Seq(8)])
    #expect(found.findings.map(\.witness) == [Seq(2), Seq(10)])
    #expect(
      found.findings[0].message == "a block begins at entry 4, before the one at 2 ends with 5"
    )
    #expect(try reader.entry(at: Seq(4))?.key == IdempotencyKey("b0"))
    let writer = try place.open()
    #expect(writer.isReadOnly && writer.findings.map(\.code) == [.seqGap])
    #expect(try reader.findings() == [found.findings[0]])
    #expect(writer.findings.map(\.message) == [found.findings[0].message])
    // Who looks at one entry is told as well.
    for (seq, findings) in [(1, 0), (2, 1), (3, 1), (4, 1), (7, 1), (10, 0)] as [(UInt64, Int)] {
      #expect(
        try reader.overlaps(at: Seq(seq)) == Array(found.findings.prefix(findings)),
        "\(seq)"
      )
    }
  }

  @Test func `a block at the end of all numbers is damage behind a gap, and no torn tail`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "a"), .begin(key: "b")])
    try journal.append([.begin(key: "c"), .begin(key: "d")])
    try journal.close()
    try place.acknowledge(through: 3)
    try place.forgeBlocks("UPDATE blocks SET first_seq = \(Int64.max) WHERE first_seq = 4")
    let reader = try place.read()
    let last = UInt64(Int64.max)
    for reversed in [false, true] {
      let found = try walk(reader, 1...last, reversed: reversed)
      #expect(found.findings.map(\.code) == [.seqGap, .blockDamaged], "\(reversed)")
      #expect(found.findings.map(\.seq) == [Seq(4), Seq(last)])
      #expect(found.entries.map(\.seq.value) == [1, 2, 3])
    }
    #expect(try Verification.verify(reader).findings.map(\.code) == [.seqGap, .blockDamaged])
    #expect(try Judge.judge(reader).counts == [.seqGap: 1, .blockDamaged: 1])
  }
}
