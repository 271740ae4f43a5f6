internal import TidemarkEntries
internal import TidemarkJournalStore

/// The state of one pass over a journal.
struct RaceWalk {
  struct Begin {
    var seq: Seq
    var store: Seq
    var path: Path
    var time: DeviceTime
    var generation: UInt64
    var label: String?
  }

  struct Sent {
    var seq: Seq
    var store: Seq?
    var time: DeviceTime
    var path: Path
    var kind: MutationSent
  }

  /// A change that was answered, with what tells what it did.
  struct Answered {
    var change: Race.Change
    var touches: [Touch]?
    var removed: [Path] = []
    var answer: BodyReference?
    var sent: BodyReference?
  }

  struct Landing {
    var seq: Seq
    var begin: Seq?
    var change: Race.Change?
    var body: BodyReference?
  }

  /// The answers of a store that a read in flight may have missed.
  struct Answers {
    var known: [Answered] = []

    /// How many there may be before it is worth a look which matter no more.
    var limit = 64
  }

  struct StorePathKey: Hashable {
    var store: Seq
    var path: Path
  }

  /// A late reply, to be judged when the pass is over.
  struct Candidate {
    var race: Race
    var late: BodyReference?
    var changes: [Answered] = []

    /// Other changes that touch the path: in flight, or answered before it began.
    var others: [Answered] = []
    var inFlight: [Sent] = []
    var contents: [Landing] = []
    var newer: BodyReference?
    var before: BodyReference?
    var place: StorePathKey
  }

  let reader: JournalReader
  var scopes: [Seq: Scope] = [:]
  var begins: [Seq: Begin] = [:]
  var sent: [Seq: Sent] = [:]
  var answers: [Seq: Answers] = [:]

  /// The change that the entries of the current append are about, once one has settled it.
  var settled: Sent?

  /// The last landings of each store, whatever their path.
  var recent: [Seq: [Landing]] = [:]
  var landings: [StorePathKey: [Landing]] = [:]
  var candidates: [Candidate] = []
  var unhealed: [StorePathKey: [Int]] = [:]
  var findings: [Finding] = []

  /// The contents that were found wanting: each is told once.
  var faultyBodies: Set<UInt64> = []
  var reads = 0
  var changes = 0
  var policies: [String] = []

  static let answersMax = 16_384
  static let changesMax = 128
  static let othersMax = 16
  static let landingsMax = 4
  static let recentMax = 16

  init(_ reader: JournalReader) {
    self.reader = reader
  }

  mutating func visit(_ entry: Entry) throws(EntryError) {
    if let imported = try entry.decode(Imported.self), !policies.contains(imported.policy),
      policies.count < RaceWalk.othersMax
    {
      policies.append(imported.policy)
    }
    guard let store = entry.store else { return }
    switch entry.kind {
    case MutationAnswered.number, MutationSuppressed.number, GenerationBumped.number: break
    default: settled = nil
    }
    switch entry.kind {
    case StoreOpened.number: scopes[store] = try entry.decode(StoreOpened.self)?.scope
    case ReadBegan.number: try begin(entry, store)
    case ReadLanded.number: try land(entry, store)
    case ReadRefused.number: try refuse(entry, store)
    case MutationSent.number: try send(entry, store)
    case MutationAnswered.number: try answer(entry, store)
    case MutationSuppressed.number: try suppress(entry, store)
    case MutationFailed.number:
      if let failed = try entry.decode(MutationFailed.self) { sent[failed.mutation] = nil }
    default: return
    }
  }

  mutating func begin(_ entry: Entry, _ store: Seq) throws(EntryError) {
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

  mutating func land(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let landed = try entry.decode(ReadLanded.self), let path = try entry.paths.first?.path
    else { return }
    begins[landed.begin] = nil
    note(Landing(seq: entry.seq, begin: landed.begin, body: landed.body), entry, store, path)
    forgetAnswers(of: store)
  }

  /// Keeps the last writes of a path and of the store, and heals the races that the path had.
  mutating func note(_ landing: Landing, _ entry: Entry, _ store: Seq, _ path: Path) {
    let place = StorePathKey(store: store, path: path)
    landings[place] = (landings[place] ?? []).suffix(RaceWalk.landingsMax - 1) + [landing]
    recent[store] = (recent[store] ?? []).suffix(RaceWalk.recentMax - 1) + [landing]
    for index in unhealed.removeValue(forKey: place) ?? [] {
      candidates[index].race.healed = (entry.seq, entry.time)
    }
  }

  /// A late reply of a path takes the place of the one before it.
  mutating func overtake(at place: StorePathKey, by entry: Entry) {
    guard let index = unhealed[place]?.last, candidates[index].race.overtaken == nil else { return }
    candidates[index].race.overtaken = (entry.seq, entry.time)
  }

  mutating func add(_ candidate: Candidate) {
    unhealed[candidate.place, default: []].append(candidates.count)
    candidates.append(candidate)
  }

  /// Answers that came before every read in flight began matter no more.
  ///
  /// All reads in flight are looked at for that, so only when there are twice as many as were kept.
  mutating func forgetAnswers(of store: Seq) {
    guard let count = answers[store]?.known.count, let limit = answers[store]?.limit, count > limit,
      var kept = answers.removeValue(forKey: store)
    else { return }
    let oldest = begins.values.lazy.filter { $0.store == store }.map(\.seq).min() ?? Seq(.max)
    kept.known.removeAll { $0.change.answered <= oldest }
    kept.known.removeFirst(max(0, kept.known.count - RaceWalk.answersMax))
    kept.limit = max(64, 2 * kept.known.count)
    answers[store] = kept
  }
}
