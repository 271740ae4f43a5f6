import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay
import TidemarkSQLite

/// A block that is lost accuses nobody: only the loss is found.
@Suite struct LostBlockTests {
  private static let losses: Set<FindingCode> = [.seqGap, .blockDamaged, .tailLost]

  @Test(arguments: [false, true])
  func `whichever block is lost, nothing else is found`(isFlipped: Bool) throws {
    let seed = testSeed()
    for run in 0..<12 {
      let stage = try RandomShelf(seed: seed &+ UInt64(run))
      try stage.play(steps: 160)
      #expect(try Judge.judge(try stage.shelf.finish()).findings == [])
      for first in try firstSeqs(stage.shelf.place) {
        let place = try stage.shelf.place.copy()
        try isFlipped ? place.flipBit(inEntry: first) : place.dropBlock(ofEntry: first)
        let codes = Set(try Judge.judge(try place.read()).findings.map(\.code))
        #expect(!codes.isEmpty && codes.isSubset(of: LostBlockTests.losses), "\(run), \(first)")
      }
    }
  }

  private func firstSeqs(_ place: TemporaryJournal) throws -> [UInt64] {
    let database = try Database(path: place.path, access: .read)
    let rows = try database.prepare("SELECT first_seq FROM blocks ORDER BY first_seq")
    var seqs: [UInt64] = []
    while try rows.step() { seqs.append(UInt64(rows.integer(0))) }
    return seqs
  }

  /// Closes the journal, and judges what is left of it without its first block.
  private func judgedWithoutOpening(_ scribe: Scribe) throws -> Judge.Report {
    try scribe.journal.close()
    try scribe.place.dropBlock(ofEntry: 1)
    return try Judge.judge(try scribe.place.read())
  }

  @Test func `a store whose opening is lost is judged by the rest of it`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.commit()
    let read = try scribe.begin()
    let bump = try scribe.bump()
    let landing = try scribe.land(read)
    let again = try scribe.land(read)
    let report = try judgedWithoutOpening(scribe)
    #expect(
      report.briefs
        == ["J103 at 1 by 2", "J201 at \(landing) by \(bump)", "J205 at \(again) by \(landing)"]
    )
    // Whose copies it held is not known.
    #expect(report.findings.last?.scope == nil)
  }

  @Test func `an opening names the lost one before it, which is over then`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.commit()
    let read = try scribe.begin()
    let scope = try Scope("https://a.example")
    let next = try scribe.stage(
      Draft(
        StoreOpened(scope: scope, previous: Seq(1)),
        key: IdempotencyKey("next"),
        store: .opening,
        time: DeviceTime(milliseconds: 9)
      )
    )
    try scribe.refuse(read, .retired, witness: next)
    let late = try scribe.begin("/late")
    let report = try judgedWithoutOpening(scribe)
    #expect(report.briefs == ["J103 at 1 by 2", "J203 at \(late) by \(next)"])
    #expect(report.findings.last?.scope == scope)
  }

  @Test func `a store that was opened by an entry of an unknown kind is judged by the rest`() throws
  {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    let bump = try scribe.bump()
    let landing = try scribe.land(read)
    let place = try scribe.finish()
    #expect(try Judge.judge(place).briefs == ["J201 at \(landing) by \(bump)"])
    try scribe.place.forge(entry: 1) { $0[0].value = .unsigned(31_000) }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J604 at 1", "J201 at \(landing) by \(bump)"])
    #expect(report.findings.last?.scope == nil)
  }

  @Test(arguments: [false, true])
  func `an opening of an unknown kind may have been of any scope, and its copies cleared there`(
    isCleared: Bool
  ) throws {
    let scribe = try Scribe()
    try scribe.open()
    let high = try scribe.land(try scribe.begin(), revision: 5)
    let unknown = try scribe.open()
    if isCleared { try scribe.bump(.cleared, in: unknown) } else { try scribe.begin(in: unknown) }
    let last = try scribe.open()
    let low = try scribe.land(try scribe.begin(in: last), revision: 3, in: last)
    let fall = isCleared ? [] : ["J204 at \(low) by \(high)"]
    #expect(try Judge.judge(try scribe.finish()).briefs == fall)
    try scribe.place.forge(entry: unknown) { $0[0].value = .unsigned(31_000) }
    #expect(try Judge.judge(try scribe.place.read()).briefs == ["J604 at \(unknown)"])
  }

  @Test func `an opening that names none before it may be of another scope`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.commit()
    let read = try scribe.begin()
    let next = try scribe.open()
    try scribe.refuse(read, .retired, witness: next)
    try scribe.begin("/late")
    #expect(try judgedWithoutOpening(scribe).briefs == ["J103 at 1 by 2"])
  }

  @Test func `a write that is lost may have made the answer right`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    try scribe.land(try scribe.begin("/notes/41"), "/notes/41")
    try scribe.commit()
    let lost = try scribe.begin("/notes/41")
    try scribe.land(lost, "/notes/41", revision: 1)
    try scribe.commit()
    try scribe.answer(change, copies: [("/notes/41", 2)])
    try scribe.journal.close()
    #expect(try Judge.judge(try scribe.place.read()).findings == [])
    try scribe.place.dropBlock(ofEntry: lost)
    #expect(try Judge.judge(try scribe.place.read()).findings.map(\.code) == [.seqGap])
  }
}
