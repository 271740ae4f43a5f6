import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// What answers to changes may write, and what revisions say of it.
@Suite struct AnswerTests {
  // MARK: F5

  @Test func `an answer that writes what nothing wrote since is in order`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.land(try scribe.begin("/notes/41"), "/notes/41")
    let change = try scribe.send()
    try scribe.land(try scribe.begin("/tides"), "/tides")
    try scribe.answer(change, copies: [("/notes/41", nil)])
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(NoLateAnswer.self) == 1)
  }

  @Test func `an answer that writes over a landing is late`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    let write = try scribe.land(try scribe.begin("/notes/41"), "/notes/41")
    let answer = try scribe.answer(change, copies: [("/notes/40", nil), ("/notes/41", nil)])
    let report = try scribe.judged()
    #expect(report.briefs == ["J209 at \(answer) by \(write)"])
    #expect(report.findings.first?.path == (try Path("/notes/41")))
    #expect(report.instances(NoLateAnswer.self) == 2)
  }

  @Test func `two changes that are answered in reverse are late`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.send()
    let second = try scribe.send()
    let write = try scribe.answer(second, copies: [("/notes/41", nil)])
    let late = try scribe.answer(first, copies: [("/notes/41", nil)])
    #expect(try scribe.judged().briefs == ["J209 at \(late) by \(write)"])
  }

  @Test func `a removal is a write, and may be late too`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.send()
    let second = try scribe.send()
    let removal = try scribe.answer(second, removals: ["/notes/41"])
    let late = try scribe.answer(first, copies: [("/notes/41", 9)])
    let third = try scribe.send()
    let write = try scribe.land(try scribe.begin("/notes/41"), "/notes/41", revision: 1)
    let removed = try scribe.answer(third, removals: ["/notes/41"])
    #expect(
      try scribe.judged().briefs
        == [
          "J209 at \(late) by \(removal)", "J209 at \(removed) by \(write)",
          // The floor of the late answer still stands when the lower revision lands.
          "J204 at \(write) by \(late)",
        ].sorted { $0.seqOfBrief < $1.seqOfBrief }
    )
  }

  @Test func `with a revision on both sides the server orders, and nothing is late`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    try scribe.land(try scribe.begin("/notes/41"), "/notes/41", revision: 4)
    try scribe.answer(change, copies: [("/notes/41", 5)])
    #expect(try scribe.judged().briefs == [])
  }

  @Test(arguments: [(4, nil), (nil, 5)] as [(UInt64?, UInt64?)])
  func `a revision on one side only orders nothing`(landed: UInt64?, answered: UInt64?) throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    let write = try scribe.land(try scribe.begin("/notes/41"), "/notes/41", revision: landed)
    let answer = try scribe.answer(change, copies: [("/notes/41", answered)])
    #expect(try scribe.judged().briefs == ["J209 at \(answer) by \(write)"])
  }

  // MARK: F5r

  @Test func `revisions that rise or stay are in order`() throws {
    let scribe = try Scribe()
    try scribe.open()
    for revision: UInt64 in [1, 1, 5] {
      try scribe.land(try scribe.begin(), revision: revision)
    }
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(RevisionsNeverFall.self) == 2)
  }

  @Test func `a landing and an answer with a lower revision fall`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let high = try scribe.land(try scribe.begin(), revision: 5)
    let low = try scribe.land(try scribe.begin(), revision: 4)
    let answer = try scribe.answer(try scribe.send(), copies: [("/notes", 3)])
    let report = try scribe.judged()
    #expect(report.briefs == ["J204 at \(low) by \(high)", "J204 at \(answer) by \(high)"])
    #expect(report.findings.map(\.actual) == ["4", "3"])
    #expect(report.findings[0].expected == "5 or more")
  }

  @Test func `an answer without a revision leaves the floor`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let high = try scribe.land(try scribe.begin(), revision: 5)
    try scribe.land(try scribe.begin())
    let low = try scribe.land(try scribe.begin(), revision: 4)
    #expect(try scribe.judged().briefs == ["J204 at \(low) by \(high)"])
  }

  @Test func `the floor stands over a new opening of the scope, and in that scope only`() throws {
    let scribe = try Scribe()
    let store = try scribe.open()
    let high = try scribe.land(try scribe.begin(), revision: 5)
    try scribe.retire(store)
    let other = try scribe.open("https://b.example")
    try scribe.land(try scribe.begin(in: other), revision: 1, in: other)
    let again = try scribe.open()
    let low = try scribe.land(try scribe.begin(in: again), revision: 4, in: again)
    #expect(try scribe.judged().briefs == ["J204 at \(low) by \(high)"])
  }

  @Test func `a removal, a removed copy and a clearing end the floor`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.land(try scribe.begin(), revision: 9)
    try scribe.answer(try scribe.send(), removals: ["/notes"])
    try scribe.land(try scribe.begin(), revision: 8)
    try scribe.remove("/notes")
    try scribe.land(try scribe.begin(), revision: 7)
    try scribe.bump(.cleared)
    let high = try scribe.land(try scribe.begin(), revision: 6)
    try scribe.bump(.requested)
    let low = try scribe.land(try scribe.begin(), revision: 5)
    #expect(try scribe.judged().briefs == ["J204 at \(low) by \(high)"])
  }

  @Test func `a removed copy of another path leaves the floor`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let high = try scribe.land(try scribe.begin(), revision: 9)
    try scribe.remove("/tides")
    let low = try scribe.land(try scribe.begin(), revision: 8)
    #expect(try scribe.judged().briefs == ["J204 at \(low) by \(high)"])
  }

  // MARK: F5a

  @Test func `an answer with its bump behind it is in order`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.answer(try scribe.send(), copies: [("/notes/41", nil)])
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(AnswersBumpTogether.self) == 1)
  }

  @Test func `an answer without its bump is split`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.answerAlone(try scribe.send())
    let between = try scribe.begin()
    let bump = try scribe.bump(.answer, cause: first)
    let last = try scribe.answerAlone(try scribe.send())
    #expect(
      try scribe.judged().briefs == [
        "J210 at \(first) by \(between)", "J210 at \(bump) by \(first)", "J210 at \(last)",
      ]
    )
  }

  @Test func `a bump that names another cause, or stands in another store, is not the answer's`()
    throws
  {
    let scribe = try Scribe()
    let store = try scribe.open()
    let other = try scribe.open("https://b.example")
    let first = try scribe.answerAlone(try scribe.send())
    let one = try scribe.bump(.answer, cause: store)
    let second = try scribe.answerAlone(try scribe.send())
    let two = try scribe.bump(.answer, cause: second, in: other)
    let third = try scribe.answerAlone(try scribe.send())
    let three = try scribe.bump(.pushed)
    #expect(
      try scribe.judged().briefs == [
        "J210 at \(first) by \(one)", "J210 at \(second) by \(two)", "J210 at \(third) by \(three)",
      ]
    )
  }

  @Test func `an answer to a store that is over bumps nothing`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    let end = try scribe.retire()
    try scribe.suppress(change, .retired, witness: end)
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.verdict(of: AnswersBumpTogether.self)?.isVacuous == true)
  }

  // MARK: F6

  @Test func `nothing but refusals comes in a store that is over`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let kept = try scribe.begin("/tides")
    let read = try scribe.begin()
    let change = try scribe.send()
    let failed = try scribe.send()
    let end = try scribe.retire()
    try scribe.refuse(kept, .retired, witness: end, "/tides")
    try scribe.suppress(change, .retired, witness: end)
    try scribe.fail(failed)
    let landing = try scribe.land(read)
    let begin = try scribe.begin()
    let report = try scribe.judged()
    #expect(report.briefs == ["J203 at \(landing) by \(end)", "J203 at \(begin) by \(end)"])
    #expect(report.instances(NothingAfterRetirement.self) == 5)
  }

  @Test func `a store ends when its scope is opened anew, and not when another is`() throws {
    let scribe = try Scribe()
    let store = try scribe.open()
    let first = try scribe.begin()
    let second = try scribe.begin("/tides")
    try scribe.open("https://b.example")
    try scribe.land(first)
    let again = try scribe.open()
    let landing = try scribe.land(second, "/tides", in: store)
    #expect(try scribe.judged().briefs == ["J203 at \(landing) by \(again)"])
  }
}

extension String {
  /// The seq of a brief such as `J201 at 4 by 3`.
  fileprivate var seqOfBrief: Int { Int(split(separator: " ")[2]) ?? 0 }
}
