import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// A refusal needs an entry that makes it necessary.
@Suite struct RefusalTests {
  @Test func `a refusal with its witness is in order, for each reason`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.begin()
    let second = try scribe.begin()
    try scribe.refuse(first, .superseded, witness: second)
    let bump = try scribe.bump()
    try scribe.refuse(second, .generation, witness: bump)
    let high = try scribe.land(try scribe.begin(), revision: 7)
    try scribe.refuse(try scribe.begin(), .older, witness: high, revision: 6)
    let last = try scribe.begin()
    let end = try scribe.retire()
    try scribe.refuse(last, .retired, witness: end)
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(RefusalsAreJustified.self) == 4)
  }

  @Test func `a read that failed needs no witness`() throws {
    let scribe = try Scribe()
    try scribe.open()
    for reason in ReadRefused.Reason.allCases where !reason.needsWitness {
      try scribe.refuse(try scribe.begin(), reason)
    }
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.verdict(of: RefusalsAreJustified.self)?.isVacuous == true)
  }

  @Test(arguments: ReadRefused.Reason.allCases.filter(\.needsWitness))
  func `a refusal without a witness, or with a wrong one, is not justified`(
    reason: ReadRefused.Reason
  ) throws {
    let scribe = try Scribe()
    try scribe.open()
    let before = try scribe.bump()
    let read = try scribe.begin()
    let bare = try scribe.refuse(read, reason, revision: 1)
    let wrong = try scribe.refuse(try scribe.begin(), reason, witness: before, revision: 1)
    let self0 = try scribe.begin()
    let itself = try scribe.refuse(self0, reason, witness: self0, revision: 1)
    #expect(
      try scribe.judged().briefs == [
        "J206 at \(bare)", "J206 at \(wrong) by \(before)", "J206 at \(itself) by \(self0)",
      ]
    )
  }

  @Test func `the fence of another store, or of other paths, is no witness`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let other = try scribe.open("https://b.example")
    let first = try scribe.begin()
    let second = try scribe.begin("/tides")
    let abroad = try scribe.bump(in: other)
    let one = try scribe.refuse(first, .generation, witness: abroad)
    let change = try scribe.send(touches: [Touch(.exact, try Path("/notes"))])
    let answer = try scribe.answer(change)
    let two = try scribe.refuse(second, .generation, witness: answer, "/tides")
    let third = try scribe.begin()
    let bound = try scribe.bump()
    try scribe.refuse(third, .generation, witness: bound)
    let report = try scribe.judged()
    #expect(report.briefs == ["J206 at \(one) by \(abroad)", "J206 at \(two) by \(answer)"])
    #expect(report.findings[1].message.contains("the answer to a change that declared other paths"))
  }

  @Test func `a bump behind an answer is a witness for what the change declared`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let covered = try scribe.begin("/notes")
    let other = try scribe.begin("/tides")
    let change = try scribe.send(touches: [Touch(.exact, try Path("/notes"))])
    let bump = try scribe.answer(change) + 1
    try scribe.refuse(covered, .generation, witness: bump)
    let wrong = try scribe.refuse(other, .generation, witness: bump, "/tides")
    #expect(try scribe.judged().briefs == ["J206 at \(wrong) by \(bump)"])
  }

  @Test func `a later read of another path supersedes nothing`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    let other = try scribe.begin("/tides")
    let refusal = try scribe.refuse(read, .superseded, witness: other)
    #expect(try scribe.judged().briefs == ["J206 at \(refusal) by \(other)"])
  }

  @Test func `a revision that is not below the highest is not older`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let high = try scribe.land(try scribe.begin(), revision: 7)
    let equal = try scribe.refuse(try scribe.begin(), .older, witness: high, revision: 7)
    let none = try scribe.refuse(try scribe.begin(), .older, witness: high)
    let low = try scribe.begin("/tides")
    let other = try scribe.refuse(low, .older, witness: high, "/tides", revision: 1)
    #expect(
      try scribe.judged().briefs == [
        "J206 at \(equal) by \(high)", "J206 at \(none) by \(high)", "J206 at \(other) by \(high)",
      ]
    )
  }

  @Test func `the next opening of the scope ends a store, that of another does not`() throws {
    let scribe = try Scribe()
    let store = try scribe.open()
    let first = try scribe.begin()
    let second = try scribe.begin("/tides")
    let other = try scribe.open("https://b.example")
    let again = try scribe.open()
    try scribe.refuse(first, .retired, witness: again, in: store)
    let wrong = try scribe.refuse(second, .retired, witness: other, "/tides", in: store)
    #expect(try scribe.judged().briefs == ["J206 at \(wrong) by \(other)"])
  }

  // MARK: Answers that were not written

  @Test func `a suppressed answer with its witness is in order, for each reason`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let late = try scribe.send()
    let older = try scribe.send()
    let retired = try scribe.send()
    let write = try scribe.land(try scribe.begin("/notes/41"), "/notes/41", revision: 4)
    let first = try scribe.suppress(late, .late, witness: write)
    try scribe.bump(.answer, cause: first)
    let second = try scribe.suppress(older, .older, witness: write, revision: 3)
    try scribe.bump(.answer, cause: second)
    let end = try scribe.retire()
    try scribe.suppress(retired, .retired, witness: end)
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(RefusalsAreJustified.self) == 3)
  }

  @Test func `a suppressed answer whose path nothing wrote is not justified`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let before = try scribe.land(try scribe.begin("/notes/41"), "/notes/41")
    let change = try scribe.send()
    let other = try scribe.land(try scribe.begin("/tides"), "/tides")
    let again = try scribe.send()
    let third = try scribe.send()
    var wrong: [(UInt64, UInt64)] = []
    for (mutation, reason, witness) in [
      (change, MutationSuppressed.Reason.late, before), (again, .late, other),
      (third, .retired, other),
    ] {
      let seq = try scribe.suppress(mutation, reason, witness: witness)
      wrong.append((seq, witness))
      if reason != .retired { try scribe.bump(.answer, cause: seq) }
    }
    #expect(try scribe.judged().briefs == wrong.map { "J206 at \($0) by \($1)" })
  }

  @Test func `an answer with a revision is not late behind a write with one`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let change = try scribe.send()
    let write = try scribe.land(try scribe.begin("/notes/41"), "/notes/41", revision: 4)
    let seq = try scribe.suppress(change, .late, witness: write, revision: 5)
    try scribe.bump(.answer, cause: seq)
    #expect(try scribe.judged().briefs == ["J206 at \(seq) by \(write)"])
  }
}
