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
}
