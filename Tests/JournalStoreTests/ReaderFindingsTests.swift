import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// What a reader finds on opening is what a writer finds, whatever is wrong.
@Suite struct ReaderFindingsTests {
  private let place: TemporaryJournal

  /// A journal of three blocks with one entry each.
  init() throws {
    place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    for key in ["b", "c"] { try journal.append([.begin(key: key)]) }
    try journal.close()
  }

  private typealias Damage = @Sendable (TemporaryJournal) throws -> Void

  private static let damages: [(what: String, code: FindingCode?, damage: Damage)] = [
    ("nothing", nil, { _ in }),
    ("no anchor", nil, { try $0.remove(.anchor) }),
    ("an anchor behind", nil, { try $0.acknowledge(through: 2) }),
    ("a lost tail", .tailLost, { try $0.dropBlock(ofEntry: 3) }),
    ("a gap", .seqGap, { try $0.dropBlock(ofEntry: 2) }),
    ("a flipped bit", .blockDamaged, { try $0.flipBit(inEntry: 2) }),
    ("a flipped bit at the end", .blockDamaged, { try $0.flipBit(inEntry: 3) }),
    (
      "a torn tail", .tornTail,
      {
        try $0.acknowledge(through: 2)
        try $0.flipBit(inEntry: 3)
      }
    ),
    (
      "another anchor", .otherAnchor,
      { try $0.anchor(journal: Array(repeating: 9, count: 16), size: 3, root: zeros) }
    ),
    ("another root", .rootDiffers, { try $0.anchor(size: 3, root: zeros) }),
    ("another root before the end", .rootDiffers, { try $0.anchor(size: 2, root: zeros) }),
    (
      "no index, and a lost tail", .tailLost,
      {
        try $0.tamper("DELETE FROM heads; DELETE FROM runs; DELETE FROM run_buckets")
        try $0.dropBlock(ofEntry: 3)
      }
    ),
  ]

  private static let zeros = [UInt8](repeating: 0, count: 32)

  @Test(arguments: damages.indices)
  func `a reader finds what a writer finds`(index: Int) throws {
    let (what, code, damage) = ReaderFindingsTests.damages[index]
    try damage(place)
    let found = try place.read().findings()
    #expect(found.map(\.code) == [code].compactMap(\.self), "\(what)")
    #expect(try place.copy().open().findings.map(\.code) == found.map(\.code), "\(what)")
  }

  @Test func `a journal that was written on finds nothing anew`() throws {
    let reader = try place.read()
    let journal = try place.open()
    try journal.append([.begin(key: "d")])
    #expect(try reader.findings() == [])
    #expect(try reader.refresh())
    #expect(try reader.findings() == [] && reader.last == Seq(4))
  }

  @Test func `a copy has its anchor, and finds the same`() throws {
    try place.dropBlock(ofEntry: 3)
    let copy = try TemporaryJournal()
    try place.read().copy(to: copy.path)
    #expect(try copy.read().findings() == place.read().findings())
    #expect(try copy.read().findings().map(\.code) == [.tailLost])
  }
}
