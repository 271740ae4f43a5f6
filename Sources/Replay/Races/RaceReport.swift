package import TidemarkEntries
package import TidemarkJournalStore

/// What a fence kept off the screen: the late replies of a journal, and how sure it is.
///
/// Reads entries and contents only; it neither decides nor folds. For a journal made of a capture,
/// this is what an app without a fence has shown.
package struct RaceReport: Sendable {
  /// In the order of their refusals.
  package private(set) var races: [Race] = []

  /// How many reads began.
  package private(set) var reads = 0

  /// How many changes were answered.
  package private(set) var changes = 0

  /// What could not be read on the way.
  package private(set) var findings: [Finding] = []

  package func count(_ degree: Race.Degree) -> Int {
    races.count { $0.degree == degree }
  }

  /// Goes through a journal once.
  ///
  /// - Complexity: O(*n*) in the entries; contents are read for late replies only.
  package init(
    _ reader: JournalReader,
    from first: Seq = Seq(1),
    through last: Seq? = nil
  ) throws(JournalError) {
    var walk = RaceWalk(reader)
    findings = try reader.forEach(from: Seq(1), through: last) { (entry) throws(JournalError) in
      do throws(EntryError) { try walk.visit(entry) } catch {
        walk.findings.append(Finding(.entryMalformed, error.message, at: entry.seq))
      }
      return true
    } mapping: {
      $0
    }
    findings += walk.findings
    races = try walk.finish().filter { $0.refused >= first }
    reads = walk.reads
    changes = walk.changes
  }
}

/// The state of one pass over a journal.
struct RaceWalk {
  private struct Begin {
    var seq: Seq
    var store: Seq
    var path: Path
    var time: DeviceTime
    var generation: UInt64
    var label: String?
  }

  private struct Sent {
    var seq: Seq
    var time: DeviceTime
    var path: Path
    var kind: MutationSent
  }

  /// A change that was answered, with what tells what it did.
  private struct Answered {
    var change: Race.Change
    var touches: [Touch]?
    var isRemoval: Bool
    var answer: BodyReference?
    var sent: BodyReference?
  }

  private struct Landing {
    var seq: Seq
    var begin: Seq?
    var body: BodyReference?
  }

  private struct StorePathKey: Hashable {
    var store: Seq
    var path: Path
  }

  /// A late reply, to be judged when the pass is over.
  private struct Candidate {
    var race: Race
    var late: BodyReference?
    var changes: [Answered] = []
    var newer: BodyReference?
    var before: BodyReference?
    var place: StorePathKey
  }

  private let reader: JournalReader
  private var scopes: [Seq: Scope] = [:]
  private var begins: [Seq: Begin] = [:]
  private var sent: [Seq: Sent] = [:]
  private var answers: [Seq: [Answered]] = [:]
  private var landings: [StorePathKey: [Landing]] = [:]
  private var candidates: [Candidate] = []
  private var unhealed: [StorePathKey: [Int]] = [:]
  var findings: [Finding] = []
  private(set) var reads = 0
  private(set) var changes = 0

  init(_ reader: JournalReader) {
    self.reader = reader
  }

  mutating func visit(_ entry: Entry) throws(EntryError) {
    guard let store = entry.store else { return }
    switch entry.kind {
    case StoreOpened.number: scopes[store] = try entry.decode(StoreOpened.self)?.scope
    case ReadBegan.number: try begin(entry, store)
    case ReadLanded.number: try land(entry, store)
    case ReadRefused.number: try refuse(entry, store)
    case MutationSent.number: try send(entry)
    case MutationAnswered.number: try answer(entry, store)
    case MutationSuppressed.number: try suppress(entry, store)
    case MutationFailed.number:
      if let failed = try entry.decode(MutationFailed.self) { sent[failed.mutation] = nil }
    default: return
    }
  }

  private mutating func begin(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let began = try entry.decode(ReadBegan.self), let path = try entry.paths.first?.path
    else {
      return
    }
    reads += 1
    begins[entry.seq] = Begin(
      seq: entry.seq,
      store: store,
      path: path,
      time: entry.time,
      generation: began.generation,
      label: began.label
    )
  }

  private mutating func land(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let landed = try entry.decode(ReadLanded.self), let path = try entry.paths.first?.path
    else { return }
    begins[landed.begin] = nil
    note(Landing(seq: entry.seq, begin: landed.begin, body: landed.body), entry, store, path)
    forgetAnswers(of: store)
  }

  /// Keeps the last two writes of a path, and heals the races that it had.
  private mutating func note(_ landing: Landing, _ entry: Entry, _ store: Seq, _ path: Path) {
    let place = StorePathKey(store: store, path: path)
    landings[place] = (landings[place] ?? []).suffix(1) + [landing]
    for index in unhealed.removeValue(forKey: place) ?? [] {
      candidates[index].race.healed = (entry.seq, entry.time)
    }
  }

  /// Answers that came before every read in flight began matter no more.
  private mutating func forgetAnswers(of store: Seq) {
    guard let known = answers[store], known.count > 64 else { return }
    let oldest = begins.values.lazy.filter { $0.store == store }.map(\.seq).min()
    answers[store] = known.filter { $0.change.answered > oldest ?? Seq(.max) }
  }

  private mutating func send(_ entry: Entry) throws(EntryError) {
    guard let kind = try entry.decode(MutationSent.self), let path = try entry.paths.first?.path
    else { return }
    sent[entry.seq] = Sent(seq: entry.seq, time: entry.time, path: path, kind: kind)
  }

  private mutating func answer(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let answered = try entry.decode(MutationAnswered.self),
      let sent = sent.removeValue(forKey: answered.mutation)
    else { return }
    let links = try entry.paths
    let own = answered.copies.first { copy in
      copy.path < UInt64(links.count) && links[Int(copy.path)].path == sent.path
    }
    note(
      answered.status,
      of: sent,
      at: entry,
      store,
      answer: answered.answer ?? own?.body ?? answered.copies.first?.body
    )
    for copy in answered.copies where copy.path < UInt64(links.count) {
      let landing = Landing(seq: entry.seq, begin: nil, body: copy.body)
      note(landing, entry, store, links[Int(copy.path)].path)
    }
  }

  private mutating func note(
    _ status: UInt64,
    of sent: Sent,
    at entry: Entry,
    _ store: Seq,
    answer: BodyReference?
  ) {
    changes += 1
    answers[store, default: []].append(
      Answered(
        change: Race.Change(
          sent: sent.seq,
          answered: entry.seq,
          method: sent.kind.method,
          path: sent.path,
          label: sent.kind.label,
          sentAt: sent.time,
          answeredAt: entry.time,
          status: status
        ),
        touches: sent.kind.touches,
        isRemoval: sent.kind.method == "DELETE",
        answer: answer,
        sent: sent.kind.body
      )
    )
  }

  private mutating func suppress(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let suppressed = try entry.decode(MutationSuppressed.self),
      let sent = sent.removeValue(forKey: suppressed.mutation), let scope = scopes[store]
    else { return }
    let place = StorePathKey(store: store, path: try entry.paths.first?.path ?? sent.path)
    candidates.append(
      Candidate(
        race: Race(
          scope: scope,
          path: place.path,
          label: sent.kind.label,
          began: sent.seq,
          beganAt: sent.time,
          refused: entry.seq,
          refusedAt: entry.time,
          over: .write(suppressed.witness),
          degree: .possible,
          evidence: ""
        ),
        late: suppressed.answer,
        newer: landings[place]?.last?.body,
        place: place
      )
    )
    unhealed[place, default: []].append(candidates.count - 1)
    note(suppressed.status, of: sent, at: entry, store, answer: suppressed.answer)
  }

  private mutating func refuse(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let refused = try entry.decode(ReadRefused.self),
      let begin = begins.removeValue(forKey: refused.begin), let scope = scopes[store]
    else { return }
    let place = StorePathKey(store: store, path: begin.path)
    var race = Race(
      scope: scope,
      path: begin.path,
      label: begin.label,
      began: begin.seq,
      beganAt: begin.time,
      refused: entry.seq,
      refusedAt: entry.time,
      ticket: Ticket(incarnation: store, generation: begin.generation, begin: begin.seq),
      over: .write(refused.witness ?? entry.seq),
      degree: .possible,
      evidence: ""
    )
    var candidate = Candidate(race: race, late: refused.body, place: place)
    switch refused.reason {
    case .generation:
      candidate.changes = (answers[store] ?? []).filter { answered in
        answered.change.answered > begin.seq
          && answered.touches?.contains { $0.covers(begin.path) } ?? true
      }
      guard let first = candidate.changes.first else { return }
      race.over = .change(first.change)
    case .superseded:
      // Only a read that landed already can be overwritten.
      let known = landings[place] ?? []
      guard let newer = known.last, let other = newer.begin, other > begin.seq else { return }
      race.over = .read(begin: other, landed: newer.seq)
      candidate.newer = newer.body
      candidate.before = known.count > 1 ? known[known.count - 2].body : nil
    default: return
    }
    candidate.race = race
    candidates.append(candidate)
    unhealed[place, default: []].append(candidates.count - 1)
  }

  // MARK: Judging

  /// The races, judged by their contents.
  func finish() throws(JournalError) -> [Race] {
    var races: [Race] = []
    for candidate in candidates { races.append(try judged(candidate)) }
    return races
  }

  private func judged(_ candidate: Candidate) throws(JournalError) -> Race {
    var race = candidate.race
    let late = try content(candidate.late)
    guard !candidate.changes.isEmpty else {
      let evidence = Evidence.judge(
        late: late,
        newer: try content(candidate.newer),
        before: try content(candidate.before)
      )
      (race.degree, race.evidence) = (evidence.degree, evidence.reason)
      return race
    }
    // Several changes may have come between: the one that shows most counts.
    var worst: (evidence: Evidence, change: Race.Change)?
    for answered in candidate.changes {
      let evidence = Evidence.judge(
        late: late,
        at: race.path,
        over: ChangeContent(
          method: answered.change.method,
          path: answered.change.path,
          isRemoval: answered.isRemoval,
          answer: try content(answered.answer),
          sent: try content(answered.sent)
        )
      )
      if let known = worst, known.evidence.degree.rank <= evidence.degree.rank { continue }
      worst = (evidence, answered.change)
    }
    if let worst {
      race.over = .change(worst.change)
      (race.degree, race.evidence) = (worst.evidence.degree, worst.evidence.reason)
    }
    return race
  }

  private func content(_ body: BodyReference?) throws(JournalError) -> [UInt8]? {
    guard let body, body.isWhole, case .kept(let content) = try reader.body(body) else {
      return nil
    }
    return content
  }
}

extension Race.Degree {
  /// 0 for the worst.
  var rank: Int {
    switch self {
    case .certain: 0
    case .possible: 1
    case .unrelated: 2
    case .harmless: 3
    }
  }
}
