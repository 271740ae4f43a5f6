public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// Device copies of what one server said to one account: one incarnation of one scope.
///
/// A reply becomes a copy only while its ticket is current, so an old answer never stands over a
/// newer one. Reading takes no time worth waiting for, on any thread; every change is in the
/// journal before it is shown.
public struct Shelf: Sendable {
  let stores: Stores

  /// The server and account.
  public let scope: Scope

  /// The seq of the opening: the name of this incarnation.
  public let store: Seq

  package init(_ stores: Stores, _ scope: Scope, _ store: Seq) {
    self.stores = stores
    self.scope = scope
    self.store = store
  }

  /// A reply that is to become a copy.
  public struct Reply: Sendable {
    /// The content, as it is to be shown again.
    public var content: [UInt8]

    /// The status of the answer, such as 200.
    public var status: UInt64

    /// The server's revision of the path, if it sends one.
    public var revision: UInt64?

    public init(_ content: [UInt8], status: UInt64 = 200, revision: UInt64? = nil) {
      self.content = content
      self.status = status
      self.revision = revision
    }
  }

  /// What became of a reply.
  public enum Landing: Sendable, Hashable {
    /// It is the copy of its path.
    case landed(Seq)

    /// It was not written; the screen keeps what it has.
    ///
    /// The witness is the entry that made it late, where one did.
    case refused(ReadRefused.Reason, witness: Seq?)
  }

  // MARK: Reading

  /// The copy of a path, if there is one.
  ///
  /// - Complexity: O(1); no disk is read.
  public func copy(of path: Path) -> Copy? {
    let store = store
    return stores.live.view.read { $0.shelf.copy(of: path, in: store) }
  }

  /// The content of a copy; nothing if it is not there any more.
  ///
  /// - Throws: ``StoreError/journal(_:)`` with code `damaged` or `storage`: show nothing, read
  /// again.
  /// - Complexity: O(*n*) in its length.
  public func content(of copy: Copy) throws(StoreError) -> [UInt8]? {
    do throws(JournalError) { return try stores.bodies.content(of: copy.body) } catch {
      throw .journal(error)
    }
  }

  /// Whether the last reply of the path could not be written down, so that its copy is older than
  /// it needs to be; until one is written.
  public func hasWriteFailure(_ path: Path) -> Bool {
    stores.live.view.hasWriteFailure(rowKey(of: path))
  }

  /// The paths that have a copy, in the order of bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the paths of the scope.
  public var paths: [Path] {
    let store = store
    return stores.live.view.read { states in
      guard let shelf = states.shelf.present(store) else { return [] }
      return shelf.records.indices.filter { shelf.records[$0].copy != nil }
        .map { shelf.paths.path($0) }
        .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
  }

  /// Whether the store may still be written to.
  public var isOpen: Bool {
    let store = store
    return stores.live.view.read { $0.shelf.present(store).map { $0.retired == nil } ?? false }
  }

  /// The generation: it goes up with every fence.
  public var generation: UInt64 {
    let store = store
    return stores.live.view.read { $0.shelf.present(store)?.generation ?? 0 }
  }

  /// The copy of a path each time that it may have changed, from here on.
  public func changes(of path: Path) -> Changes<Copy?> {
    Changes(stores.live.view, TidemarkProjections.Shelf.name, rowKey(of: path)) { _ in
      .some(copy(of: path))
    }
  }

  /// The paths that may have changed since the last time, from here on.
  public var changes: Changes<Set<Path>> {
    let number = number
    return Changes(stores.live.view, TidemarkProjections.Shelf.name, nil) { keys in
      let paths = keys.compactMap { key -> Path? in
        guard case .item(number, let bytes) = key else { return nil }
        return Path(canonical: bytes)
      }
      return paths.isEmpty ? nil : Set(paths)
    }
  }

  private var number: UInt32 {
    let store = store
    return stores.live.view.read { UInt32($0.shelf.incarnations[store]?.store ?? 0) }
  }

  func rowKey(of path: Path) -> RowKey { .item(number, path.bytes) }

  // MARK: Reads

  /// Begins a read: takes a ticket, and makes every earlier read of the path late.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func begin(_ path: Path, label: String? = nil) async throws(StoreError) -> Ticket {
    try await begin(path, label: label, because: nil)
  }

  /// `cause` is the pass that the read belongs to.
  func begin(
    _ path: Path,
    label: String? = nil,
    because cause: Seq?
  ) async throws(StoreError) -> Ticket {
    try await submit(.lazy) { (turn, store) throws(StoreError) in
      let begin = ShelfRules.Submission.begin(path, in: store, label: label)
      var drafts = try turn.shelfDrafts(for: begin, key: turn.freshKey("read"))
      drafts[0].cause = cause.map { .entry($0) }
      let seq = try turn.add(drafts)
      return Ticket(
        incarnation: store,
        generation: turn.states.shelf.present(store)?.generation ?? 0,
        begin: seq[0]
      )
    }
  }

  /// Lands a reply, or refuses it, with what made it late.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if the read has ended; ``StoreError/journal(_:)``. A
  ///   reply that could not be written is remembered: see ``hasWriteFailure(_:)``.
  @discardableResult
  public func land(_ ticket: Ticket, _ reply: Reply) async throws(StoreError) -> Landing {
    try await end(ticket, .lazy) { (turn) throws(StoreError) in
      let body = try turn.keep(reply.content)
      let whole = ShelfRules.Reply(body: body, status: reply.status, revision: reply.revision)
      return try turn.decide(.reply(to: ticket.begin, whole), key: turn.freshKey("landing"))
    }
  }

  /// Ends a read that brings no copy: it failed, was cancelled, or what came does not decode.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if the read has ended, or the reason is one that the
  ///   journal decides itself; ``StoreError/journal(_:)``.
  @discardableResult
  public func end(
    _ ticket: Ticket,
    _ reason: ReadRefused.Reason,
    status: UInt64? = nil
  ) async throws(StoreError) -> Landing {
    try await end(ticket, .lazy) { (turn) throws(StoreError) in
      let end = ShelfRules.Submission.endRead(ticket.begin, reason, nil, status: status)
      return try turn.decide(end, key: turn.freshKey("end"))
    }
  }

  /// Whether a flight that began with `ticket` may answer a read that begins now.
  ///
  /// Not if anything fenced it since: what it brings may be of before.
  public func mayJoin(_ ticket: Ticket, for path: Path) -> Bool {
    let store = store
    return stores.live.view.read { states in
      guard ticket.incarnation == store, let read = states.shelf.reads[ticket.begin],
        states.shelf.path(of: read) == path,
        let shelf = states.shelf.present(store), shelf.retired == nil
      else { return false }
      return !StoreRule.fenceNoJoin.isOn || shelf.fence(after: ticket.begin, covering: path) == nil
    }
  }

  /// Ends a read by what `work` appends, and tells what the last entry says.
  func end(
    _ ticket: Ticket,
    _ durability: Durability,
    _ work: @escaping @Sendable (Turn) throws(StoreError) -> [Seq]
  ) async throws(StoreError) -> Landing {
    do throws(StoreError) {
      return try await stores.submit(durability) { (turn) throws(StoreError) in
        let seqs = try work(turn)
        return try turn.landing(at: seqs[seqs.count - 1])
      }
    } catch {
      if case .journal = error { stores.live.view.noteWriteFailure(of: ticket.begin) }
      throw error
    }
  }

  @discardableResult
  func submit<Answer: Sendable>(
    _ durability: Durability,
    _ work: @escaping @Sendable (Turn, Seq) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    let (scope, store) = (scope, store)
    return try await stores.submit(durability) { (turn) throws(StoreError) in
      guard let present = turn.states.shelf.present(store), present.retired == nil else {
        throw .over(scope)
      }
      return try work(turn, store)
    }
  }
}

/// The rules of the shelf, which the live store and every replay share.
typealias ShelfRules = TidemarkProjections.Shelf

extension Turn {
  func landing(at seq: Seq) throws(StoreError) -> Shelf.Landing {
    let entry: Entry?
    do throws(JournalError) { entry = try journal.entry(at: seq) } catch { throw .journal(error) }
    guard let refused = entry?.decoded(ReadRefused.self) else { return .landed(seq) }
    return .refused(refused.reason, witness: refused.witness)
  }
}

extension ShelfState {
  /// The copy of a path, as the store that was opened at `opening` shows it.
  func copy(of path: Path, in opening: Seq) -> TidemarkStores.Copy? {
    guard let record = present(opening)?.record(of: path), let copy = record.copy else {
      return nil
    }
    return TidemarkStores.Copy(path, copy, isSuspect: record.suspect != nil)
  }
}
