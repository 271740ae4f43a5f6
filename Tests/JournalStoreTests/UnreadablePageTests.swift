import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// A page that SQLite cannot read hides the blocks on it, from both ends the same ones.
@Suite struct UnreadablePageTests {
  private static let pageBytes = 4096
  private let place: TemporaryJournal
  private let seed: UInt64

  /// A journal of more than sixty pages, with blocks of less than a page and of several.
  init() throws {
    seed = testSeed("UnreadablePageTests")
    place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: seed)
    try journal.append([.opening()])
    for number in 0..<220 {
      let count =
        Int.random(in: 0..<10, using: &chance) == 0 ? 60 : Int.random(in: 1...8, using: &chance)
      let drafts = try (0..<count).map { index in
        let words = (0..<6).map { _ in "\(UInt64.random(in: 0...UInt64.max, using: &chance))" }
        return try Draft.begin("/\(words.joined())", key: "k\(number)-\(index)")
      }
      try journal.append(drafts, durability: .lazy)
    }
    try journal.close()
    #expect(try place.bytes().count > 60 * UnreadablePageTests.pageBytes)
  }

  private typealias Walk = (seqs: [UInt64], findings: [Finding])

  private func walk(
    _ reader: JournalReader,
    _ range: ClosedRange<UInt64>,
    reversed: Bool
  ) throws -> Walk {
    var seqs: [UInt64] = []
    let (first, last) = (Seq(range.lowerBound), Seq(range.upperBound))
    func take(_ entry: Entry) throws(JournalError) -> Bool {
      seqs.append(entry.seq.value)
      return true
    }
    let findings =
      reversed
      ? try reader.forEachReversed(from: first, through: last, take, mapping: { $0 })
      : try reader.forEach(from: first, through: last, take, mapping: { $0 })
    return reversed ? (seqs.reversed(), findings.reversed()) : (seqs, findings)
  }

  /// The pages, of which one in four is tried where there is no time for all.
  private func pages() throws -> [Int] {
    let pages = Array(1..<(try place.bytes().count / UnreadablePageTests.pageBytes))
    return isThorough ? pages : pages.filter { $0 % 4 == Int(seed % 4) }
  }

  @Test func `backwards passes a page of zeros as forwards does`() throws {
    var chance = SeededGenerator(seed: seed)
    var holes = 0
    for page in try pages() {
      let copy = try place.copy()
      let start = page * UnreadablePageTests.pageBytes
      try copy.edit { bytes in
        for offset in start..<(start + UnreadablePageTests.pageBytes) { bytes[offset] = 0 }
      }
      guard let reader = try? copy.read() else { continue }
      let middle = UInt64.random(in: 2..<reader.last.value, using: &chance)
      for range in [1...reader.last.value, middle...reader.last.value, 1...middle] {
        // Where nothing at all can be read, forwards that is an error.
        guard let forward = try? walk(reader, range, reversed: false) else { continue }
        let backward = try walk(reader, range, reversed: true)
        #expect(backward.seqs == forward.seqs, "page \(page), \(range)")
        #expect(backward.findings == forward.findings, "page \(page), \(range)")
        if forward.findings.contains(where: { $0.code == .containerDamaged }) { holes += 1 }
      }
    }
    #expect(holes > 3)
  }
}
