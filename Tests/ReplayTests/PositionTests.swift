import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Keys, seqs and pointers; and what is said where entries are damaged or unknown.
@Suite struct PositionTests {
  /// A store, two reads of a path, a change with its answer, and a read of another path.
  private func scribe() throws -> Scribe {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.land(try scribe.begin())
    try scribe.answer(try scribe.send(), copies: [("/notes/41", nil)])
    try scribe.land(try scribe.begin("/tides"), "/tides")
    try scribe.refuse(try scribe.begin(), .failed)
    return scribe
  }

  @Test func `a journal that Tidemark wrote has distinct keys, dense seqs and true pointers`()
    throws
  {
    let report = try scribe().judged()
    #expect(report.briefs == [])
    #expect(report.instances(KeysAreDistinct.self) == 10)
    #expect(report.instances(SeqsAreDense.self) == 10)
    #expect(report.instances(PointersHold.self) == 10 + 8 * 2)
    #expect(report.entries == 10)
  }

  // MARK: F0

  @Test func `a key that stands twice is found`() throws {
    let scribe = try scribe()
    _ = try scribe.finish()
    try scribe.place.forge(entry: 8) { $0[1].value = .bytes(Array("k4".utf8)) }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J107 at 8 by 4"])
    #expect(report.findings.first?.key == (try IdempotencyKey("k4")))
  }

  @Test func `a gap is found, once, and what pointed into it is not blamed`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.commit()
    let read = try scribe.begin()
    let change = try scribe.send()
    try scribe.commit()
    try scribe.land(read)
    try scribe.answer(change, copies: [("/notes/41", nil)])
    try scribe.land(try scribe.begin())
    _ = try scribe.finish()
    try scribe.place.dropBlock(ofEntry: 2)
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J103 at 2 by 4"])
    #expect(report.findings.first?.message == "entries 2 to 3 are missing")
    #expect(report.entries == 6)
  }

  @Test func `a damaged block is told, and judging goes on behind it`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.commit()
    let read = try scribe.begin()
    try scribe.bump()
    try scribe.commit()
    try scribe.land(read)
    let second = try scribe.begin()
    let bump = try scribe.bump()
    let late = try scribe.land(second)
    _ = try scribe.finish()
    try scribe.place.flipBit(inEntry: 2)
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J102 at 2", "J201 at \(late) by \(bump)"])
    #expect(report.entries == 5)
    #expect(report.counts == [.blockDamaged: 1, .lateLanding: 1])
  }

  @Test func `a floor from before the damage is not held against what comes behind it`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.land(try scribe.begin(), revision: 9)
    try scribe.commit()
    try scribe.remove()
    try scribe.commit()
    try scribe.land(try scribe.begin(), revision: 1)
    let reader = try scribe.finish()
    #expect(try Judge.judge(reader).briefs == [])
    try scribe.place.flipBit(inEntry: 4)
    #expect(try Judge.judge(try scribe.place.read()).briefs == ["J102 at 4"])
  }

  // MARK: F1

  @Test func `a pointer to an earlier fence is wrong`() throws {
    let scribe = try scribe()
    _ = try scribe.finish()
    try scribe.place.forge(entry: 8) { pairs in
      let fence = try #require(pairs.firstIndex { $0.key == .unsigned(5) })
      #expect(pairs[fence].value == .unsigned(6))
      pairs[fence].value = .unsigned(5)
    }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J108 at 8 by 6"])
    #expect(
      report.findings.first?.message == "the last fence of the store is 6, and the entry says 5"
    )
  }

  @Test(
    arguments: [
      ([4: 3], "the last begin or write of the path is 3, and the entry says 2"),
      ([:], ""),
    ] as [([Int: Int], String)]
  )
  func `a pointer of a path is compared with the entries before it`(
    _: [Int: Int],
    message: String
  ) throws {
    let scribe = try scribe()
    _ = try scribe.finish()
    try scribe.place.forge(entry: 9) { pairs in
      let paths = try #require(pairs.firstIndex { $0.key == .unsigned(6) })
      guard case .array(let links) = pairs[paths].value, case .array(var link) = links[0] else {
        Issue.record("no path")
        return
      }
      #expect(link[2] == .unsigned(3))
      if !message.isEmpty { link[2] = .unsigned(2) }
      pairs[paths].value = .array([.array(link)])
    }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.findings.map(\.message).first ?? "" == message)
    #expect(report.findings.count == (message.isEmpty ? 0 : 2))
    #expect(report.findings.allSatisfy { $0.code == .pointerWrong && $0.seq == Seq(9) })
  }

  @Test func `a naming that is skipped is found`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.begin()
    try scribe.begin()
    try scribe.refuse(first, .superseded, witness: 3)
    try scribe.begin()
    _ = try scribe.finish()
    try scribe.place.forge(entry: 5) { pairs in
      let paths = try #require(pairs.firstIndex { $0.key == .unsigned(6) })
      guard case .array(let links) = pairs[paths].value, case .array(var link) = links[0] else {
        Issue.record("no path")
        return
      }
      #expect(link[2...] == [.unsigned(3), .unsigned(4)])
      link.removeLast()
      pairs[paths].value = .array([.array(link)])
    }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J108 at 5 by 4"])
    #expect(
      report.findings.first?.message == "the last naming of the path is 4, and the entry says 3"
    )
  }

  @Test func `an entry of a store that was not opened is found`() throws {
    let scribe = try scribe()
    _ = try scribe.finish()
    try scribe.place.forge(entry: 10) { pairs in
      let store = try #require(pairs.firstIndex { $0.key == .unsigned(2) })
      pairs[store].value = .unsigned(2)
    }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.findings.map(\.code).contains(.pointerWrong))
    #expect(report.findings.first?.message.contains("no store was opened there") == true)
  }

  @Test func `pointers stay inside one incarnation, also of a refusal that outlived it`() throws {
    let scribe = try Scribe()
    let store = try scribe.open()
    let read = try scribe.begin()
    let other = try scribe.begin()
    let again = try scribe.open()
    try scribe.land(try scribe.begin(in: again), in: again)
    try scribe.refuse(read, .retired, witness: again, in: store)
    try scribe.refuse(other, .retired, witness: again, in: store)
    let report = try scribe.judged()
    #expect(report.briefs == [])
    #expect(report.instances(PointersHold.self) == 8 + 6 * 2)
  }

  // MARK: What is not known

  @Test func `an unknown kind is noted, and what may have been its doing is not blamed`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    try scribe.bump()
    let landing = try scribe.land(read)
    _ = try scribe.finish()
    // A kind of a later build: a fence, for all that this one knows.
    try scribe.place.forge(entry: 3) { $0[0].value = .unsigned(31_000) }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J604 at 3"])
    #expect(report.counts == [.kindUnknown: 1])
    #expect(landing == 4)
    let skipped = try Judge.judge(try scribe.place.read(), .init(skipped: [.kindUnknown]))
    #expect(skipped.briefs == [])
  }

  @Test func `a payload that is not that of its kind is malformed`() throws {
    let scribe = try scribe()
    _ = try scribe.finish()
    try scribe.place.forge(entry: 3) { pairs in
      pairs[pairs.count - 1].value = .map([.init(.unsigned(1), .text("two"))])
    }
    let report = try Judge.judge(try scribe.place.read())
    #expect(report.briefs == ["J104 at 3"])
  }

  @Test func `paths whose roles do not fit the kind are malformed`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.write(ReadBegan(generation: 0), [("/notes", .mention)])
    let landing = try scribe.write(
      ReadLanded(begin: Seq(read), body: .sample(), status: 200),
      [("/notes", .begin)]
    )
    let change = try scribe.send()
    let answer = try scribe.write(
      MutationAnswered(
        mutation: Seq(change),
        status: 200,
        copies: [.init(path: 3, body: .sample())]
      ),
      [("/notes", .write)]
    )
    let report = try scribe.judged()
    #expect(
      report.briefs.prefix(3) == ["J104 at \(read)", "J104 at \(landing)", "J104 at \(answer)"]
    )
  }

  // MARK: How much is told

  @Test func `no more than so many are listed, and the count stays true`() throws {
    let scribe = try Scribe()
    try scribe.open()
    for number in 0..<20 {
      let read = try scribe.begin("/\(number)")
      try scribe.bump()
      try scribe.land(read, "/\(number)")
    }
    let report = try Judge.judge(try scribe.finish(), .init(examplesMax: 3))
    #expect(report.findings.map(\.seq?.value) == [4, 7, 10])
    #expect(report.counts == [.lateLanding: 20])
  }

  @Test func `a code that is skipped is not looked for`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let read = try scribe.begin()
    try scribe.bump()
    try scribe.land(read)
    let report = try Judge.judge(try scribe.finish(), .init(skipped: [.lateLanding]))
    #expect(report.briefs == [])
    #expect(report.verdict(of: NoLateLanding.self) == nil)
    #expect(report.verdicts.count == CheckCatalogue.all.count - 2)
  }

  @Test func `an empty journal holds everything vacuously`() throws {
    let report = try Scribe().judged()
    #expect(report.verdicts.count == CheckCatalogue.all.count)
    #expect(report.verdicts.filter { !$0.isVacuous }.isEmpty)
    #expect(report.findings.isEmpty)
  }

  @Test func `progress is told to the end`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.commit()
    try scribe.begin()
    var told: [UInt64] = []
    _ = try Judge.judge(try scribe.finish()) { told.append($0) }
    #expect(told == [1, 2])
  }
}
