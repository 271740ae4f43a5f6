import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

@Suite struct WhyTests {
  private func story(
    _ reader: JournalReader,
    _ path: String = "/notes",
    at seq: UInt64? = nil,
    depth: Why.Depth = Why.Depth()
  ) throws -> Why? {
    try Why.stories(
      of: Path(path),
      through: seq.map { Seq($0) } ?? reader.last,
      EntryContext(reader),
      depth: depth
    ).first
  }

  private func seqs(_ steps: [Why.Step]) -> [UInt64] { steps.map(\.entry.seq.value) }

  @Test func `what gave the value, what was before, and what tried`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let first = try scribe.land(scribe.begin())
    let second = try scribe.land(scribe.begin())
    let late = try scribe.begin()
    let sent = try scribe.send("/notes/41")
    let bump = try scribe.answer(sent, copies: [("/notes/41", 52)]) + 1
    let refused = try scribe.refuse(late, .generation, witness: bump)
    let open = try scribe.begin()
    let reader = try scribe.finish()
    let story = try #require(try story(reader))
    #expect(story.gave?.entry.seq.value == second)
    #expect(seqs(story.before) == [first])
    #expect(seqs(story.tried) == [refused])
    #expect(seqs(story.open) == [open])
    #expect(story.suspect == nil && story.findings == [])
    #expect(story.tried[0].witness == Seq(bump))
    #expect(story.tried[0].ticket?.description == "1.0.\(late)")
    #expect(
      story.tried[0].words == """
        the read began at 6 (00:00:00.006Z), before PUT /notes/41, sent at 7 (00:00:00.007Z), \
        was answered at 8 (00:00:00.008Z)
        """
    )
    let note = try #require(try self.story(reader, "/notes/41"))
    #expect(note.now?.revision == 52)
    #expect(note.gave?.words == "the answer to PUT /notes/41, sent at 7 (00:00:00.007Z)")
    #expect(try self.story(reader, "/none") == nil)
  }

  @Test func `each reason is told by what it rests on`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let one = try scribe.begin()
    let two = try scribe.begin()
    try scribe.refuse(one, .superseded, witness: two)
    let landed = try scribe.land(two, revision: 9)
    let three = try scribe.begin()
    try scribe.refuse(three, .older, witness: landed, revision: 8)
    let four = try scribe.begin()
    let cleared = try scribe.bump(.requested)
    try scribe.refuse(four, .generation, witness: cleared)
    for reason in [.malformed, .incomplete, .cancelled, .failed] as [ReadRefused.Reason] {
      try scribe.refuse(scribe.begin(), reason)
    }
    let five = try scribe.begin()
    let retired = try scribe.retire()
    try scribe.refuse(five, .retired, witness: retired)
    let story = try #require(try story(scribe.finish()))
    let words = story.tried.reversed().map { $0.words.replacing(#/ \(\d\d:[^)]*\)/#, with: "") }
    #expect(
      words == [
        "the read began at 2, and a later read of the path at 3",
        "revision 8 is older than what 5 wrote",
        "the read began at 8, before the app raised the generation at 9",
        "the read began at 11, and the answer is not what was asked for",
        "the read began at 13, and the answer was cut",
        "the read began at 15, and the app gave it up",
        "the read began at 17, and failed: no answer was read",
        "the read began at 19, before its store was retired at 20 (closed)",
      ]
    )
  }

  @Test func `a removal and a clearing leave nothing, and what was before is told`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let landed = try scribe.land(scribe.begin())
    let removed = try scribe.remove()
    try scribe.open("https://b.example")
    let reader = try scribe.finish()
    let story = try #require(try story(reader))
    #expect(story.now == nil && story.gave?.entry.seq.value == removed)
    #expect(seqs(story.before) == [landed])
    #expect(try self.story(reader, at: landed)?.gave?.entry.seq.value == landed)

    let other = try Scribe()
    try other.open()
    let kept = try other.land(other.begin())
    let cleared = try other.bump(.cleared)
    let gone = try #require(try self.story(other.finish()))
    #expect(gone.now == nil && gone.gave?.entry.seq.value == cleared)
    #expect(seqs(gone.before) == [kept])
  }

  @Test func `a copy outlives the incarnation that wrote it`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let landed = try scribe.land(scribe.begin())
    try scribe.begin("/other")
    try scribe.retire()
    let again = try scribe.stage(
      Draft(
        StoreOpened(scope: Scope("https://a.example"), previous: Seq(1)),
        key: IdempotencyKey("again"),
        store: .opening,
        time: DeviceTime(milliseconds: 50)
      )
    )
    let open = try scribe.begin(in: again)
    let reader = try scribe.finish()
    let story = try #require(try story(reader))
    #expect(story.gave?.entry.seq.value == landed)
    #expect(seqs(story.open) == [open])
    let lost = try #require(try self.story(reader, "/other"), "named in the first incarnation")
    #expect(lost.open.isEmpty, "what began in a store that is over is not in flight")
  }

  @Test func `a suppressed answer makes the copy suspect until the next write`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let sent = try scribe.send("/notes")
    let landed = try scribe.land(scribe.begin())
    let suppressed = try scribe.suppress(sent, .late, witness: landed, "/notes")
    let before = try scribe.bump(.answer, cause: suppressed)
    try scribe.land(scribe.begin())
    let reader = try scribe.finish()
    #expect(try story(reader, at: before)?.suspect == Seq(suppressed))
    #expect(try story(reader)?.suspect == nil)
    #expect(try story(reader, at: before)?.gave?.entry.seq.value == landed)
  }

  @Test func `a clearing settles what was suspect in an earlier incarnation`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let sent = try scribe.send("/notes")
    let landed = try scribe.land(scribe.begin())
    try scribe.bump(.answer, cause: scribe.suppress(sent, .late, witness: landed, "/notes"))
    let again = try scribe.stage(
      Draft(
        StoreOpened(scope: try Scope("https://a.example"), previous: Seq(1)),
        key: try IdempotencyKey("again"),
        store: .opening,
        time: DeviceTime(milliseconds: 50)
      )
    )
    try scribe.bump(.cleared, in: again)
    // An answer writes the path and settles nothing itself.
    let change = try scribe.send("/notes", in: again)
    let answered = try scribe.answer(change, copies: [("/notes", nil)], in: again)
    let story = try #require(try story(scribe.finish()))
    #expect(story.gave?.entry.seq.value == answered)
    #expect(story.suspect == nil)
  }

  @Test func `depth is kept: so many writes, so many entries`() throws {
    let scribe = try Scribe()
    try scribe.open()
    for _ in 0..<30 { try scribe.land(scribe.begin()) }
    let reader = try scribe.finish()
    #expect(try story(reader, depth: .init(writesMax: 0))?.before.isEmpty == true)
    #expect(try story(reader, depth: .init(writesMax: 7))?.before.count == 7)
    #expect(try story(reader, depth: .init(writesMax: 50))?.before.count == 29)
    let short = try #require(try story(reader, depth: .init(writesMax: 50, entriesMax: 10)))
    #expect(short.before.count < 6)
  }

  @Test func `damage on the way is a finding, and what was seen is told`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.land(scribe.begin())
    try scribe.commit()
    let middle = try scribe.land(scribe.begin())
    try scribe.commit()
    let last = try scribe.land(scribe.begin())
    _ = try scribe.finish()
    try scribe.place.flipBit(inEntry: middle)
    let story = try #require(try story(try scribe.place.read(), depth: .init(writesMax: 5)))
    #expect(story.gave?.entry.seq.value == last)
    #expect(story.findings.map(\.code) == [.blockDamaged])
  }

  // MARK: Against the fold

  @Test func `at every entry it says what the shelf holds`() throws {
    let seed = testSeed()
    for round in 0..<6 as Range<UInt64> {
      let reader = try randomShelf(seed &+ round)
      let context = EntryContext(reader)
      var projector = Projector(Shelf.self)
      for end in stride(from: 1, through: reader.last.value, by: 3) {
        try projector.run(reader, through: Seq(end))
        for store in projector.state.stores {
          for path in try ["/a", "/b", "/c"].map({ try Path($0) }) {
            let story = try Why.stories(
              of: path,
              in: { $0 == store.scope },
              through: Seq(end),
              context
            ).first
            let copy = store.copy(of: path)
            #expect(story?.now?.body == copy?.body, "\(path) of \(store.scope) at \(end)")
            #expect(story?.now?.revision == copy?.revision, "\(path) at \(end)")
            if let copy { #expect(story?.gave?.entry.seq == copy.seq, "\(path) at \(end)") }
            let suspect = store.record(of: path)?.suspect
            #expect(story?.suspect == suspect, "\(path) of \(store.scope) at \(end)")
          }
        }
      }
    }
  }

  /// A few hundred submissions, decided by the shelf itself.
  private func randomShelf(_ seed: UInt64) throws -> JournalReader {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: seed)
    var state = Shelf.empty
    for number in 0..<220 {
      let submission = try submission(state, number, &chance)
      guard
        let drafts = try? Shelf.decide(
          submission,
          on: state,
          key: IdempotencyKey("s\(number)"),
          at: DeviceTime(milliseconds: Int64(number))
        )
      else { continue }
      for outcome in try journal.append(drafts, durability: .lazy) {
        guard let seq = outcome.seq, let entry = try journal.entry(at: seq) else { continue }
        try Shelf.evolve(&state, by: entry)
      }
    }
    try journal.close()
    return try place.read()
  }

  private func submission(
    _ state: ShelfState,
    _ number: Int,
    _ chance: inout SeededGenerator
  ) throws -> Shelf.Submission {
    let live = state.stores.filter { $0.retired == nil }
    let scope = try Scope(Bool.random(using: &chance) ? "https://a.example" : "https://b.example")
    guard let store = live.randomElement(using: &chance) else {
      return .open(scope, software: nil)
    }
    let path = try Path(["/a", "/b", "/c"][Int.random(in: 0..<3, using: &chance)])
    let body = BodyReference.sample(UInt64(number) + 1)
    let revision = Bool.random(using: &chance) ? UInt64.random(in: 1..<9, using: &chance) : nil
    let reads = Array(state.reads.keys)
    let changes = state.mutations.filter { !state.isOver($0.value.incarnation) }.map(\.key)
    switch Int.random(in: 0..<20, using: &chance) {
    case 0: return .open(scope, software: nil)
    case 1: return .retire(store.opening, .closed)
    case 2: return .bump(store.opening, Bool.random(using: &chance) ? .cleared : .requested)
    case 3: return .keep(path, in: store.opening, body, mediaType: nil)
    case 4: return .remove(path, in: store.opening, .requested)
    case 5...8: return .begin(path, in: store.opening, label: nil)
    case 9...11:
      return .send(
        .init(path: path, method: "PUT", touches: [Touch(.exact, path)]),
        in: store.opening
      )
    case 12...15 where !reads.isEmpty:
      let begin = reads.sorted()[Int.random(in: 0..<reads.count, using: &chance)]
      return .reply(to: begin, .init(body: body, revision: revision))
    default:
      guard !changes.isEmpty else { return .begin(path, in: store.opening, label: nil) }
      let sent = changes.sorted()[Int.random(in: 0..<changes.count, using: &chance)]
      let copies = [Shelf.Answer.Copy(path: path, body: body, revision: revision)]
      return .answer(
        to: sent,
        Bool.random(using: &chance) ? .init(copies: copies) : .init(removals: [path])
      )
    }
  }
}
