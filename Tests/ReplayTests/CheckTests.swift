import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Each check on a journal that keeps its rule and on one that breaks it.
@Suite struct CheckTests {
  // MARK: F2

  @Test func `a read that lands before anything comes between is in order`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    try scribe.land(read)
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(NoLateLanding.self) == 1)
    #expect(report.instances(NoSupersededLanding.self) == 1)
    #expect(report.instances(LandingsStayHome.self) == 1)
  }

  @Test func `a read that lands behind a bump is late`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    let bump = try scribe.bump()
    let landing = try scribe.land(read)
    let report = try scribe.judged()
    #expect(report.briefs == ["J201 at \(landing) by \(bump)"])
    #expect(
      report.findings.first?.message
        == "ticket 1.0.2 began at 2; its store was fenced at 3; the reply landed at 4"
    )
    #expect(report.findings.first?.path == (try Path("/notes")))
    #expect(report.findings.first?.scope == (try Scope("https://a.example")))
  }

  @Test func `the first fence behind the begin is the witness`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.begin("/other")
    try scribe.bump()
    let read = try scribe.begin()
    let first = try scribe.bump()
    try scribe.bump()
    let landing = try scribe.land(read)
    #expect(try scribe.judged().briefs == ["J201 at \(landing) by \(first)"])
  }

  @Test func `a read that lands behind the answer to a change is late`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    let change = try scribe.send()
    let answer = try scribe.answer(change, copies: [("/notes/41", nil)])
    let landing = try scribe.land(read)
    #expect(try scribe.judged().briefs == ["J201 at \(landing) by \(answer)"])
  }

  @Test func `a read that lands behind a suppressed answer is late`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    let other = try scribe.begin("/notes/41")
    let write = try scribe.land(other, "/notes/41")
    let read = try scribe.begin()
    let suppressed = try scribe.suppress(change, .late, witness: write)
    try scribe.bump(.answer, cause: suppressed)
    let landing = try scribe.land(read)
    #expect(try scribe.judged().briefs == ["J201 at \(landing) by \(suppressed)"])
  }

  @Test func `a fence of another store makes nothing late`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let other = try scribe.open("https://b.example")
    let read = try scribe.begin()
    try scribe.bump(in: other)
    try scribe.land(read)
    #expect(try scribe.judged().briefs == [])
  }

  @Test func `a change that declares paths makes late what it declared`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let late = try scribe.begin("/notes")
    let other = try scribe.begin("/tides")
    let touches = [Touch(.exact, try Path("/notes"))]
    let change = try scribe.send(touches: touches)
    let answer = try scribe.answer(change, copies: [("/notes/41", nil)])
    try scribe.land(other, "/tides")
    let landing = try scribe.land(late)
    let report = try scribe.judged()
    #expect(report.briefs == ["J201 at \(landing) by \(answer)"])
    #expect(report.instances(NoLandingOverDeclaredPaths.self) == 2)
    #expect(report.verdict(of: NoLandingOverDeclaredPaths.self)?.findingCount == 1)
  }

  @Test func `a bump behind an answer reaches as far as the answer`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin("/tides")
    let touches = [Touch(.under, try Path("/notes"))]
    let change = try scribe.send(touches: touches)
    let write = try scribe.begin("/notes/41")
    let landed = try scribe.land(write, "/notes/41")
    let answer = try scribe.answerAlone(change, copies: [("/notes/40", nil)])
    try scribe.suppress(change, .late, witness: landed)
    try scribe.bump(.answer, cause: answer)
    try scribe.land(read, "/tides")
    #expect(try scribe.judged().briefs == [])
  }

  @Test func `a read that lands although a later one of its path began is superseded`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.begin()
    let second = try scribe.begin()
    let landing = try scribe.land(first)
    try scribe.land(second)
    let report = try scribe.judged()
    #expect(report.briefs == ["J202 at \(landing) by \(second)"])
    #expect(
      report.findings.first?.message.contains("ticket 1.0.2 began at 2; a later read") == true
    )
  }

  @Test func `a later read of another path supersedes nothing`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.begin("/notes")
    try scribe.begin("/tides")
    try scribe.land(first)
    #expect(try scribe.judged().briefs == [])
  }

  @Test func `a read that lands in another store or under another path is not at home`() throws {
    let scribe = try Scribe()
    let home = try scribe.open()
    let other = try scribe.open("https://b.example")
    let first = try scribe.begin()
    let second = try scribe.begin("/tides")
    let abroad = try scribe.land(first, in: other)
    let astray = try scribe.land(second, "/moon")
    let report = try scribe.judged()
    #expect(report.briefs == ["J203 at \(abroad) by \(first)", "J203 at \(astray) by \(second)"])
    #expect(report.findings.map(\.expected) == ["\(home)", "/tides"])
    #expect(report.findings.map(\.actual) == ["\(other)", "/moon"])
    #expect(report.openReads == 1)
  }

  // MARK: F3

  @Test func `what ends once and has begun is in order`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.land(try scribe.begin())
    try scribe.refuse(try scribe.begin(), .failed)
    try scribe.answer(try scribe.send())
    try scribe.fail(try scribe.send())
    try scribe.begin("/open")
    try scribe.send("/sent")
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(TicketsEndOnce.self) == 4)
    #expect(report.openReads == 1)
    #expect(report.openChanges == 1)
  }

  @Test func `a read that ends twice is unbalanced`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    let first = try scribe.land(read)
    let second = try scribe.land(read)
    let report = try scribe.judged()
    #expect(report.briefs == ["J205 at \(second) by \(first)"])
    #expect(report.findings.first?.message == "the read that began at 2 ended at 3, and again at 4")
  }

  @Test func `a read that ends again after others of its path is unbalanced`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    try scribe.land(read)
    try scribe.land(try scribe.begin())
    let second = try scribe.refuse(read, .failed)
    #expect(try scribe.judged().briefs == ["J205 at \(second) by \(read)"])
  }

  @Test func `a change that is answered twice is unbalanced`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    try scribe.answer(change)
    let again = try scribe.fail(change)
    let report = try scribe.judged()
    #expect(report.briefs.map { $0.prefix(7) } == ["J205 at"])
    #expect(report.findings.first?.seq == Seq(again))
  }

  @Test func `what ends without having begun is unbalanced`() throws {
    let scribe = try Scribe()
    let store = try scribe.open()
    let landing = try scribe.land(store)
    let change = try scribe.send()
    let refusal = try scribe.refuse(change, .failed)
    try scribe.fail(change)
    #expect(
      try scribe.judged().briefs == [
        "J205 at \(landing) by \(store)", "J205 at \(refusal) by \(change)",
      ]
    )
  }

  @Test func `a refusal in another store or of another path is unbalanced`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let other = try scribe.open("https://b.example")
    let first = try scribe.begin()
    let second = try scribe.begin("/tides")
    let abroad = try scribe.refuse(first, .failed, in: other)
    let astray = try scribe.refuse(second, .failed, "/moon")
    let change = try scribe.send()
    let failure = try scribe.fail(change, in: other)
    #expect(
      try scribe.judged().briefs == [
        "J205 at \(abroad) by \(first)", "J205 at \(astray) by \(second)",
        "J205 at \(failure) by \(change)",
      ]
    )
  }

  @Test func `one answer in several entries is one end`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    let write = try scribe.land(try scribe.begin("/notes/41"), "/notes/41")
    let answer = try scribe.answerAlone(change, copies: [("/notes/40", nil)])
    try scribe.suppress(change, .late, witness: write)
    try scribe.bump(.answer, cause: answer)
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(TicketsEndOnce.self) == 2)
  }
}
