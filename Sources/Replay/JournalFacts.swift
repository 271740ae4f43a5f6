package import TidemarkEntries

/// A read or a change that has begun and not ended.
package struct OpenTicket {
  /// The entry that began it.
  package var seq: Seq
  package var store: Int
  package var path: Int
  package var isRead: Bool

  /// What the recorder's counter said; a name for people, nothing is judged by it.
  package var generation: UInt64 = 0

  /// What a change declared that it touches.
  package var touches: [Touch]?
}

/// Where things stand before an entry, by the positions of the entries before it.
///
/// Made of seqs alone: no counter of the recorder, no rule. The checks compare; this remembers.
/// Memory goes with the paths of each scope and with what is in flight.
package struct JournalFacts {
  /// One incarnation of a scope.
  ///
  /// One whose opening is lost has a scope of its own, without a name, up to the next opening: that
  /// names the incarnation before it.
  package struct Store {
    package let opening: Seq

    /// The number of its scope.
    package let scope: Int

    /// The entry that ended it: its retirement, or the next opening of its scope.
    package internal(set) var end: Seq?

    package internal(set) var lastFence: Seq?
    package internal(set) var fences = FenceLog()
    var openReads = 0
  }

  /// What is known of a path in one incarnation.
  package struct PathFacts {
    /// The last entry that names it.
    package var naming: Seq?

    /// The last entry that began a read of it or wrote it.
    package var use: Seq?

    /// The last read of it that began.
    package var begin: Seq?

    /// The last read or change of it that ended, and where.
    package var end: (ticket: Seq, seq: Seq)?

    /// How many reads and changes of it are in flight.
    var inFlight = 0
  }

  /// The highest revision that was written to a path, and where.
  package struct Floor {
    package var revision: UInt64
    package var seq: Seq
  }

  /// The last write of a path, in whatever incarnation, and whether it said a revision.
  package struct Write {
    package var seq: Seq
    package var hasRevision: Bool
  }

  /// A page of a list whose read is in flight.
  package struct Page {
    package var seq: Seq

    /// How many rows came with it, and the names of those that no page before had.
    package var count: UInt64
    package var rowKeys: [UInt8]
  }

  /// The entries of the answer to a change, up to the one before.
  package struct Answer {
    package var first: Seq
    package var last: Seq
    package var mutation: Seq
    package var store: Int
    package var ticket: OpenTicket?

    /// Whether a bump is to follow: not if the store is over.
    package var bumps: Bool

    /// The item of the outbox that it is the answer to, if it is to one.
    package internal(set) var delivery: Seq?
  }

  package internal(set) var stores: [Store] = []
  package internal(set) var tickets: [Seq: OpenTicket] = [:]
  package internal(set) var answer: Answer?
  package internal(set) var outbox = OutboxFacts()
  package internal(set) var pins = PinsFacts()

  /// The pages of the lists that are being read, by the begin of the read.
  package internal(set) var pages: [Seq: [Page]] = [:]

  /// The passes of copying that began.
  var passes = SeqSet()
  var paths = PathNumbers()
  var begun = SeqSet()

  private var numbers: [Seq: Int] = [:]

  /// The names of the scopes; none for one that no opening is known of.
  private var scopes: [Scope?] = []
  private var scopeNumbers: [Scope: Int] = [:]

  /// By scope: the last incarnation, and the last entry that made its floors void.
  private var present: [Int] = []
  private var cleared: [Seq] = []

  /// By path: what is known in the last incarnation that named it, and which one that is.
  private var known: [(store: Int, facts: PathFacts)] = []
  private var floors: [Floor?] = []
  private var writes: [Write?] = []

  /// What is known of the paths of earlier incarnations that something is in flight for.
  private var late: [LatePath: PathFacts] = [:]

  private struct LatePath: Hashable {
    var store: Int
    var path: Int
  }

  var blind = BlindSpots()
}

// MARK: Asking

extension JournalFacts {
  /// The scope of a store; nothing if its opening is lost, and the next one too.
  package func scope(of store: Int) -> Scope? { scopes[stores[store].scope] }

  package func path(_ number: Int) -> Path { paths.path(number) }

  package func number(ofStore opening: Seq) -> Int? { numbers[opening] }

  /// What is known of a path in an incarnation; nothing if a later one has named it since, and
  /// nothing was in flight for it then.
  package func facts(of path: Int, in store: Int) -> PathFacts? {
    guard path < known.count, known[path].store >= store else { return PathFacts() }
    if known[path].store == store { return known[path].facts }
    return late[LatePath(store: store, path: path)]
  }

  /// The revision that a path may not go below, in whatever incarnation it was written.
  package func floor(of path: Int, in store: Int) -> Floor? {
    guard path < floors.count, let floor = floors[path],
      floor.seq > cleared[stores[store].scope], floor.seq > blind.lastDamage
    else { return nil }
    return floor
  }

  /// The last write of a path in a store that was not over.
  package func lastWrite(of path: Int) -> Write? { path < writes.count ? writes[path] : nil }

  /// The ticket as people write it: `3.7.211`.
  package func name(of ticket: OpenTicket) -> Ticket {
    Ticket(
      incarnation: stores[ticket.store].opening,
      generation: ticket.generation,
      begin: ticket.seq
    )
  }

  /// The item of the outbox that came by `seq`; nothing if damage may have held what became of it.
  func item(_ seq: Seq) -> OutboxFacts.Item? {
    seq > blind.lastDamage ? outbox.items[seq] : nil
  }

  /// The scope that an item of the outbox is for.
  func scope(of item: OutboxFacts.Item) -> Scope? { scopes[item.scope] }

  /// The pins of the scope of an entry.
  func pins(of judged: JudgedEntry) -> PinsFacts.List {
    judged.store.map { pins.list(of: stores[$0].scope) } ?? PinsFacts.List()
  }

  /// The scope of an entry, if it is of one and that is known.
  func scope(of judged: JudgedEntry) -> Scope? { judged.store.flatMap { scope(of: $0) } }

  /// Whether an entry at `seq` stands behind all damage, so that what came since is known.
  func isKnown(since seq: Seq) -> Bool { seq > blind.lastDamage }

  /// Whether the entry at `seq` is one that nothing is known of.
  package func isBlind(_ seq: Seq) -> Bool { blind.contains(seq) }

  /// Whether a read or a change began at `seq`, in flight or not.
  package func hasBegun(at seq: Seq) -> Bool { begun.contains(seq) }
}

// MARK: Remembering

extension JournalFacts {
  /// Gives the store that an entry opens its number; the one before it is still the present one.
  mutating func admit(_ opened: StoreOpened, at seq: Seq) {
    if let before = opened.previous.flatMap({ numbers[$0] }), self.scope(of: before) == nil {
      scopes[stores[before].scope] = opened.scope
      scopeNumbers[opened.scope] = stores[before].scope
    }
    let scope = scopeNumbers[opened.scope] ?? newScope(opened.scope)
    scopeNumbers[opened.scope] = scope
    add(seq, in: scope)
  }

  /// The number of the store that was opened at `seq`, also if the opening is lost.
  mutating func store(openedAt seq: Seq) -> Int? {
    if let number = numbers[seq] { return number }
    guard isBlind(seq) else { return nil }
    // What was written in the scope before it is not in order with what will be.
    blind.noteDamage(at: seq)
    add(seq, in: newScope(nil))
    return numbers[seq]
  }

  private mutating func add(_ opening: Seq, in scope: Int) {
    numbers[opening] = stores.count
    stores.append(Store(opening: opening, scope: scope))
  }

  /// A scope whose first incarnation is the one that is added next.
  private mutating func newScope(_ scope: Scope?) -> Int {
    scopes.append(scope)
    present.append(stores.count)
    cleared.append(Seq(0))
    return scopes.count - 1
  }

  /// The incarnation before `store` is over, if it was not before.
  mutating func open(_ store: Int) {
    let scope = stores[store].scope
    let before = present[scope]
    if before != store, stores[before].end == nil { stores[before].end = stores[store].opening }
    present[scope] = store
  }

  mutating func clear(_ store: Int, at seq: Seq) { cleared[stores[store].scope] = seq }

  mutating func setFloor(_ floor: Floor?, of path: Int) {
    while floors.count <= path { floors.append(nil) }
    floors[path] = floor
  }

  mutating func setWrite(_ write: Write, of path: Int) {
    while writes.count <= path { writes.append(nil) }
    writes[path] = write
  }

  /// Changes what is known of a path in an incarnation.
  mutating func update(_ path: Int, in store: Int, _ change: (inout PathFacts) -> Void) {
    while known.count <= path { known.append((store, PathFacts())) }
    if known[path].store < store {
      let (before, facts) = known[path]
      if facts.inFlight > 0 { late[LatePath(store: before, path: path)] = facts }
      known[path] = (store, PathFacts())
    }
    guard known[path].store > store else { return change(&known[path].facts) }
    let key = LatePath(store: store, path: path)
    guard var facts = late[key] else { return }
    change(&facts)
    late[key] = facts.inFlight > 0 ? facts : nil
  }
}
