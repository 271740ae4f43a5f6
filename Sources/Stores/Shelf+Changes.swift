public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

extension Shelf {
  /// A change that is about to be sent to the server.
  public struct Change: Sendable {
    /// What it changes.
    public var path: Path

    /// The method of the request, such as `PUT`.
    public var method: String

    /// What its answer makes late; nothing declared means every read in flight.
    public var touches: [Touch]?

    /// The content of the request, if it is to be kept.
    public var content: [UInt8]?

    /// A word for people.
    public var label: String?

    public init(
      _ method: String,
      _ path: Path,
      touches: [Touch]? = nil,
      content: [UInt8]? = nil,
      label: String? = nil
    ) {
      self.path = path
      self.method = method
      self.touches = touches
      self.content = content
      self.label = label
    }
  }

  /// What a server answered to a change that it took.
  public struct Answer: Sendable {
    /// The status, such as 201.
    public var status: UInt64

    /// The copies that it holds: the thing itself, and what else it says.
    public var copies: [(path: Path, reply: Reply)]

    /// Paths that have nothing any more.
    public var removals: [Path]

    /// The row that it changes in a saved list.
    public var row: RowChange?

    public init(
      status: UInt64 = 200,
      copies: [(path: Path, reply: Reply)] = [],
      removals: [Path] = [],
      row: RowChange? = nil
    ) {
      self.status = status
      self.copies = copies
      self.removals = removals
      self.row = row
    }
  }

  /// A row of a saved list that is another one now.
  public struct RowChange: Sendable {
    /// The list.
    public var list: Path

    /// The id of the row.
    public var id: ItemID

    /// The row as it is now, as JSON; nothing: it is gone.
    public var row: [UInt8]?

    /// What its id is called in a row.
    public var idName: String

    public init(_ list: Path, _ id: ItemID, row: [UInt8]?, idName: String = "id") {
      self.list = list
      self.id = id
      self.row = row
      self.idName = idName
    }
  }

  /// What became of an answer.
  public struct Answered: Sendable, Hashable {
    /// The paths that it wrote.
    public var written: [Path]

    /// The paths that it could not write, because something newer stands there: each copy is
    /// suspect until it is read again.
    public var suspect: [Path]
  }

  /// Writes down that a change is about to be sent; only then may its bytes leave.
  ///
  /// - Returns: the ticket of the change, for its answer.
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func send(_ change: Change) async throws(StoreError) -> Seq {
    try await submit(.authored) { (turn, store) throws(StoreError) in
      let body = try change.content.map { (content) throws(StoreError) in try turn.keep(content) }
      let sent = ShelfRules.Change(
        path: change.path,
        method: change.method,
        touches: change.touches,
        body: body,
        label: change.label
      )
      return try turn.decide(.send(sent, in: store), key: turn.freshKey("change"))[0]
    }
  }

  /// Takes the answer to a change: it makes reads late, and writes what nothing newer stands
  /// against, all in one append.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if the change was answered; ``StoreError/journal(_:)``.
  @discardableResult
  public func answer(_ sent: Seq, _ answer: Answer) async throws(StoreError) -> Answered {
    let stores = stores
    return try await stores.submit(.authored) { (turn) throws(StoreError) in
      let told = try turn.rules(answer, of: sent, stores)
      let seqs = try turn.decide(.answer(to: sent, told), key: turn.freshKey("answer"))
      return try turn.answered(at: seqs)
    }
  }

  /// Ends a change that the server did not take, or of which nothing is known.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if it was answered; ``StoreError/journal(_:)``.
  public func fail(
    _ sent: Seq,
    _ reason: MutationFailed.Reason,
    status: UInt64? = nil
  ) async throws(StoreError) {
    try await stores.submit(.authored) { (turn) throws(StoreError) in
      try turn.decide(
        .endChange(sent, reason, status: status, answer: nil),
        key: turn.freshKey("failure")
      )
    }
  }

  /// Makes every read in flight late: the server has changed, as the app knows from elsewhere.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func bump(_ reason: GenerationBumped.Reason = .requested) async throws(StoreError) {
    try await submit(.authored) { (turn, store) throws(StoreError) in
      try turn.decide(.bump(store, reason), key: turn.freshKey("bump"))
    }
  }

  /// Removes the copies of the scope, and nothing else: what a user has authored stays.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func clear() async throws(StoreError) { try await bump(.cleared) }

  // MARK: Bytes that never change

  /// Keeps bytes that never change under their path, such as a photo.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func keep(
    _ content: [UInt8],
    at path: Path,
    mediaType: String? = nil
  ) async throws(StoreError) {
    try await submit(.lazy) { (turn, store) throws(StoreError) in
      let body = try turn.keep(content)
      try turn.decide(
        .keep(path, in: store, body, mediaType: mediaType),
        key: turn.freshKey("bytes")
      )
    }
  }

  /// The bytes that never change of a path, decoded, without a request; nothing if there are none.
  ///
  /// A copy that does not decode reads as missing and is removed, so that the next one replaces it.
  ///
  /// - Throws: ``StoreError/journal(_:)``.
  public func immutable<Value: Sendable>(
    _ path: Path,
    decode: ([UInt8]) -> Value?
  ) async throws(StoreError) -> Value? {
    guard let copy = copy(of: path), copy.isImmutable else { return nil }
    if let content = try? content(of: copy), let value = decode(content) { return value }
    try await remove(path, .broken)
    return nil
  }

  /// Removes the copy of a path from the device; the server is not asked.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func remove(_ path: Path, _ reason: CopyRemoved.Reason = .requested)
    async throws(StoreError)
  {
    try await submit(.lazy) { (turn, store) throws(StoreError) in
      try turn.decide(.remove(path, in: store, reason), key: turn.freshKey("removal"))
    }
  }

  // MARK: Turning to another server

  /// Ends this store and opens another scope: no reply of one can meet the other.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func turn(to scope: Scope) async throws(StoreError) -> Shelf {
    let software = stores.options.software
    let opened = try await submit(.authored) { (turn, store) throws(StoreError) in
      try turn.decide(
        .turn(from: store, to: scope, software: software),
        key: turn.freshKey("turn")
      )[1]
    }
    return Shelf(stores, scope, opened)
  }

  /// Ends this store; its copies stay for the next time.
  ///
  /// - Throws: ``StoreError/over(_:)`` or ``StoreError/journal(_:)``.
  public func retire(_ reason: StoreRetired.Reason = .closed) async throws(StoreError) {
    try await submit(.authored) { (turn, store) throws(StoreError) in
      try turn.decide(.retire(store, reason), key: turn.freshKey("retirement"))
    }
  }
}

extension Turn {
  /// The answer with its contents kept, and the list whose row it changes as it is then.
  func rules(
    _ answer: Shelf.Answer,
    of sent: Seq,
    _ stores: Stores
  ) throws(StoreError) -> ShelfRules.Answer {
    var told = ShelfRules.Answer(status: answer.status, removals: answer.removals)
    for (path, reply) in answer.copies {
      told.copies.append(
        ShelfRules.Answer.Copy(path: path, body: try keep(reply.content), revision: reply.revision)
      )
    }
    if let row = answer.row, let list = try changed(row, of: sent, stores) {
      told.copies.append(ShelfRules.Answer.Copy(path: row.list, body: try keep(list)))
    }
    return told
  }

  private func changed(
    _ change: Shelf.RowChange,
    of sent: Seq,
    _ stores: Stores
  ) throws(StoreError) -> [UInt8]? {
    guard let opening = states.shelf.mutations[sent]?.incarnation,
      let copy = states.shelf.present(opening)?.record(of: change.list)?.copy
    else { return nil }
    let content: [UInt8]?
    do throws(JournalError) { content = try journal.content(of: copy.body) } catch {
      throw .journal(error)
    }
    return content.flatMap { JSONRows($0, idName: change.idName)?.replacing(change.id, change.row) }
  }

  func answered(at seqs: [Seq]) throws(StoreError) -> Shelf.Answered {
    var answered = Shelf.Answered(written: [], suspect: [])
    do throws(JournalError) {
      for seq in seqs {
        guard let entry = try journal.entry(at: seq) else { continue }
        for link in (try? entry.paths) ?? [] {
          if link.role == .write { answered.written.append(link.path) }
          if entry.kind == MutationSuppressed.number { answered.suspect.append(link.path) }
        }
      }
    } catch { throw .journal(error) }
    return answered
  }
}
