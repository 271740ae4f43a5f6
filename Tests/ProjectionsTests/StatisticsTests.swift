import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections

@Suite struct StatisticsTests {
  /// Three reads: one lands, one is refused, one stays open; a change that stays open.
  private func reader() throws -> JournalReader {
    let scribe = try Scribe()
    try scribe.open()  // 1 at 1 ms
    let first = try scribe.begin("/notes")  // 2 at 2 ms
    let second = try scribe.begin("/tags")  // 3
    try scribe.land(first, "/notes")  // 4 at 4 ms
    try scribe.bump()  // 5
    try scribe.refuse(second, .generation, witness: 5, "/tags")  // 6
    try scribe.begin("/notes")  // 7
    try scribe.send("/notes/41")  // 8
    return try scribe.finish()
  }

  private func statistics(
    by grouping: Statistics.Grouping = .kind,
    from first: UInt64 = 1,
    _ change: (inout EntryFilter) -> Void = { _ in }
  ) throws -> Statistics {
    let reader = try reader()
    var filter = EntryFilter()
    change(&filter)
    var statistics = Statistics(by: grouping, filter, EntryContext(reader))
    _ = try reader.forEach(from: Seq(first)) { (entry) throws(JournalError) in
      statistics.take(entry)
      return true
    } mapping: {
      $0
    }
    return statistics
  }

  private func counts(_ statistics: Statistics) -> [String: UInt64] {
    Dictionary(
      uniqueKeysWithValues: statistics.groups.map {
        (String(decoding: $0.key, as: UTF8.self), $0.value.entries)
      }
    )
  }

  @Test func `entries are counted by what is asked for`() throws {
    #expect(
      try counts(statistics()) == [
        "store-opened": 1, "read-began": 3, "read-landed": 1, "generation-bumped": 1,
        "read-refused": 1, "mutation-sent": 1,
      ]
    )
    #expect(try counts(statistics(by: .scope)) == ["https://a.example": 8])
    #expect(
      try counts(statistics(by: .path)) == ["no path": 2, "/notes": 3, "/tags": 2, "/notes/41": 1]
    )
    #expect(try counts(statistics(by: .hour)) == ["1970-01-01T00Z": 8])
    let writer = Hex.encode(try reader().identity.writer)
    #expect(try counts(statistics(by: .writer)) == [writer: 8])
  }

  @Test func `refusals have reasons, and what began and did not end is open`() throws {
    let statistics = try statistics()
    #expect(statistics.refusals == ["generation": 1])
    #expect(
      statistics.openReads.map { "\($0.ticket?.description ?? "") \($0.since.milliseconds)" } == [
        "1.0.7 7"
      ]
    )
    #expect(statistics.openChanges.map(\.begin) == [Seq(8)])
    #expect(statistics.total.begun == 3 && statistics.total.landed == 1)
    #expect(statistics.total.refused == 1 && statistics.total.entries == 8)
  }

  @Test func `the time to reply is known though its begin is not counted, or comes before`() throws
  {
    #expect(try statistics().total.timeToReply.percentile(50) == 2)
    let landings = try statistics { $0.kinds = [ReadLanded.number] }
    #expect(landings.total.entries == 1 && landings.total.timeToReply.percentile(50) == 2)
    #expect(landings.openReads.isEmpty, "what is not wanted is not listed")
    #expect(try statistics(from: 4).total.timeToReply.percentile(50) == 2)
    #expect(try statistics(from: 5).openReads.map(\.begin) == [Seq(7)])
  }

  @Test(arguments: [(Int64.min, Int64.max, Int64.max), (.max, .min, .min), (-1, .max, .max)])
  func `a time to reply beyond what can be counted is the longest that can`(
    begin: Int64,
    landing: Int64,
    length: Int64
  ) throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([
      .opening(), .begin(key: "b", time: begin),
      .landing(key: "l", begin: 2, body: .unknown(byteCount: 1), time: landing),
    ])
    try journal.close()
    let context = EntryContext(try place.read())
    var statistics = Statistics(by: .kind, EntryFilter(), context)
    for entry in try place.read().allEntries() { statistics.take(entry) }
    #expect(statistics.total.timeToReply.percentile(50) == length)
  }

  // MARK: Durations

  @Test func `a share is the nearest rank`() {
    var durations = Durations()
    #expect(durations.percentile(50) == nil)
    for length in [15, 20, 35, 40, 50] as [Int64] { durations.add(length) }
    #expect([1, 30, 40, 50, 90, 100].map { durations.percentile($0) } == [15, 20, 20, 35, 50, 50])
    durations.add(-3)
    #expect(durations.percentile(1) == -3, "clocks go back")
    #expect(durations.count == 6)
  }

  @Test func `shares are those of the sorted list, whatever comes`() {
    var chance = SeededGenerator(seed: testSeed())
    var durations = Durations()
    var all: [Int64] = []
    for _ in 0..<500 {
      let length = Int64.random(in: 0..<60, using: &chance)
      durations.add(length)
      all.append(length)
    }
    all.sort()
    for share in 1...100 as ClosedRange<UInt64> {
      let rank = (all.count * Int(share) + 99) / 100
      #expect(durations.percentile(share) == all[rank - 1])
    }
  }
}
