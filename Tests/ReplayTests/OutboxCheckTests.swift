import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

/// The outbox: journals in order, and for every rule one that breaks it.
@Suite struct OutboxCheckTests {
  /// A journal with a store at 1 and an item at 2.
  private func outbox(
    files: Int = 0,
    method: String = "POST",
    touches: [Touch]? = nil,
    _ write: (Scribe, _ item: UInt64) throws -> Void
  ) throws -> Judge.Report {
    let scribe = try Scribe()
    try scribe.open()
    try write(scribe, try scribe.enqueue(method: method, files: files, touches: touches))
    return try scribe.judged()
  }

  @Test func `what is sent, lost, sent again, answered, copied and retired is in order`() throws {
    let report = try outbox { scribe, item in
      let first = try scribe.attempt(item)
      try scribe.doubt(item, first)
      try scribe.reply(item, try scribe.attempt(item, 2))
      try scribe.retire(item: item, behind: try scribe.copy(item, first))
    }
    #expect(report.briefs == [])
    for check: any Check.Type in [
      ItemsEndOnce.self, RetiredWhenAnswered.self, RetiredBehindCopies.self,
      RequestsStayTheSame.self, SentInTurn.self, SentHome.self, OnlyAnswersSettle.self,
      AcknowledgedGoesOn.self, AnswersBumpTogether.self, NoLateAnswer.self,
    ] {
      #expect(report.instances(check) ?? 0 > 0, "\(check)")
    }
  }

  @Test func `a read that began before the copies of an answer is late`() throws {
    let report = try outbox { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.reply(item, sent)
      let read = try scribe.begin()
      try scribe.retire(item: item, behind: try scribe.copy(item, sent))
      try scribe.land(read)
    }
    #expect(report.briefs == ["J201 at 9 by 6"])
  }

  @Test func `copies that declare what they touch fence that only`() throws {
    let touches = [Touch(.exact, try Path("/notes"))]
    let report = try outbox(touches: touches) { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.reply(item, sent)
      let reads = [try scribe.begin("/notes"), try scribe.begin("/tides")]
      let copies = try scribe.copy(item, sent, touches: touches)
      try scribe.retire(item: item, behind: copies)
      try scribe.land(reads[0], "/notes")
      try scribe.land(reads[1], "/tides")
    }
    #expect(report.briefs == ["J201 at 10 by 7"])
  }

  @Test func `copies over what was written since the first attempt are late`() throws {
    let report = try outbox { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.land(try scribe.begin("/new/1"), "/new/1")
      try scribe.reply(item, sent)
      try scribe.retire(item: item, behind: try scribe.copy(item, sent))
    }
    #expect(report.briefs == ["J209 at 7 by 5"])
  }

  @Test func `a write of an earlier opening of the scope counts for copies too`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let item = try scribe.enqueue()
    let sent = try scribe.attempt(item)
    let write = try scribe.land(try scribe.begin("/new/1"), "/new/1")
    try scribe.reply(item, sent)
    let again = try scribe.open()
    let copies = try scribe.copy(item, sent, paths: [], bumps: false, in: again)
    try scribe.suppress(sent, .late, witness: write, "/new/1", in: again)
    try scribe.bump(.answer, cause: copies, in: again)
    try scribe.retire(item: item, behind: copies)
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(RefusalsAreJustified.self) == 1)
  }

  @Test func `copies without their bump are found`() throws {
    let report = try outbox { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.reply(item, sent)
      try scribe.retire(item: item, behind: try scribe.copy(item, sent, bumps: false))
    }
    #expect(report.briefs == ["J210 at 5 by 6"])
  }

  // MARK: F10

  @Test func `what has ended does not end again, and what never was does not end`() throws {
    let report = try outbox { scribe, item in
      try scribe.say(OutboxDiscarded(enqueued: Seq(item)), of: item)
      try scribe.say(OutboxDiscarded(enqueued: Seq(item)), of: item)
      try scribe.say(OutboxRetried(enqueued: Seq(1), reason: .requested), of: 1)
    }
    #expect(report.briefs == ["J305 at 4 by 2", "J305 at 5 by 1"])
    #expect(report.instances(ItemsEndOnce.self) == 3)
  }

  // MARK: F11

  @Test func `what nobody answered is not retired`() throws {
    let report = try outbox { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.doubt(item, sent)
      try scribe.retire(item: item, behind: 4)
    }
    #expect(report.briefs == ["J301 at 5 by 3"])
  }

  @Test func `what is answered is not retired before its copies`() throws {
    let report = try outbox { scribe, item in
      try scribe.reply(item, try scribe.attempt(item))
      try scribe.retire(item: item, behind: 4)
    }
    #expect(report.briefs == ["J302 at 5 by 4"])
  }

  @Test(arguments: [
    (["/notes/41"], 0, false), (["/new/1"], 0, true), (["/new/1", "/files/1"], 2, false),
    (["/new/1", "/files/1", "/files/2"], 2, true), ([], 0, false),
  ])
  func `the record and every file stand as copies`(
    paths: [String],
    files: Int,
    isEnough: Bool
  ) throws {
    let report = try outbox(files: files) { scribe, item in
      let attached = (0..<files).map { BodyReference.sample(UInt64($0)) }
      let sent = try scribe.attempt(item, content: .content([.sample()] + attached))
      try scribe.reply(item, sent)
      try scribe.retire(item: item, behind: try scribe.copy(item, sent, paths: paths))
    }
    #expect(report.briefs == (isEnough ? [] : ["J302 at 7 by 5"]))
  }

  @Test func `what is gone, or what is answered by nothing, needs no copy`() throws {
    for (method, answer) in [("DELETE", BodyReference.sample()), ("POST", nil)] {
      let report = try outbox(method: method) { scribe, item in
        let sent = try scribe.attempt(item)
        try scribe.reply(item, sent, answer: answer)
        try scribe.retire(item: item, behind: try scribe.copy(item, sent, paths: []))
      }
      #expect(report.briefs == [], "\(method)")
    }
  }

  @Test func `copies in a store that is over do not count`() throws {
    let report = try outbox { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.reply(item, sent)
      let copies = try scribe.copy(item, sent)
      try scribe.retire()
      try scribe.retire(item: item, behind: copies)
    }
    #expect(report.briefs == ["J302 at 8 by 5"])
  }

  // MARK: F12

  @Test func `another key or another content is another request`() throws {
    let report = try outbox { scribe, item in
      try scribe.doubt(item, try scribe.attempt(item, key: "else"))
      try scribe.attempt(item, 2, content: .content([]))
    }
    #expect(report.briefs == ["J306 at 3 by 2", "J306 at 5 by 2"])
  }

  @Test func `one attempt at a time`() throws {
    let report = try outbox { scribe, item in
      try scribe.attempt(item)
      try scribe.attempt(item, 2)
    }
    #expect(report.briefs == ["J303 at 4 by 3"])
  }

  @Test func `a lane keeps its order, and another lane goes on`() throws {
    let report = try outbox { scribe, item in
      try scribe.attempt(try scribe.enqueue("w2"), key: "w2")
      try scribe.attempt(try scribe.enqueue("w3", lane: "other"), key: "w3")
      try scribe.say(OutboxDiscarded(enqueued: Seq(item)), of: item)
    }
    #expect(report.briefs == ["J303 at 4 by 2"])
  }

  @Test(arguments: [OutboxAnswered.Verdict.held, .rejected])
  func `what waits for a person is not sent`(verdict: OutboxAnswered.Verdict) throws {
    let report = try outbox { scribe, item in
      try scribe.reply(item, try scribe.attempt(item), verdict)
      if verdict == .rejected {
        try scribe.say(OutboxParked(enqueued: Seq(item), reason: .rejected), of: item)
      }
      let sent = try scribe.attempt(item, 2)
      try scribe.doubt(item, sent)
      try scribe.say(OutboxRetried(enqueued: Seq(item), reason: .requested), of: item)
      try scribe.attempt(item, 3)
    }
    #expect(report.briefs == (verdict == .held ? ["J303 at 5 by 4"] : ["J303 at 6 by 5"]))
  }

  @Test func `what was authored for one server goes to no other`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let item = try scribe.enqueue()
    let other = try scribe.open("https://b.example")
    let sent = try scribe.attempt(item, in: other)
    let report = try scribe.judged()
    #expect(report.briefs == ["J309 at \(sent) by \(item)"])
    #expect(report.findings.first?.expected == "https://a.example")
  }

  // MARK: F13

  @Test func `an answer or a doubt of no attempt is a guess`() throws {
    let report = try outbox { scribe, item in
      try scribe.reply(item, 2, .busy)
      let sent = try scribe.attempt(item)
      try scribe.doubt(item, sent)
      try scribe.doubt(item, sent)
    }
    #expect(report.briefs == ["J307 at 3 by 2", "J307 at 6 by 3"])
  }

  @Test func `copies of what was not answered, or not sent so, are a guess`() throws {
    let report = try outbox { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.copy(item, sent)
      try scribe.doubt(item, sent)
      try scribe.reply(item, try scribe.attempt(item, 2))
      try scribe.retire(item: item, behind: try scribe.copy(item, 7))
    }
    #expect(report.briefs.filter { $0.hasPrefix("J307") } == ["J307 at 4 by 3", "J307 at 9 by 8"])
  }

  @Test func `copies that touch less than was declared are found`() throws {
    let report = try outbox { scribe, item in
      let sent = try scribe.attempt(item)
      try scribe.reply(item, sent)
      try scribe.retire(item: item, behind: try scribe.copy(item, sent, touches: []))
    }
    #expect(report.briefs == ["J307 at 5 by 4"])
  }

  @Test(arguments: [OutboxParked.Reason.rejected, .expiredDoubt, .spent])
  func `a person is asked because of what was`(reason: OutboxParked.Reason) throws {
    let report = try outbox { scribe, item in
      try scribe.reply(item, try scribe.attempt(item), .busy)
      try scribe.say(OutboxParked(enqueued: Seq(item), reason: reason), of: item)
    }
    #expect(report.briefs == (reason == .spent ? [] : ["J307 at 5 by 4"]))
  }

  // MARK: F14

  @Test func `what the server has is neither parked nor let go again`() throws {
    let report = try outbox { scribe, item in
      try scribe.reply(item, try scribe.attempt(item))
      try scribe.say(OutboxParked(enqueued: Seq(item), reason: .spent), of: item)
      try scribe.say(OutboxRetried(enqueued: Seq(item), reason: .requested), of: item)
    }
    #expect(report.briefs == ["J308 at 5 by 4", "J308 at 6 by 4"])
  }

  // MARK: F6

  @Test func `what becomes of work is written under its own store, over or not`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let item = try scribe.enqueue()
    let sent = try scribe.attempt(item)
    try scribe.retire()
    try scribe.doubt(item, sent)
    let late = try scribe.attempt(item, 2)
    #expect(try scribe.judged().briefs == ["J203 at \(late) by 4"])
  }
}

extension Digest {
  /// What an attempt with these contents says that it carries.
  fileprivate static func content(_ bodies: [BodyReference]) -> Digest {
    Outbox.content(bodies.first, bodies.dropFirst().map { AttachedFile(name: "", body: $0) })
  }
}
