internal import TidemarkEntries
internal import TidemarkJSON
internal import TidemarkProjections
internal import TidemarkStores

extension ScenarioRun {
  func playShelf(_ event: ScenarioEvent, _ shelf: TidemarkStores.Shelf) async throws {
    switch event.name {
    case "begin": try await begin(event, shelf)
    case "land": try await land(event, shelf)
    case "fail":
      for read in reads(answeredBy: try event.text("t")) {
        try await end(read.name, .failed, shelf)
      }
    case "page": try await page(event, shelf)
    case "mutate": try await mutate(event, shelf)
    case "clearCache": await telling("bumped") { try await shelf.clear() }
    default: throw ScenarioError("nobody plays it")
    }
  }

  private func begin(_ event: ScenarioEvent, _ shelf: TidemarkStores.Shelf) async throws {
    let name = try event.text("t")
    let path = try path(event.text("path"))
    var flight = Array(name.utf8)
    if let join = try event.optionalText("join"), let other = tickets[Array(join.utf8)],
      shelf.mayJoin(other.ticket, for: path)
    {
      flight = other.flight
    }
    let copy = try shelf.copy(of: path).flatMap { try shelf.content(of: $0) }
      .flatMap { JSONValue(content: $0) }
    await telling("began") {
      let ticket = try await shelf.begin(path)
      tickets[Array(name.utf8)] = OpenTicket(
        ticket: ticket,
        flight: flight,
        name: name,
        copy: copy
      )
    }
  }

  /// A reply answers every read that waits for its request.
  private func land(_ event: ScenarioEvent, _ shelf: TidemarkStores.Shelf) async throws {
    let revision = try event.optionalCount("rev")
    for read in reads(answeredBy: try event.text("t")) {
      guard let body = try body(event, for: read) else {
        try await end(read.name, .malformed, shelf)
        continue
      }
      await telling("landed") {
        let reply = TidemarkStores.Shelf.Reply(body.encoded, revision: revision)
        settle(read.name, try await shelf.land(read.ticket, reply))
      }
    }
  }

  /// The reads that wait for the request of a read, in the order in which they began.
  private func reads(answeredBy name: String) -> [OpenTicket] {
    guard let flight = tickets[Array(name.utf8)]?.flight else { return [] }
    let waiting = tickets.filter { $0.value.flight == flight }
    // A begin that went with the power is of a process that is gone: its reply is nobody's.
    for (name, read) in waiting where !isKnown(read.ticket) {
      tickets[name] = nil
      told.receipts.append(.init(read.name, .string("refused:retired")))
    }
    return waiting.values.filter { isKnown($0.ticket) }
      .sorted { $0.ticket.begin < $1.ticket.begin }
  }

  private func isKnown(_ ticket: Ticket) -> Bool {
    guard let stores else { return false }
    return stores.live.view.read { states in
      states.shelf.reads[ticket.begin]?.incarnation == ticket.incarnation
    }
  }

  /// What a reply brings for a read; nothing if it does not decode.
  private func body(_ event: ScenarioEvent, for read: OpenTicket) throws -> JSONValue? {
    if let items = event["append"] {
      guard event["body"] == nil else { throw ScenarioError("it has 'body' or 'append'") }
      return .array((read.copy?.elements ?? []) + items.elements)
    }
    guard let body = event["body"] else { throw ScenarioError("it has 'body' or 'append'") }
    if case .bool(true)? = body["!malformed"] { return nil }
    return body
  }

  private func end(_ name: String, _ reason: ReadRefused.Reason, _ shelf: TidemarkStores.Shelf)
    async throws
  {
    guard let read = tickets[Array(name.utf8)] else { return }
    await telling("refused") { settle(name, try await shelf.end(read.ticket, reason)) }
  }

  private func page(_ event: ScenarioEvent, _ shelf: TidemarkStores.Shelf) async throws {
    let name = try event.text("t")
    guard let items = event["items"], case .array = items else {
      throw ScenarioError("'items' is a list")
    }
    let isLast = try event.flag("last")
    guard let read = tickets[Array(name.utf8)] else { return }
    await telling("received") {
      switch try await shelf.page(read.ticket, TidemarkStores.Shelf.Reply(items.encoded)) {
      case .taken:
        if isLast { settle(name, try await shelf.assemble(read.ticket)) }
      case .refused(let reason, let witness):
        if reason == .failed { told.problems.append("repeated-page") }
        settle(name, .refused(reason, witness: witness))
      }
    }
  }

  private func settle(_ name: String, _ landing: TidemarkStores.Shelf.Landing) {
    tickets[Array(name.utf8)] = nil
    let receipt =
      switch landing {
      case .landed: "landed"
      case .refused(let reason, _): "refused:\(reason.rawValue)"
      }
    told.receipts.append(.init(name, .string(receipt)))
  }

  private func mutate(_ event: ScenarioEvent, _ shelf: TidemarkStores.Shelf) async throws {
    let path = try path(event.text("path"))
    let revision = try event.optionalCount("rev")
    let reply = event["body"].map { TidemarkStores.Shelf.Reply($0.encoded, revision: revision) }
    let row = try event["row"].map { try rowChange($0) }
    await telling("answered") {
      let sent = try await shelf.send(TidemarkStores.Shelf.Change("PUT", path))
      let answer = TidemarkStores.Shelf.Answer(copies: reply.map { [(path, $0)] } ?? [], row: row)
      try await shelf.answer(sent, answer)
    }
  }

  private func rowChange(_ value: JSONValue) throws -> TidemarkStores.Shelf.RowChange {
    guard let list = value["list"]?.text, let row = value["value"], let id = row["id"] else {
      throw ScenarioError("'row' has a 'list', and a 'value' with an 'id'")
    }
    return TidemarkStores.Shelf.RowChange(
      try path(list),
      ItemID(id.text ?? id.json),
      row: row.encoded
    )
  }
}
