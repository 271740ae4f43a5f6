internal import TidemarkEntries
internal import TidemarkJSON
internal import TidemarkJournalStore
internal import TidemarkProjections
internal import TidemarkStores

extension ScenarioRun {
  /// All that can be said at the end of a story.
  func finalState() async throws -> JSONValue {
    if stores == nil {
      let problems = told.problems
      try await start()
      told.problems = problems
    }
    var members = [
      JSONValue.Member("active", .string(active?.description ?? "")),
      .init("shelf", try shelves()),
      .init("receipts", .object(told.receipts)),
      .init("outbox", outbox()),
      .init("retired", try retired()),
      .init("drains", .array(told.drains)),
      .init("sends", .object(told.sends)),
      .init("effects", byScope(server.effects) { .number(Double($0)) }),
      .init("serverValue", byScope(server.values) { $0 }),
      .init("serverPins", serverPins()),
      .init("pins", try await pins()),
    ]
    if let stores {
      members.append(.init("writer", .string("w\(await stores.live.identity.term)")))
      members.append(.init("readOnly", .bool(await stores.isReadOnly)))
    }
    members += told.results
    members.append(.init("problems", .array(told.problems.map { .string($0) })))
    return .object(members)
  }

  private func shelves() throws -> JSONValue {
    guard let stores else { return .object([]) }
    let states = stores.live.view.states
    let bodies = try BodyReader(device.journal)
    var members: [JSONValue.Member] = []
    for scope in scopes {
      guard let store = states.shelf.store(of: scope) else { continue }
      var copies: [JSONValue.Member] = []
      for index in store.records.indices {
        guard let copy = store.records[index].copy else { continue }
        // What is no JSON is a copy of an attached file.
        let content = try bodies.content(of: copy.body) ?? []
        guard let body = JSONValue(content: content) else { continue }
        let path = String(decoding: store.paths.path(index).bytes, as: UTF8.self)
        copies.append(.init(path, body))
      }
      members.append(.init(scope.description, .object(copies)))
    }
    return .object(members)
  }

  private func outbox() -> JSONValue {
    let queue = stores?.live.view.states.outbox.queue ?? []
    return .object(
      queue.map { .init(Self.text($0.item.key), .string($0.item.standing.scenarioWord)) }
    )
  }

  /// What was retired, as the journal has it.
  private func retired() throws -> JSONValue {
    let reader = try JournalReader(device.journal)
    var keys: [JSONValue] = []
    _ = try reader.forEachUntilDamage(from: Seq(1)) { (entry) throws(JournalError) in
      if let retired = entry.decoded(OutboxRetired.self),
        let work = try reader.entry(at: retired.enqueued)
      {
        keys.append(.string(Self.text(work.key)))
      }
      return true
    }
    return .array(keys)
  }

  private func byScope<Value>(
    _ values: [SimulatedServer.Name: [SimulatedServer.Name: Value]],
    _ json: (Value) -> JSONValue
  ) -> JSONValue {
    .object(
      sorted(values).map { scope, values in
        .init(
          String(decoding: scope, as: UTF8.self),
          .object(sorted(values).map { .init(String(decoding: $0, as: UTF8.self), json($1)) })
        )
      }
    )
  }

  private func sorted<Value>(
    _ values: [SimulatedServer.Name: Value]
  ) -> [(SimulatedServer.Name, Value)] {
    values.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }

  private func serverPins() -> JSONValue {
    .object(
      sorted(server.pins).map { scope, pins in
        .init(String(decoding: scope, as: UTF8.self), sorted(pins.map(\.id)))
      }
    )
  }

  private func pins() async throws -> JSONValue {
    guard let stores else { return .object([]) }
    var members: [JSONValue.Member] = []
    let states = stores.live.view.states
    for scope in scopes where server.pins[Self.name(of: scope)] != nil {
      guard let opening = states.shelf.store(of: scope)?.opening else { continue }
      let pins = TidemarkStores.Shelf(stores, scope, opening).pins(pinsFormat)
      let names = ((try? await pins.visible()) ?? []).map { pin in
        JSONValue(pin.json)?["name"]?.text ?? ""
      }
      members.append(
        .init(
          scope.description,
          .object([
            .init("visible", sorted(names)),
            .init(
              "removals",
              sorted(pins.removals.map { String(decoding: $0.id.bytes, as: UTF8.self) })
            ),
            .init("readable", .bool(pins.isReadable)),
          ])
        )
      )
    }
    return .object(members)
  }

  private func sorted(_ texts: [String]) -> JSONValue {
    .array(
      texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) }
    )
  }
}

extension OutboxState.Standing {
  /// How a scenario names it.
  fileprivate var scenarioWord: String {
    switch self {
    case .held: "heldAuth"
    default: word
    }
  }
}
