import TestSupport
import Testing
import TidemarkSQLite

@testable import TidemarkJournalStore

/// An index of runs finds what was put into it, however it is spread.
@Suite struct RunIndexTests {
  private let place: TemporaryJournal
  private let database: Database

  init() throws {
    place = try TemporaryJournal()
    try place.open().close()
    database = try Database(path: place.path, access: .write(creating: false))
  }

  /// Items whose fingerprints begin with the same bits: most buckets of a run hold none.
  private func items(_ run: Int, _ chance: inout SeededGenerator) -> [IndexItem] {
    (0..<1000).map { number in
      let bits = chance.next() >> 12 | 0xa5a << 52
      return IndexItem(fingerprint: bits, value: UInt64(run * 1000 + number))
    }
  }

  @Test func `what is all in one bucket is found behind large merges`() throws {
    var chance = SeededGenerator(seed: testSeed())
    let runs = try RunIndex(database, .keys)
    var all: [IndexItem] = []
    // Eight runs make a larger one, and eight of these another.
    for run in 0..<64 {
      let added = items(run, &chance)
      try runs.add(added)
      all += added
    }
    let again = try RunIndex(database, .keys)
    try again.load()
    #expect(try database.integer("SELECT max(level) FROM runs") == 2)
    for item in all.shuffled(using: &chance).prefix(2000) {
      var found: [UInt64] = []
      try again.values(of: item.fingerprint) {
        found.append($0)
        return true
      }
      #expect(found.contains(item.value))
    }
  }

  @Test func `a bucket that is not there was lost, also one that held nothing`() throws {
    var chance = SeededGenerator(seed: testSeed())
    let runs = try RunIndex(database, .keys)
    for run in 0..<8 { try runs.add(items(run, &chance)) }
    let before = try database.integer("SELECT count(*) FROM run_buckets")
    // All but one of the buckets hold the checksum of nothing, and no more.
    let empty = try database.integer("SELECT count(*) FROM run_buckets WHERE length(items) = 8")
    #expect(try #require(empty) == #require(before) - 1)
    try database.execute("DELETE FROM run_buckets WHERE length(items) = 8")
    let error = #expect(throws: IndexFailure.self) {
      for run in 8..<64 { try runs.add(items(run, &chance)) }
    }
    #expect(error?.isDamage == true)
  }

  @Test func `a value that has no room in an item is damage, and no crash`() throws {
    let runs = try RunIndex(database, .keys)
    try runs.add([IndexItem(fingerprint: 1, value: IndexItem.greatestValue)])
    let error = #expect(throws: IndexFailure.self) {
      try runs.add([IndexItem(fingerprint: 2, value: IndexItem.greatestValue + 1)])
    }
    #expect(error?.isDamage == true)
  }
}
