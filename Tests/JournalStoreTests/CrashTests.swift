import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// The process dies: its files are taken as they are at some moment, and opened again.
@Suite struct CrashTests {
  private let place: TemporaryJournal
  private let journal: Journal

  init() throws {
    place = try TemporaryJournal()
    journal = try place.open()
    try journal.append([.opening()])
  }

  @Test func `what was acknowledged is there, whenever the process dies`() throws {
    for number in 1...40 {
      let durability: Durability = number % 3 == 0 ? .lazy : .authored
      try journal.append([.begin("/\(number)", key: "k\(number)")], durability: durability)
      let left = try place.copy()
      let again = try left.open()
      #expect(!again.isReadOnly && again.findings.isEmpty)
      #expect(again.committed == journal.committed && again.root == journal.root)
      #expect(again.anchorStanding == (durability == .lazy ? .behind : .equal))
      let outcomes = try again.append([
        .begin("/\(number)", key: "k\(number)"), .begin("/new", key: "new"),
      ])
      let seq = UInt64(number) + 1
      #expect(outcomes == [.alreadyAppended(at: Seq(seq)), .appended(at: Seq(seq + 1))])
      try again.close()
      #expect(try left.read().allEntries().count == Int(seq) + 1)
    }
  }

  @Test func `what was staged and not committed is gone, and nobody was told of it`() throws {
    try journal.stage([.begin(key: "staged")])
    let left = try place.copy()
    let again = try left.open()
    #expect(again.committed == Seq(1) && again.anchorStanding == .equal)
    #expect(try again.append([.begin(key: "staged")]) == [.appended(at: Seq(2))])
    try again.close()
    #expect(try left.read().last == Seq(2))
  }

  @Test func `without the log the tail is lost, and that is told`() throws {
    try journal.append([.begin(key: "k")])
    let left = try place.copy()
    try left.remove(.log)
    let again = try left.open()
    #expect(again.isReadOnly && again.anchorStanding == .ahead)
    #expect(again.findings.map(\.code) == [.tailLost])
  }

  @Test func `a log that was cut or changed is told, and kept as it is`() throws {
    for number in 1...5 { try journal.append([.begin("/\(number)", key: "k\(number)")]) }
    let whole = try place.copy()
    let log = try whole.bytes(of: .log)
    var chance = SeededGenerator(seed: testSeed())
    for number in 0..<200 {
      let left = try whole.copy()
      let offset = Int.random(in: 0..<log.count, using: &chance)
      if number % 2 == 0 {
        try left.flipBit(Int.random(in: 0..<8, using: &chance), ofByte: offset, in: .log)
      } else {
        try left.cut(.log, toBytes: offset)
      }
      let before = try TemporaryJournal.Part.allCases.map { try left.bytes(of: $0) }
      do {
        let again = try left.open()
        if !again.isReadOnly {
          // The change hit what SQLite does not read.
          #expect(again.root == journal.root)
          continue
        }
        #expect(again.findings.map(\.code) == [.tailLost])
        #expect(throws: JournalError.self) { try again.append([.begin(key: "new")]) }
        try again.close()
      } catch {
        #expect(error is JournalError)
      }
      #expect(try TemporaryJournal.Part.allCases.map { try left.bytes(of: $0) } == before)
    }
  }

  @Test func `lazy entries are behind the anchor until something authored comes`() throws {
    try journal.append([.begin(key: "lazy")], durability: .lazy)
    #expect(try place.read().anchor?.size == 1)
    #expect(try place.read().last == Seq(2))
    try journal.append([.begin(key: "authored")])
    #expect(try place.read().anchor?.size == 3)
    try journal.append([.begin(key: "lazy 2")], durability: .lazy)
    // A retry of what is there, authored: the promise is made now.
    #expect(try journal.append([.begin(key: "lazy 2")]) == [.alreadyAppended(at: Seq(4))])
    #expect(try place.read().anchor?.size == 4)
    try journal.append([.begin(key: "lazy 3")], durability: .lazy)
    try journal.commit(.authored)
    #expect(try place.read().anchor?.size == 5)
    try journal.append([.begin(key: "lazy 4")], durability: .lazy)
    try journal.close()
    #expect(try place.read().anchor?.size == 6)
  }

  @Test func `a reader beside a writer never sees an anchor ahead of its snapshot`() async throws {
    let place = place
    let path = place.path
    let reading = Task.detached {
      var ahead = 0
      for _ in 0..<300 {
        let reader = try JournalReader(path)
        if reader.anchor?.size ?? 0 > reader.last.value { ahead += 1 }
        _ = try reader.refresh()
        if reader.anchor?.size ?? 0 > reader.last.value { ahead += 1 }
      }
      return ahead
    }
    var number = 0
    while !Task.isCancelled, number < 3000 {
      number += 1
      try journal.append([.begin("/\(number % 7)", key: "k\(number)")])
      if number % 50 == 0 { await Task.yield() }
    }
    #expect(try await reading.value == 0)
  }
}
