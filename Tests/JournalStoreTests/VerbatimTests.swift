import Foundation
import TestSupport
import Testing
import TidemarkEntries

@testable import TidemarkJournalStore

/// Entries and contents that another copy of a journal has, taken as they are.
@Suite struct VerbatimTests {
  private func original() throws -> (place: TemporaryJournal, entries: [[UInt8]], root: Digest) {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "r1"), .begin("/notes/41", key: "r2")])
    for number in 0..<9000 {
      _ = try journal.stage([.begin("/p/\(number % 50)", key: "k\(number)")])
      if number % 700 == 0 { try journal.commit(.lazy) }
    }
    let root = try closing(journal)
    return (place, try place.read().allEntries().map { Array($0.bytes) }, root)
  }

  private func closing(_ journal: Journal) throws -> Digest {
    try journal.commit(.authored)
    let root = journal.root
    try journal.close()
    return root
  }

  private func copy(
    _ entries: [[UInt8]],
    to journal: Journal,
    from first: Int = 1
  ) throws -> [AppendOutcome] {
    var outcomes: [AppendOutcome] = []
    try journal.atomically {
      for (index, bytes) in entries.enumerated() {
        outcomes.append(try journal.stage(verbatim: bytes, at: Seq(UInt64(first + index))))
        let gathered = journal.last.value - journal.committed.value
        #expect(gathered < 5000, "what is gathered goes to disk in between")
      }
    } mapping: {
      $0 as any Error
    }
    return outcomes
  }

  @Test func `an id of a content that no writer gives crashes nobody, now or later`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    let (content, salt) = ([UInt8](repeating: 7, count: 100), [UInt8](repeating: 1, count: 16))
    try journal.atomically {
      // More than an item of the index has room for, and as much as an export may say.
      try journal.stage(verbatim: content, id: 1 << 53 - 1, salt: salt)
    } mapping: {
      $0 as any Error
    }
    try journal.append([.opening()])
    // Enough that the index takes in what it holds in memory.
    for number in 0..<9000 { _ = try journal.stage([.begin(key: "k\(number)")]) }
    try journal.commit(.lazy)
    // It was not thrown away and made anew on the way.
    #expect(journal.opened.index.through == journal.committed)
    let root = try closing(journal)
    let again = try place.open()
    #expect(again.findings == [])
    #expect(again.root == root)
    try again.close()
  }

  @Test func `a copy has the same entries, the same root, and an index that finds them`() throws {
    let (_, entries, root) = try original()
    let place = try TemporaryJournal()
    let journal = try place.open()
    let outcomes = try copy(entries, to: journal)
    #expect(outcomes.allSatisfy { if case .appended = $0 { true } else { false } })
    #expect(journal.root == root)
    #expect(
      try journal.append([.begin("/p/7", key: "k8957", time: 5)]) == [
        .alreadyAppended(at: Seq(8961))
      ]
    )
    let next = try journal.append([.begin("/p/7", key: "new")])
    let seq = try #require(next[0].seq)
    #expect(try journal.entry(at: seq)?.paths[0].previous == Seq(8961))
    try journal.close()
    let reader = try place.read()
    #expect(try reader.allEntries().prefix(entries.count).map { Array($0.bytes) } == entries)
    #expect(try reader.anchorStanding() == .equal)
  }

  @Test func `what is there is compared, and the rest is added`() throws {
    let (_, entries, root) = try original()
    let place = try TemporaryJournal()
    let journal = try place.open()
    _ = try copy(Array(entries.prefix(1000)), to: journal)
    let again = try copy(entries, to: journal)
    #expect(again[999] == .alreadyAppended(at: Seq(1000)))
    #expect(again[1000] == .appended(at: Seq(1001)))
    #expect(journal.root == root)
    #expect(
      try copy(entries, to: journal).allSatisfy {
        if case .alreadyAppended = $0 { true } else { false }
      }
    )
    #expect(journal.committed.value == UInt64(entries.count))
  }

  /// The finding of a copy that fails; the journal is as it was, and works.
  private func failure(
    _ change: (inout [[UInt8]]) throws -> Void,
    from first: Int = 1
  ) throws -> FindingCode? {
    var (_, entries, _) = try original()
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "r1")])
    let (root, last) = (journal.root, journal.last)
    try change(&entries)
    var found: FindingCode?
    do { _ = try copy(entries, to: journal, from: first) } catch let error as JournalError {
      #expect(error.code == .invalid)
      found = error.finding
    }
    #expect(journal.root == root && journal.last == last)
    #expect(try journal.append([.begin(key: "after")]) == [.appended(at: last.next)])
    try journal.close()
    #expect(try place.read().allEntries().count == Int(last.value) + 1)
    return found
  }

  @Test func `if one entry cannot be taken, none is`() throws {
    #expect(try failure { $0[1][$0[1].count - 1] ^= 1 } == .streamDiverged)
    #expect(try failure { $0[8000] = $0[7999] } == .keyRepeated)
    #expect(try failure { $0[8000] = [0xff] } == .entryMalformed)
  }

  @Test func `an entry that does not come next is a gap`() throws {
    #expect(try failure({ $0.removeFirst(3) }, from: 4) == .seqGap)
  }

  @Test func `what is not deterministic is no entry`() throws {
    // A map key with a longer head than needed: valid CBOR, and not what a journal writes.
    let payload: [UInt8] = [0xa1, 0x18, 0x01, 0x00]
    let code = try failure { entries in
      entries[8000] = entries[8000].dropLast(3) + payload
    }
    #expect(code == .entryMalformed)
  }

  @Test func `what the work throws comes out, and nothing was appended`() throws {
    struct Stopped: Error {}
    let (_, entries, _) = try original()
    let place = try TemporaryJournal()
    let journal = try place.open()
    #expect(throws: Stopped.self) {
      try journal.atomically {
        for (index, bytes) in entries.enumerated() {
          _ = try journal.stage(verbatim: bytes, at: Seq(UInt64(index + 1)))
        }
        throw Stopped()
      } mapping: {
        $0 as any Error
      }
    }
    #expect(journal.last == Seq(0))
    #expect(try place.blockCount() == 0)
  }

  // MARK: Contents

  private func stage(
    _ bodies: [(id: UInt64, salt: UInt8, text: String)],
    in journal: Journal
  ) throws {
    try journal.atomically {
      for (id, salt, text) in bodies {
        try journal.stage(
          verbatim: Array(text.utf8),
          id: id,
          salt: [UInt8](repeating: salt, count: 16)
        )
      }
    } mapping: {
      $0 as any Error
    }
  }

  @Test func `contents keep their ids and salts, in whatever order they come`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try stage([(5, 1, "five"), (2, 2, "two"), (5, 1, "five")], in: journal)
    try stage([(4, 4, "four"), (2, 2, "two")], in: journal)
    var chance = SeededGenerator(seed: 1)
    #expect(try journal.body(Array("two".utf8), chance: &chance).id == 2)
    #expect(try journal.body(Array("six".utf8), chance: &chance).id == 6)
    for (id, salt, text): (UInt64, UInt8, String) in [
      (5, 9, "five"), (5, 1, "other"), (0, 1, "none"), (1 << 53, 1, "beyond"),
    ] {
      #expect(throws: JournalError.self, "\(id) \(text)") {
        try stage([(id, salt, text)], in: journal)
      }
    }
    #expect(throws: JournalError.self) {
      try journal.atomically {
        try journal.stage(verbatim: [1], id: 9, salt: [1, 2, 3])
      } mapping: {
        $0 as any Error
      }
    }
  }

  @Test func `contents do not wait in memory for the entry that names them`() throws {
    let journal = try TemporaryJournal().open()
    let content = [UInt8](repeating: 7, count: 5 << 20)
    try journal.atomically {
      for id in 1...20 as ClosedRange<UInt64> {
        try journal.stage(verbatim: content, id: id, salt: [UInt8](repeating: 1, count: 16))
        #expect(journal.staging.bodies.count < 3)
      }
    } mapping: {
      $0 as any Error
    }
    #expect(try journal.keepsBody(1) && journal.keepsBody(20))
  }

  @Test func `what was erased does not come back`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try stage([(2, 2, "two")], in: journal)
    try journal.close()
    try place.tamper("UPDATE bodies SET salt = NULL, content = NULL, fingerprint = NULL")
    let again = try place.open()
    #expect(throws: JournalError.self) { try stage([(2, 2, "two")], in: again) }
  }

  // MARK: Making

  private struct Broken: Error {}

  private func make(
    _ place: TemporaryJournal,
    _ work: (Journal) throws -> Void
  ) throws {
    var chance = SeededGenerator(seed: 9)
    let identity = try #require(
      Identity(
        copying: [UInt8](repeating: 3, count: 16),
        writer: [UInt8](repeating: 4, count: 8),
        term: 2,
        chance: &chance
      )
    )
    try Journal.making(place.path, as: identity, chance: &chance, work)
  }

  private func names(_ place: TemporaryJournal) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()
  }

  @Test func `a journal that is made has its name when all is there`() throws {
    let place = try TemporaryJournal()
    try make(place) { journal in
      #expect(try Journal.isThere(place.path) == false)
      try journal.append([.opening()])
    }
    #expect(try names(place) == ["test.tidemark", "test.tidemark-anchor"])
    let reader = try place.read()
    #expect(reader.identity.journal == [UInt8](repeating: 3, count: 16))
    #expect(reader.identity.term == 2)
    #expect(try reader.anchorStanding() == .equal)
  }

  @Test func `of one that fails nothing is left`() throws {
    let place = try TemporaryJournal()
    #expect(throws: Broken.self) {
      try make(place) { journal in
        try journal.append([.opening()])
        throw Broken()
      }
    }
    #expect(try names(place) == [])
  }

  @Test func `nothing that came meanwhile is written over, and no lost tail is passed by`() throws {
    let place = try TemporaryJournal()
    #expect(throws: JournalError.self) {
      try make(place) { _ in try place.write(Array("mine".utf8)) }
    }
    #expect(try place.bytes() == Array("mine".utf8))
    #expect(try names(place) == ["test.tidemark"])
    let lost = try TemporaryJournal()
    let journal = try lost.open()
    try journal.append([.opening()])
    try journal.close()
    try lost.remove(.main)
    #expect(throws: JournalError.self) { try make(lost) { _ in } }
  }
}
