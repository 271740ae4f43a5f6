import TestSupport
import Testing
import TidemarkEntries
import TidemarkReplay

/// What a pass over a journal makes of its late replies.
@Suite struct RaceReportTests {
  @Test func `each suppressed path of one answer is a race`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let mutation = try scribe.send(touches: [])
    let witness = try scribe.land(try scribe.begin("/notes/41"), "/notes/41")
    try scribe.suppress(mutation, .late, witness: witness, "/notes/41")
    try scribe.suppress(mutation, .late, witness: witness, "/notes/42")
    let report = try RaceReport(try scribe.finish())
    #expect(report.races.map(\.path.description) == ["/notes/41", "/notes/42"])
    #expect(report.changes == 1)
  }

  @Test func `what a partly written answer could not write is a race`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let mutation = try scribe.send(touches: [])
    let witness = try scribe.land(try scribe.begin("/notes/42"), "/notes/42")
    try scribe.answerAlone(mutation, copies: [("/notes/41", nil)])
    try scribe.suppress(mutation, .late, witness: witness, "/notes/42")
    let report = try RaceReport(try scribe.finish())
    #expect(report.races.map(\.path.description) == ["/notes/42"])
    #expect(report.changes == 1)
  }

  @Test func `the write that an answer came after is told`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.send(touches: [])
    let second = try scribe.send(touches: [])
    let answered = try scribe.answer(second, copies: [("/notes/41", nil)])
    try scribe.suppress(first, .late, witness: answered, "/notes/41")
    let race = try #require(try RaceReport(try scribe.finish()).races.first)
    guard case .write(let seq, .change(let change)) = race.over else {
      Issue.record("\(race.over)")
      return
    }
    #expect(seq == Seq(answered))
    #expect(change.sent == Seq(second))
    #expect(race.evidence.contains("the answer to PUT /notes/41"))
  }

  @Test func `a late reply stands until the next one, also if that is late too`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let reads = [try scribe.begin(), try scribe.begin()]
    let answered = try scribe.answer(try scribe.send())
    let refusals = try reads.map {
      try scribe.refuse($0, .generation, witness: answered + 1)
    }
    let landed = try scribe.land(try scribe.begin())
    let races = try RaceReport(try scribe.finish()).races
    #expect(races.map(\.overtaken?.seq) == [Seq(refusals[1]), nil])
    #expect(races.map(\.healed?.seq) == [Seq(landed), Seq(landed)])
  }

  @Test func `a read that waits through many changes misses the last ones`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let waiting = try scribe.begin()
    var bump: UInt64 = 0
    for _ in 0..<1000 {
      bump = try scribe.answer(try scribe.send()) + 1
      try scribe.land(try scribe.begin("/other"), "/other")
    }
    try scribe.refuse(waiting, .generation, witness: bump)
    let report = try RaceReport(try scribe.finish())
    #expect(report.races.count == 1)
    #expect(report.changes == 1000)
  }

  /// Whether the fence keeps what comes late, if `change` happens to a copy before that.
  private func keepsSame(_ late: UInt64 = 7, _ change: (Scribe) throws -> Void) throws -> Bool? {
    func body(_ id: UInt64) -> BodyReference {
      BodyReference(id: id, commitment: Digest(words: (id, 0, 0, 0)), byteCount: 5)
    }
    let scribe = try Scribe()
    try scribe.open()
    let landed = ReadLanded(begin: Seq(try scribe.begin()), body: body(7), status: 200)
    try scribe.write(landed, in: 1, cause: 2, [("/notes", .write)])
    let begun = try scribe.begin()
    try change(scribe)
    let fence = try scribe.answer(try scribe.send()) + 1
    let refused = ReadRefused(
      begin: Seq(begun),
      reason: .generation,
      witness: Seq(fence),
      body: body(late)
    )
    try scribe.write(refused, in: 1, cause: begun, [("/notes", .mention)])
    return try RaceReport(try scribe.finish()).races.last?.keepsSame
  }

  @Test func `a fence keeps the same only if the very content still stands there`() throws {
    #expect(try keepsSame { _ in } == true)
    #expect(try keepsSame(8) { _ in } == false)
    #expect(try keepsSame { try $0.remove() } == false)
    #expect(try keepsSame { try $0.bump(.cleared) } == false)
    #expect(try keepsSame { try $0.answer(try $0.send(), removals: ["/notes"]) } == false)
    #expect(try keepsSame { try $0.answer(try $0.send(), copies: [("/notes", nil)]) } == false)
  }
}
