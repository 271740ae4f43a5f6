import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@Suite struct ReaderTests {
  @Test func `a range that holds no block gives nothing, wherever it lies`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    for number in 0..<9 { try journal.append([.begin(key: "b-\(number)")]) }
    try journal.close()
    let reader = try place.read()
    for first in 1...12 as ClosedRange<UInt64> {
      for last in 0...12 as ClosedRange<UInt64> {
        var seqs: [UInt64] = []
        try reader.forEach(from: Seq(first), through: Seq(last)) { (entry) throws(JournalError) in
          seqs.append(entry.seq.value)
          return true
        } mapping: {
          $0
        }
        #expect(seqs == (first <= min(last, 10) ? Array(first...min(last, 10)) : []))
      }
    }
  }

  /// A journal of many small commits, and some of several entries.
  private func long(_ seed: UInt64) throws -> TemporaryJournal {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: seed)
    try journal.append([.opening()])
    for number in 0..<80 {
      let drafts = try (0..<Int.random(in: 1...4, using: &chance)).map {
        try Draft.begin("/p/\(Int.random(in: 0..<9, using: &chance))", key: "k\(number)-\($0)")
      }
      try journal.append(drafts, durability: .lazy)
    }
    try journal.close()
    return place
  }

  private func reversed(
    _ reader: JournalReader,
    from first: UInt64 = 1,
    through last: UInt64? = nil
  ) throws -> (seqs: [UInt64], findings: [Finding]) {
    var seqs: [UInt64] = []
    let findings = try reader.forEachReversed(from: Seq(first), through: last.map { Seq($0) }) {
      (entry) throws(JournalError) in
      seqs.append(entry.seq.value)
      return true
    } mapping: {
      $0
    }
    return (seqs, findings)
  }

  @Test func `backwards gives what forwards gives, turned round`() throws {
    let seed = testSeed()
    let reader = try long(seed).read()
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let first = UInt64.random(in: 1...reader.last.value, using: &chance)
      let last = UInt64.random(in: first...(reader.last.value + 3), using: &chance)
      let end = min(last, reader.last.value)
      let found = try reversed(reader, from: first, through: last)
      #expect(found.seqs == (first...end).reversed(), "\(first) to \(last)")
      #expect(found.findings == [])
    }
  }

  @Test func `backwards passes damage and gaps, and tells them`() throws {
    let place = try long(3)
    try place.flipBit(inEntry: 40)
    try place.dropBlock(ofEntry: 90)
    let reader = try place.read()
    let found = try reversed(reader)
    #expect(found.findings.map(\.code) == [.seqGap, .blockDamaged])
    #expect(found.seqs == found.seqs.sorted(by: >) && found.seqs.last == 1)
    #expect(!found.seqs.contains(40) && !found.seqs.contains(90))
  }

  @Test func `the last entries are read without those before them`() throws {
    let place = try long(4)
    try place.flipBit(inEntry: 1)
    let reader = try place.read()
    var seqs: [UInt64] = []
    let findings = try reader.forEachReversed { (entry) throws(JournalError) in
      seqs.append(entry.seq.value)
      return seqs.count < 20
    } mapping: {
      $0
    }
    #expect(seqs.count == 20 && seqs.first == reader.last.value)
    #expect(findings == [])
  }

  @Test func `a first block that is missing is a gap from both ends`() throws {
    let place = try long(5)
    try place.dropBlock(ofEntry: 1)
    let reader = try place.read()
    let found = try reversed(reader)
    #expect(found.findings.map(\.code) == [.seqGap])
    #expect(found.findings.first?.seq == Seq(1))
    #expect(found.seqs.last == 2)
  }

  @Test(arguments: [
    ("DELETE FROM blocks WHERE first_seq = 2", FindingCode.seqGap),
    ("UPDATE blocks SET entry_count = 1 WHERE first_seq = 2", .blockDamaged),
    (
      "PRAGMA ignore_check_constraints = ON; UPDATE blocks SET entry_count=0 WHERE first_seq = 2",
      .blockDamaged
    ),
    (
      "PRAGMA ignore_check_constraints = ON; UPDATE blocks SET entry_count=-3 WHERE first_seq = 2",
      .blockDamaged
    ),
    ("UPDATE blocks SET entry_count = 9 WHERE first_seq = 2", .blockDamaged),
    ("UPDATE blocks SET entry_count = 1 << 40 WHERE first_seq = 2", .blockDamaged),
  ])
  func `an entry that is lost is told as damage, with its place`(
    sql: String,
    code: FindingCode
  ) throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "a"), .begin(key: "b"), .begin(key: "c")])
    try journal.append([.begin(key: "d")])
    try journal.close()
    try place.tamper(sql)
    let reader = try place.read()
    for seq in 2...4 as ClosedRange<UInt64> {
      let error = #expect(throws: JournalError.self) { try reader.entry(at: Seq(seq)) }
      #expect(error?.code == .damaged && error?.finding == code, "\(seq)")
      #expect(error?.seq == Seq(2), "\(seq)")
    }
    #expect(try reader.entry(at: Seq(1)) != nil && reader.entry(at: Seq(5)) != nil)
    #expect(try reader.entry(at: Seq(6)) == nil)
    // Forwards and backwards the same is found.
    let forward = try reader.forEach { (_) throws(JournalError) in
      true
    } mapping: {
      $0
    }
    #expect(forward.map(\.code) == [code])
    #expect(try reversed(reader).findings == forward)
  }

  // MARK: Following

  @Test func `a reader turns to what came`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    let reader = try place.read()
    #expect(try reader.refresh() == false)
    #expect(try reader.entry(for: IdempotencyKey("r1")) == nil)
    try journal.append([.begin(key: "r1")])
    #expect(reader.last == Seq(1), "a snapshot stays as it is")
    #expect(try reader.refresh())
    #expect(reader.last == Seq(2))
    #expect(try reader.entry(for: IdempotencyKey("r1"))?.seq == Seq(2))
    #expect(try reader.refresh() == false)
    withExtendedLifetime(journal) {}
  }

  private func failure(_ reader: JournalReader) -> JournalError? {
    do throws(JournalError) {
      _ = try reader.refresh()
      return nil
    } catch { return error }
  }

  @Test func `a journal that is gone, or another one, is told`() throws {
    let place = try long(6)
    let reader = try place.read()
    let other = try long(7)
    let bytes = try other.bytes()
    try place.remove(.main)
    #expect(failure(reader)?.finding == .noSuchJournal)
    try place.write(bytes)
    #expect(failure(reader)?.message.contains("was replaced by another file") == true)
  }

  @Test func `a journal that was written over is told`() throws {
    let place = try long(8)
    let reader = try place.read()
    try place.tamper(
      "DELETE FROM blocks WHERE first_seq > 20; DELETE FROM heads; DELETE FROM runs"
    )
    #expect(failure(reader)?.message.contains("written over by another history") == true)
    let second = try place.read()
    try place.tamper(
      "UPDATE identity SET value = x'\(Hex.encode((0..<16).map { $0 }))' WHERE name = 'journal'"
    )
    #expect(failure(second)?.message.contains("written over by another history") == true)
  }

  @Test func `a cursor of a history that was written over is refused`() throws {
    let place = try long(9)
    let reader = try place.read()
    let cursor = try reader.cursor(at: reader.last)
    try place.forge { entries in
      entries[entries.count - 1] = entries[entries.count - 2]
    }
    let again = try place.read()
    #expect(throws: JournalError.self) { try again.seq(of: cursor) }
    #expect(try reader.seq(of: cursor) == reader.last, "until it is asked to look again")
  }

  // MARK: Bad numbers

  @Test func `a path that points forward is no entry, or a walk would not end`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "r1")])
    try journal.close()
    for pointers: [CBORValue] in [[.unsigned(2)], [.unsigned(3)], [.unsigned(0), .unsigned(2)]] {
      let forged = try place.copy()
      try forged.forge(entry: 2) { pairs in
        pairs = pairs.map { pair in
          guard pair.key == .unsigned(6) else { return pair }
          return .init(
            pair.key,
            .array([.array([.bytes(Array("/notes".utf8)), .unsigned(1)] + pointers)])
          )
        }
      }
      let reader = try forged.read()
      #expect(throws: JournalError.self) { try reader.entry(at: Seq(2)) }
    }
  }
}
