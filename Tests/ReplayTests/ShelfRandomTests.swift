import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

/// Random submissions to the real `decide` over a real journal, judged.
///
/// The judge objects to nothing that `decide` made, and objects to every decider that lets one kind
/// of refusal land. `SEED` repeats a run.
@Suite struct ShelfRandomTests {
  @Test func `the judge objects to nothing that was decided, and every fold is the same`() throws {
    let seed = testSeed()
    for run in 0..<60 {
      let stage = try RandomShelf(seed: seed &+ UInt64(run))
      try stage.play(steps: 150)
      let digest = Shelf.digest(of: stage.shelf.state)
      let reader = try stage.shelf.finish()
      let report = try Judge.judge(reader)
      #expect(report.findings == [], "run \(run)")
      #expect(report.entries == reader.last.value)
      var projector = Projector(Shelf.self)
      try projector.run(reader)
      #expect(Shelf.digest(of: projector.state) == digest, "run \(run)")
      #expect(projector.findings == [])
      // From any point on: half of it, and then the rest.
      var again = Projector(Shelf.self)
      try again.run(reader, through: Seq(reader.last.value / 2))
      try again.run(try stage.shelf.place.read())
      #expect(Shelf.digest(of: again.state) == digest, "run \(run)")
      #expect(try Verification.verify(reader).findings == [])
    }
  }

  @Test func `every rule is met often`() throws {
    let seed = testSeed()
    var instances: [String: UInt64] = [:]
    // The rarest rule is met about twice a run: far more often than is asked for in all.
    for run in 0..<60 {
      let stage = try RandomShelf(seed: seed &+ UInt64(run))
      try stage.play(steps: 400)
      for verdict in try Judge.judge(try stage.shelf.finish()).verdicts
      where !StoresRandomTests.isOfOtherStores(verdict) {
        instances[verdict.sentence, default: 0] += verdict.instances
      }
    }
    #expect(instances.count == 14)
    for (sentence, count) in instances { #expect(count > 30, "\(sentence)") }
  }

  @Test(arguments: Mutant.allCases)
  func `the judge objects to a decider without one of its rules`(mutant: Mutant) throws {
    let seed = testSeed("\(mutant)")
    var objections = 0
    var runs = 0
    for run in 0..<40 {
      let stage = try RandomShelf(seed: seed &+ UInt64(run), mutant)
      try stage.play(steps: 250)
      let report = try Judge.judge(try stage.shelf.finish())
      guard stage.passed.count > 0 else { continue }
      runs += 1
      if report.counts[mutant.code] ?? 0 >= stage.passed.count { objections += 1 }
    }
    #expect(runs > 10)
    #expect(objections == runs)
  }
}

/// A decider that lets one kind of refusal land.
enum Mutant: String, CaseIterable, CustomTestStringConvertible {
  case retired
  case generation
  case superseded
  case older
  case late
  case incomplete

  var testDescription: String { rawValue }

  /// What the judge calls what this decider lets through.
  var code: FindingCode {
    switch self {
    case .retired: .retiredLanding
    case .generation: .lateLanding
    case .superseded: .supersededLanding
    case .older: .revisionFell
    case .late: .lateAnswer
    case .incomplete: .listIncomplete
    }
  }

  /// What this decider makes of drafts that refuse what it lets through; nothing of others.
  func passing(
    _ drafts: [Draft],
    _ submission: Shelf.Submission,
    _ state: ShelfState
  ) throws -> [Draft]? {
    guard drafts.contains(where: isRefusal) else { return nil }
    switch submission {
    case .reply(let begin, let reply):
      let landed = ReadLanded(
        begin: begin,
        body: reply.body,
        status: reply.status,
        revision: reply.revision
      )
      return [redraft(drafts[0], as: landed, paths: drafts[0].paths.map { ($0.path, .write) })]
    case .assemble(let begin, let whole, let size):
      let list = ListAssembled(
        begin: begin,
        body: whole.body,
        status: whole.status,
        revision: whole.revision,
        pages: state.reads[begin]?.pages.map(\.seq) ?? [],
        pageSize: size
      )
      return [redraft(drafts[0], as: list, paths: drafts[0].paths.map { ($0.path, .write) })]
    case .answer(let sent, let answer):
      let copies = answer.copies.enumerated().map { index, copy in
        MutationAnswered.Copy(path: UInt64(index), body: copy.body, revision: copy.revision)
      }
      let removals = answer.removals.indices.map { UInt64(copies.count + $0) }
      let answered = MutationAnswered(
        mutation: sent,
        status: answer.status,
        copies: copies,
        removals: removals
      )
      let paths = answer.copies.map(\.path) + answer.removals
      var bump = try #require(drafts.last)
      bump.cause = .earlierInBatch(1)
      return [redraft(drafts[0], as: answered, paths: paths.map { ($0, .write) }), bump]
    default: return nil
    }
  }

  private func isRefusal(_ draft: Draft) -> Bool {
    switch draft.kind {
    case ReadRefused.number where self != .late:
      return (try? draft.decode(ReadRefused.self))?.reason.rawValue == rawValue
    case MutationSuppressed.number where self == .late:
      return (try? draft.decode(MutationSuppressed.self))?.reason == .late
    default: return false
    }
  }

  private func redraft(
    _ draft: Draft,
    as kind: some EntryKind,
    paths: [(path: Path, role: PathLink.Role)]
  ) -> Draft {
    Draft(
      kind,
      key: draft.key,
      store: draft.store,
      time: draft.time,
      cause: draft.cause,
      paths: paths
    )
  }
}

extension Draft {
  fileprivate func decode<Kind: EntryKind>(_ type: Kind.Type) throws -> Kind {
    var reader = try PayloadReader(payload, in: 0..<payload.count)
    return try Kind(from: &reader)
  }
}

/// Submits at random: few paths, few scopes, so that everything crosses.
final class RandomShelf {
  let shelf: LiveShelf
  private var chance: SeededGenerator

  /// How often the mutant let something through.
  let passed: Counter

  private var reads: [Seq] = []
  private var lists: [Seq] = []
  private var changes: [Seq] = []
  private var stores: [Seq] = []

  init(seed: UInt64, _ mutant: Mutant? = nil) throws {
    chance = SeededGenerator(seed: seed)
    let passed = Counter()
    shelf = try LiveShelf { submission, state, key, now in
      let drafts = try Shelf.decide(submission, on: state, key: key, at: now)
      guard let mutant, let other = try mutant.passing(drafts, submission, state) else {
        return drafts
      }
      passed.count += 1
      return other
    }
    self.passed = passed
  }

  final class Counter {
    var count: UInt64 = 0
  }

  func play(steps: Int) throws {
    for step in 0..<steps {
      try act()
      if step % 10 == 9 { try shelf.commit() }
    }
  }

  private func act() throws {
    guard let store = live() else { return try open() }
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<22: reads.append(try shelf.submit(.begin(path(), in: store, label: nil))[0].seq)
    case 22..<28: lists.append(try shelf.submit(.begin(path(), in: store, label: nil))[0].seq)
    case 28..<38: try readOn()
    case 38..<55: try endRead()
    case 55..<70:
      let change = Shelf.Change(path: try path(), method: "PUT", touches: try touches())
      changes.append(try shelf.submit(.send(change, in: store))[0].seq)
    case 70..<87: try endChange()
    case 87..<90: try shelf.submit(.bump(store, pick([.requested, .pushed, .cleared])))
    case 90..<92: try shelf.submit(.remove(path(), in: store, .requested))
    case 92..<94: try shelf.submit(.keep(path(), in: store, .sample(), mediaType: nil))
    case 94..<96:
      let entries = try shelf.submit(.turn(from: store, to: scope(), software: nil))
      stores.append(entries[1].seq)
    case 96..<98: try shelf.submit(.retire(store, .closed))
    default: try open()
    }
  }

  private func open() throws {
    stores.append(try shelf.submit(.open(scope(), software: nil))[0].seq)
  }

  /// A store that is open.
  private func live() -> Seq? {
    stores.filter { shelf.state.present($0)?.retired == nil && shelf.state.present($0) != nil }
      .randomElement(using: &chance)
  }

  private func endRead() throws {
    guard let begin = take(&reads) else { return }
    if Int.random(in: 0..<8, using: &chance) == 0 {
      let reason = pick([ReadRefused.Reason.malformed, .incomplete, .cancelled, .failed])
      try shelf.submit(.endRead(begin, reason, nil))
    } else {
      try shelf.submit(.reply(to: begin, Shelf.Reply(body: .sample(), revision: revision())))
    }
  }

  /// A page more of a list, or the end of it.
  private func readOn() throws {
    guard let begin = take(&lists) else { return }
    if Int.random(in: 0..<3, using: &chance) == 0 {
      let whole = Shelf.Reply(body: .sample(), revision: revision())
      return _ = try shelf.submit(.assemble(of: begin, whole, pageSize: pick([nil, 2])))
    }
    let rows = (0..<Int.random(in: 1...2, using: &chance)).map { _ in
      RowName(Digest(words: (UInt64.random(in: 0..<20, using: &chance), 0, 0, 0)))
    }
    try shelf.submit(.page(of: begin, Shelf.Page(body: .sample(), rowKeys: rows)))
    if shelf.state.reads[begin] != nil { lists.append(begin) }
  }

  private func endChange() throws {
    guard let sent = take(&changes) else { return }
    if Int.random(in: 0..<8, using: &chance) == 0 {
      let reason = pick([MutationFailed.Reason.rejected, .lost, .cancelled])
      return _ = try shelf.submit(.endChange(sent, reason, status: nil, answer: nil))
    }
    var paths: [Path] = []
    for _ in 0..<Int.random(in: 0...3, using: &chance) {
      let path = try path()
      if !paths.contains(path) { paths.append(path) }
    }
    let removals = paths.count > 1 && Bool.random(using: &chance) ? [paths.removeLast()] : []
    let copies = paths.map { Shelf.Answer.Copy(path: $0, body: .sample(), revision: revision()) }
    try shelf.submit(.answer(to: sent, Shelf.Answer(copies: copies, removals: removals)))
  }

  /// One of them, most often one of the last; some are never taken.
  private func take(_ seqs: inout [Seq]) -> Seq? {
    guard !seqs.isEmpty else { return nil }
    let index = max(0, seqs.count - 1 - Int.random(in: 0..<6, using: &chance))
    return seqs.remove(at: index)
  }

  private func pick<Item>(_ items: [Item]) -> Item {
    items[Int.random(in: 0..<items.count, using: &chance)]
  }

  private func scope() throws -> Scope { try Scope("https://\(pick(["a", "b", "c"])).example") }

  private func path() throws -> Path {
    try Path(pick(["/notes", "/notes/41", "/notes/41?full=1", "/notes/42", "/tides"]))
  }

  private func revision() -> UInt64? {
    Bool.random(using: &chance) ? nil : UInt64.random(in: 1...9, using: &chance)
  }

  private func touches() throws -> [Touch]? { try Touch.some(using: &chance) }
}
