public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

extension Shelf {
  /// What became of a page.
  public enum PageTaken: Sendable, Hashable {
    /// It is one of so many rows that no page before had.
    case taken(rows: Int)

    /// The read is over: the ticket is late, or the page only repeats rows that are known.
    case refused(ReadRefused.Reason, witness: Seq?)
  }

  /// Takes a page of a list; the copy is written by ``assemble(_:pageSize:revision:)``.
  ///
  /// - Parameters:
  ///   - ticket: of the read of the whole list.
  ///   - reply: a JSON array of rows.
  ///   - idName: what the id of a row is called.
  /// - Returns: what became of the page.
  /// - Throws: ``StoreError/invalid(_:)`` if it is no array, ``StoreError/unknown(_:)`` if the read
  ///   has ended, ``StoreError/journal(_:)``.
  public func page(
    _ ticket: Ticket,
    _ reply: Reply,
    idName: String = "id"
  ) async throws(StoreError) -> PageTaken {
    guard let rows = JSONRows(reply.content, idName: idName) else {
      throw .invalid("a page is a JSON array of rows")
    }
    let names = rows.names
    let landing = try await end(ticket, .lazy) { (turn) throws(StoreError) in
      let page = ShelfRules.Page(
        body: try turn.keep(reply.content),
        status: reply.status,
        rowKeys: names
      )
      let taken = try turn.decide(.page(of: ticket.begin, page), key: turn.freshKey("page"))
      #if DEBUG
        if !StoreRule.pagesComplete.isOn { try turn.showPart(of: ticket.begin, idName) }
      #endif
      return taken
    }
    switch landing {
    case .landed: return .taken(rows: names.count)
    case .refused(let reason, let witness): return .refused(reason, witness: witness)
    }
  }

  /// Writes the whole list, of all pages that were taken, as the copy of its path.
  ///
  /// Rows that a later page repeats are left out.
  ///
  /// - Parameters:
  ///   - ticket: of the read of the whole list.
  ///   - pageSize: how many rows a full page has; if it is given, a page that is short and not the
  ///     last makes the list incomplete.
  ///   - revision: the server's revision of the list.
  ///   - idName: what the id of a row is called.
  /// - Returns: what became of the list.
  /// - Throws: ``StoreError/unknown(_:)`` if the read has ended; ``StoreError/journal(_:)``.
  @discardableResult
  public func assemble(
    _ ticket: Ticket,
    pageSize: UInt64? = nil,
    revision: UInt64? = nil,
    idName: String = "id"
  ) async throws(StoreError) -> Landing {
    try await end(ticket, .lazy) { (turn) throws(StoreError) in
      let list = try turn.list(of: ticket.begin, idName)
      let whole = ShelfRules.Reply(body: try turn.keep(list), revision: revision)
      return try turn.decide(
        .assemble(of: ticket.begin, whole, pageSize: pageSize),
        key: turn.freshKey("list")
      )
    }
  }

  /// Reads a whole list page by page, and lands it.
  ///
  /// - Parameters:
  ///   - path: the list.
  ///   - pageSize: how many rows a full page of this server has: a shorter one is the last, so with
  ///     a number that is too high the first page would be taken for all.
  ///   - idName: what the id of a row is called.
  ///   - fetch: gets the page with an index, counted from 0.
  /// - Returns: what became of it; the previous complete copy stays if it was refused.
  /// - Throws: what `fetch` throws, and the read is ended then; ``StoreError``.
  public nonisolated(nonsending) func readList(
    _ path: Path,
    pageSize: Int,
    idName: String = "id",
    fetch: (_ index: Int) async throws -> Reply
  ) async throws -> Landing {
    try await readList(path, pageSize: pageSize, idName: idName, because: nil, fetch: fetch)
  }

  nonisolated(nonsending) func readList(
    _ path: Path,
    pageSize: Int,
    idName: String,
    because cause: Seq?,
    fetch: (_ index: Int) async throws -> Reply
  ) async throws -> Landing {
    let ticket = try await begin(path, because: cause)
    var index = 0
    while true {
      let reply: Reply
      do { reply = try await fetch(index) } catch {
        try await end(ticket, error is CancellationError ? .cancelled : .failed)
        throw error
      }
      guard let rows = JSONRows(reply.content, idName: idName) else {
        return try await end(ticket, .malformed, status: reply.status)
      }
      // Nothing at all behind a full page: the list ended with it.
      guard index == 0 || !rows.rows.isEmpty else { break }
      if case .refused(let reason, let witness) = try await page(ticket, reply, idName: idName) {
        return .refused(reason, witness: witness)
      }
      guard rows.rows.count >= pageSize else { break }
      index += 1
    }
    return try await assemble(ticket, pageSize: UInt64(pageSize), idName: idName)
  }

  /// Reads a path and lands what comes.
  ///
  /// - Returns: what became of it; the screen shows the copy, which is the same as before if the
  ///   reply was late.
  /// - Throws: what `fetch` throws, and the read is ended then; ``StoreError``.
  public nonisolated(nonsending) func read(
    _ path: Path,
    fetch: () async throws -> Reply
  ) async throws -> Landing {
    try await read(path, because: nil, fetch: fetch)
  }

  nonisolated(nonsending) func read(
    _ path: Path,
    because cause: Seq?,
    fetch: () async throws -> Reply
  ) async throws -> Landing {
    let ticket = try await begin(path, because: cause)
    let reply: Reply
    do { reply = try await fetch() } catch {
      try await end(ticket, error is CancellationError ? .cancelled : .failed)
      throw error
    }
    return try await land(ticket, reply)
  }
}

extension Turn {
  /// The list of all pages of a read, each row once.
  func list(of begin: Seq, _ idName: String) throws(StoreError) -> [UInt8] {
    guard let read = states.shelf.reads[begin] else {
      throw .unknown("no read that began at \(begin) is in flight")
    }
    var seen: Set<RowName> = []
    var rows: [[UInt8]] = []
    for page in read.pages {
      let content = try content(ofPage: page.seq)
      guard let page = JSONRows(content, idName: idName) else { continue }
      for (row, name) in zip(page.rows, page.names) where seen.insert(name).inserted {
        rows.append(Array(row.bytes))
      }
    }
    return JSONRows.list(rows)
  }
}
