package import TidemarkEntries
package import TidemarkJournalStore

/// What a journal, or a part of it, is made of: counts, refusals, and how long replies took.
///
/// All entries of the range are shown to it; those that are wanted are counted. The begin of a read
/// is known although it is not counted, so that the time to its reply can be told.
package struct Statistics {
  /// By what entries are counted.
  package enum Grouping: String, CaseIterable, Sendable {
    case kind
    case scope
    case writer
    case path
    case hour
  }

  /// What is counted of entries that belong together.
  package struct Group: Sendable {
    package var entries: UInt64 = 0
    package var begun: UInt64 = 0
    package var landed: UInt64 = 0
    package var refused: UInt64 = 0

    /// From the begin of a read to its landing.
    package var timeToReply = Durations()
  }

  /// A read or a change that has begun and not ended.
  package struct Open: Sendable {
    package var begin: Seq
    package var ticket: Ticket?
    package var path: Path?
    package var since: DeviceTime
  }

  package private(set) var total = Group()

  /// By the name that the grouping gives, such as `read-landed`; a path need not be text.
  package private(set) var groups: [[UInt8]: Group] = [:]

  /// How many reads were refused, by reason.
  package private(set) var refusals: [String: UInt64] = [:]

  private let grouping: Grouping
  private let filter: EntryFilter
  private let context: EntryContext

  private var reads: [Seq: Open] = [:]
  private var changes: [Seq: Open] = [:]
  private var items: [Seq: Open] = [:]

  package init(by grouping: Grouping, _ filter: EntryFilter, _ context: EntryContext) {
    self.grouping = grouping
    self.filter = filter
    self.context = context
  }

  /// The reads that are open, by their begin.
  package var openReads: [Open] { reads.values.sorted { $0.begin < $1.begin } }

  /// The changes that are open, by their sending.
  package var openChanges: [Open] { changes.values.sorted { $0.begin < $1.begin } }

  /// What waits in the outbox, by its enqueueing.
  package var openItems: [Open] { items.values.sorted { $0.begin < $1.begin } }

  /// Takes the next entry of the range.
  package mutating func take(_ entry: Entry) {
    let isWanted = filter.wants(entry, context)
    note(entry, isWanted)
    let duration = duration(to: entry)
    guard isWanted else { return }
    var reason: String?
    if let refused = entry.decoded(ReadRefused.self) {
      reason = refused.reason.rawValue
      refusals[refused.reason.rawValue, default: 0] += 1
    }
    func count(_ group: inout Group) {
      group.entries += 1
      if entry.kind == ReadBegan.number { group.begun += 1 }
      if entry.isLanding { group.landed += 1 }
      if reason != nil { group.refused += 1 }
      if let duration { group.timeToReply.add(duration) }
    }
    count(&total)
    count(&groups[name(of: entry), default: Group()])
  }

  /// What began is open until it ends.
  private mutating func note(_ entry: Entry, _ isWanted: Bool) {
    switch entry.kind {
    case ReadBegan.number where isWanted: reads[entry.seq] = open(entry)
    case MutationSent.number where isWanted: changes[entry.seq] = open(entry)
    case OutboxEnqueued.number where isWanted: items[entry.seq] = open(entry)
    case OutboxRetired.number, OutboxDiscarded.number:
      if let item = entry.item { items[item] = nil }
    default: break
    }
  }

  private func open(_ entry: Entry) -> Open {
    Open(
      begin: entry.seq,
      ticket: context.ticket(of: entry),
      path: ((try? entry.paths) ?? []).first?.path,
      since: entry.time
    )
  }

  /// How long the read took that lands by `entry`; whatever it ends is open no more.
  private mutating func duration(to entry: Entry) -> Int64? {
    if let sent = entry.mutation { changes[sent] = nil }
    guard entry.kind != ReadBegan.number, let begin = entry.begin else { return nil }
    let began = reads.removeValue(forKey: begin)?.since
    guard entry.isLanding else { return nil }
    return (began ?? context.entry(at: begin)?.time).map { began in
      let (start, end) = (began.milliseconds, entry.time.milliseconds)
      let (length, isBeyond) = end.subtractingReportingOverflow(start)
      return isBeyond ? (end < start ? .min : .max) : length
    }
  }

  private func name(of entry: Entry) -> [UInt8] {
    switch grouping {
    case .kind: Array(entry.kindName.utf8)
    case .scope: Array((context.scope(of: entry)?.description ?? "the journal itself").utf8)
    case .writer: Array(Hex.encode(context.reader.identity.writer).utf8)
    case .path: ((try? entry.paths) ?? []).first?.path.bytes ?? Array("no path".utf8)
    case .hour: Array("\(entry.time.description.prefix { $0 != ":" })Z".utf8)
    }
  }
}

/// Lengths of time in milliseconds; how often each came, so that a share of them can be told
/// exactly.
///
/// A clock that went back gives a length below zero.
package struct Durations: Sendable {
  private var counts: [Int64: UInt64] = [:]
  package private(set) var count: UInt64 = 0

  package init() {}

  package mutating func add(_ milliseconds: Int64) {
    counts[milliseconds, default: 0] += 1
    count += 1
  }

  /// The least length that `share` percent of all do not go beyond; nothing if there are none.
  ///
  /// - Complexity: O(*d* log *d*) in the different lengths.
  package func percentile(_ share: UInt64) -> Int64? {
    precondition((1...100).contains(share), "a share in percent")
    guard count > 0 else { return nil }
    // The nearest rank: 1 is the least, `count` the greatest.
    var rest = (count * share + 99) / 100
    for (length, times) in counts.sorted(by: { $0.key < $1.key }) {
      guard rest > times else { return length }
      rest -= times
    }
    return nil
  }
}

extension Entry {
  /// Whether a read has brought the copy of its path by this entry.
  fileprivate var isLanding: Bool {
    kind == ReadLanded.number || kind == ListAssembled.number
  }
}
