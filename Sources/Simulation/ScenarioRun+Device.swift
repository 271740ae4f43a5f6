internal import TidemarkEntries
internal import TidemarkJSON
internal import TidemarkJournalStore
internal import TidemarkProjections
internal import TidemarkStores

extension ScenarioRun {
  func playDevice(_ event: ScenarioEvent) async throws {
    switch event.name {
    case "tick": device.clock.advance(milliseconds: try event.milliseconds("by"))
    case "clock": device.disk.setClockOffset(try event.milliseconds("offset"))
    case "disk": device.disk.setFull(try event.flag("full"))
    case "checkpoint": await telling("synced") { try await stores?.live.checkpoint() }
    case "crash": try endProcess()
    case "powerLoss": try endProcess(losesUnsynced: true)
    case "reopen": try await reopen()
    case "damage": try await damage(event)
    case "copyStore": try await copyStore()
    case "useCopy":
      try endProcess()
      try device.useExport()
    case "backupDevice": try device.backUp(event.text("mark"))
    case "restoreDevice":
      let mark = try event.text("mark")
      try endProcess()
      try device.restore(mark)
    default: try playOdds(event)
    }
  }

  private func endProcess(losesUnsynced: Bool = false) throws {
    guard stores != nil else { return }
    try device.endProcess(losesUnsynced: losesUnsynced)
    (stores, shelf) = (nil, nil)
  }

  // MARK: Starting

  /// Opens the journal, and notes what an app would tell of that.
  func start() async throws {
    let opening = OpeningStores(device.journal, device.options)
    var waiting: [ScenarioEvent] = []
    for event in asked {
      await telling("enqueued") { try await opening.with { _ in waiting.append(event) } }
    }
    asked = waiting
    do { stores = try await opening.stores } catch let error as StoreError {
      guard case .journal(let error) = error, error.code == .damaged else { throw error }
      return told.problems.append("journal-damaged")
    }
    note(stores?.notices ?? [])
  }

  private func note(_ notices: [Stores.Notice]) {
    var problems: [String] = []
    for notice in notices {
      switch notice {
      case .journal(let finding) where finding.code == .tornTail: problems.append("tail-truncated")
      case .journal(let finding) where !finding.code.isNote: problems.append("journal-damaged")
      case .rebuilt: problems.append("projection-rebuilt")
      case .journal, .inDoubt, .restored: break
      }
    }
    for problem in problems where told.problems.last != problem { told.problems.append(problem) }
  }

  private func reopen() async throws {
    guard stores == nil else { return }
    try await start()
    guard let stores, let active else { return }
    if await stores.isReadOnly {
      // Nothing can be opened anew: what there is can be looked at.
      shelf = lastIncarnation(of: active, stores)
    } else {
      await telling("opened") { self.shelf = try await stores.open(active) }
    }
    let waiting = asked
    asked = []
    guard let outbox = shelf?.outbox else { return }
    for event in waiting { try await playOutbox(event, outbox) }
  }

  private func lastIncarnation(of scope: Scope, _ stores: Stores) -> TidemarkStores.Shelf? {
    stores.live.view.read { states in
      states.shelf.store(of: scope).map { TidemarkStores.Shelf(stores, scope, $0.opening) }
    }
  }

  // MARK: Damage

  private func damage(_ event: ScenarioEvent) async throws {
    let isRunning = stores != nil
    switch try event.text("what") {
    case "tail":
      try device.damage(isRunning: isRunning) {
        try Tampering.tearTail(SimulatedDevice.journal(in: $0))
      }
    case "middle":
      let seq = try seq(at: event)
      try device.damage(isRunning: isRunning) {
        try Tampering.breakEntry(seq, of: SimulatedDevice.journal(in: $0))
      }
    case "oldKind":
      let seq = try seq(at: event)
      var chance = device.chance
      try device.damage(isRunning: isRunning) {
        try Tampering.age(seq, of: SimulatedDevice.journal(in: $0), &chance)
      }
    case "projection": try await damageProjections()
    case "replica": try damageReplica()
    case let what: throw ScenarioError("there is no damage '\(what)'")
    }
  }

  /// The opening is entry 0 of a story, and 1 of its journal.
  private func seq(at event: ScenarioEvent) throws(ScenarioError) -> UInt64 {
    guard let at = try event.optionalCount("at"), at < 1 << 50 else {
      throw ScenarioError("'at' is missing, or too high")
    }
    return at + 1
  }

  /// Projections are read on opening: the process lets them go, and comes back to the same stores.
  private func damageProjections() async throws {
    guard let shelf, let stores else {
      return try device.damage(isRunning: false) {
        try Tampering.breakProjections(SimulatedDevice.journal(in: $0))
      }
    }
    try await stores.close()
    (self.stores, self.shelf) = (nil, nil)
    try Tampering.breakProjections(device.journal)
    try await start()
    self.shelf = self.stores.map { TidemarkStores.Shelf($0, shelf.scope, shelf.store) }
  }

  private func damageReplica() throws {
    guard let stores, let active else { return }
    let body = stores.live.view.read { states in
      states.pins.list(of: active)?.snapshot?.body.id
    }
    if let body { try device.breakBody(body) }
  }

  private func copyStore() async throws {
    guard let stores else { return }
    let path = try device.prepareExport()
    await telling("copied") { try await stores.copy(to: path) }
  }

  // MARK: Odds

  private func playOdds(_ event: ScenarioEvent) throws {
    switch event.name {
    case "budget": try budget(event)
    case "commits": try commits(event)
    case "compact": try compact(event)
    case "preview":
      let text = try event.text("text")
      let cut = TextPreview.cut(text, toUTF16Count: Int(clamping: try event.integer("limit")))
      let isText = text.utf8.starts(with: cut.utf8)
      told.results.append(.init("preview", .string(isText ? cut : "unstorable")))
    default: throw ScenarioError("nobody plays it")
    }
  }

  /// A server takes no body over the limit.
  private func budget(_ event: ScenarioEvent) throws {
    let sizes = try event.numbers("sizes").map { Int(clamping: max($0, 0)) }
    let limit = Int(clamping: try event.integer("limit"))
    let filled = BodyBudget(limit: limit).bodies(of: sizes)
    let taken = filled.bodies.filter { body in
      body.reduce(0) { $0.addingReportingOverflow(sizes[$1]).partialValue } <= limit
    }
    let delivered = taken.map(\.count).reduce(0, +)
    told.results += [
      .init("delivered", .number(Double(delivered))),
      .init("oversize", .array(filled.oversize.map { .number(Double($0)) })),
      .init("bodies", .number(Double(filled.bodies.count))),
    ]
  }

  /// Three chunks become one; whoever died before the old ones were deleted does it again.
  private func compact(_ event: ScenarioEvent) throws {
    let isFirst = chunks == nil
    let folder = try chunks ?? Folder()
    chunks = folder
    let store = ChunkFolder(folder)
    if isFirst { for line in ["one", "two", "three"] { store.add([Array(line.utf8)]) } }
    if try event.flag("crashBeforeDelete") { store.compact(goesOn: false) }
    store.compact()
    let word = store.lines.isEmpty ? "empty" : "readable"
    told.results.removeAll { $0.name == "store" }
    told.results.append(.init("store", .string(word)))
  }

  /// Numbers become visible one after the other, and the fold reads after each.
  private func commits(_ event: ScenarioEvent) throws {
    var order = Gapless(after: Seq(0))
    var visible: Set<Seq> = []
    var projected: [JSONValue] = []
    for number in try event.numbers("order") {
      guard let number = UInt64(exactly: number), number > 0 else {
        throw ScenarioError("'order' has numbers over 0")
      }
      visible.insert(Seq(number))
      for seq in visible.sorted() where order.takes(seq) {
        projected.append(.number(Double(seq.value)))
      }
    }
    told.results.append(.init("projected", .array(projected)))
  }
}
