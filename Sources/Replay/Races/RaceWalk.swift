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

  typealias Sent = StoreChanges.Sent
  typealias Answered = StoreChanges.Answered

  struct Landing {
    var seq: Seq
    var begin: Seq?
    var change: Race.Change?
    var body: BodyReference?
  }

  struct StorePathKey: Hashable {
    var store: Seq
    var path: Path
  }

  /// What a user did, and the first attempt of it.
  struct Work {
    var path: Path
    var kind: MutationSent
    var sent: Seq?
  }

  /// A late reply, with what tells how late it was.
  struct Candidate {
    var race: Race
    var late: BodyReference?
    var changes: [Answered] = []

    /// Other changes that touch the path: in flight, or answered before it began.
    var others: [Answered] = []
    var inFlight: [Sent] = []
    var landings: [Landing] = []
    var newer: BodyReference?
    var before: BodyReference?
    var place: StorePathKey
  }

  var documents: DocumentCache
  var scopes: [Seq: Scope] = [:]
  var begins: [Seq: Begin] = [:]
  var stores: [Seq: StoreChanges] = [:]

  /// What waits in the outbox, by its `outbox-enqueued` entry, and its first attempts.
  var work: [Seq: Work] = [:]

  /// The store of each change in flight.
  var origins: [Seq: Seq] = [:]

  /// The change that the entries of the current append are about, once one has settled it.
  var settled: Sent?

  /// The last landings of each store, whatever their path.
  var recent: [Seq: [Landing]] = [:]
  var landings: [StorePathKey: [Landing]] = [:]

  /// What stands at each path of a store, as far as it was written there.
  var copies: [Seq: [Path: BodyReference]] = [:]

  /// The late replies that no later landing has healed yet are known by their places here.
  var races: [Race] = []
  var unhealed: [StorePathKey: [Int]] = [:]
  var findings: [Finding] = []
  var reads = 0
  var changes = 0
  var policies: [String] = []

  static let changesMax = 128
  static let othersMax = 16
  static let landingsMax = 4
  static let recentMax = 16

  init(_ reader: JournalReader) {
    documents = DocumentCache(reader)
  }

  /// Takes note of an entry.
  ///
  /// - Returns: the late reply that it is, to be judged by its contents.
  /// - Throws: ``EntryError`` if the entry cannot be read.
  mutating func visit(_ entry: Entry) throws(EntryError) -> Candidate? {
    if let imported = try entry.decode(Imported.self), !policies.contains(imported.policy),
      policies.count < RaceWalk.othersMax
    {
      policies.append(imported.policy)
    }
    guard let store = entry.store else { return nil }
    switch entry.kind {
    case MutationAnswered.number, MutationSuppressed.number, GenerationBumped.number,
      OutboxCopied.number:
      break
    default: settled = nil
    }
    switch entry.kind {
    case StoreOpened.number: scopes[store] = try entry.decode(StoreOpened.self)?.scope
    case ReadBegan.number: try begin(entry, store)
    case ReadLanded.number:
      guard let landed = try entry.decode(ReadLanded.self) else { break }
      try land(entry, store, landed.begin, landed.body)
    case ListAssembled.number:
      guard let list = try entry.decode(ListAssembled.self) else { break }
      try land(entry, store, list.begin, list.body)
    case ReadRefused.number: return try refuse(entry, store)
    case MutationSent.number: try send(entry, store)
    case MutationAnswered.number:
      guard let answered = try entry.decode(MutationAnswered.self) else { break }
      try answer(entry, store, answered)
    case OutboxEnqueued.number: try enqueue(entry)
    case OutboxSent.number: try attempt(entry, store)
    case OutboxCopied.number: try copy(entry, store)
    case OutboxRetired.number, OutboxDiscarded.number: entry.item.map { forget($0) }
    case MutationSuppressed.number: return try suppress(entry, store)
    case CopyStored.number, CopyRemoved.number:
      guard let path = try entry.paths.first?.path else { break }
      copies[store, default: [:]][path] = try entry.decode(CopyStored.self)?.body
    case GenerationBumped.number:
      if try entry.decode(GenerationBumped.self)?.reason == .cleared { copies[store] = nil }
    case MutationFailed.number:
      if let failed = try entry.decode(MutationFailed.self) { _ = end(failed.mutation) }
    default: break
    }
    return nil
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
    stores[store, default: StoreChanges()].begin(entry.seq)
  }

  private mutating func land(
    _ entry: Entry,
    _ store: Seq,
    _ begin: Seq,
    _ body: BodyReference
  ) throws(EntryError) {
    guard let path = try entry.paths.first?.path else { return }
    begins[begin] = nil
    copies[store, default: [:]][path] = body
    note(Landing(seq: entry.seq, begin: begin, body: body), entry, store, path)
    forgetAnswers(of: store)
  }

  /// Keeps the last writes of a path and of the store, and heals the races that the path had.
  mutating func note(_ landing: Landing, _ entry: Entry, _ store: Seq, _ path: Path) {
    let place = StorePathKey(store: store, path: path)
    landings[place] = (landings[place] ?? []).suffix(RaceWalk.landingsMax - 1) + [landing]
    recent[store] = (recent[store] ?? []).suffix(RaceWalk.recentMax - 1) + [landing]
    for index in unhealed.removeValue(forKey: place) ?? [] {
      races[index].healed = (entry.seq, entry.time)
    }
  }

  /// Whether the copy at `path` is `late`: a journal keeps each content once.
  func keeps(_ late: BodyReference?, at path: Path, _ store: Seq) -> Bool {
    guard let late, late.id > 0, late.isWhole else { return false }
    return copies[store]?[path] == late
  }

  /// A late reply of a path takes the place of the one before it.
  mutating func overtake(at place: StorePathKey, by entry: Entry) {
    guard let index = unhealed[place]?.last, races[index].overtaken == nil else { return }
    races[index].overtaken = (entry.seq, entry.time)
  }

  mutating func add(_ race: Race, at place: StorePathKey) {
    unhealed[place, default: []].append(races.count)
    races.append(race)
  }

  mutating func forgetAnswers(of store: Seq) {
    stores[store]?.forgetAnswers { begins[$0] != nil }
  }
}
