public import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

extension Stores {
  /// Opens the journal at `path`, and makes it if there is none; brings the projections up to it.
  ///
  /// A journal that is damaged opens all the same: its stores show what comes before the damage,
  /// and refuse to write. See ``notices``.
  ///
  /// - Parameters:
  ///   - path: where the journal is: in Application Support, never in a cache folder.
  ///   - options: clock, chance, waits.
  ///   - progress: is told the last entry that was replayed, where many are to be; returns whether
  ///     to go on.
  /// - Returns: the stores, to be held for as long as the app runs.
  /// - Throws: ``StoreError/journal(_:)`` with code `busy`, `foreign`, `newer` or `storage`; with
  ///   `stopped` if `progress` ended the replay, which goes on there at the next opening.
  public static func open(
    _ path: String,
    _ options: Options = Options(),
    progress: @Sendable (Seq) -> Bool = { _ in true }
  ) async throws(StoreError) -> Stores {
    do throws(JournalError) {
      let (live, bodies, notices) = try opened(path, options, progress)
      let last = live.view.position
      var stores = Stores(live, bodies, options, notices, opened: last)
      let doubtful = await stores.endAttempts()
      if doubtful > 0 {
        let all = notices + [.inDoubt(doubtful)]
        stores = Stores(live, bodies, options, all, opened: last)
      }
      return stores
    } catch { throw .journal(error) }
  }

  private static func opened(
    _ path: String,
    _ options: Options,
    _ progress: @Sendable (Seq) -> Bool
  ) throws(JournalError) -> (LiveJournal, BodyStore, [Notice]) {
    var chance = options.chance
    var journal = try Journal(path, create: true, chance: &chance)
    if !StoreRule.journalMiddle.isOn, journal.isReadOnly {
      // What a client does that takes damage for an empty store.
      try journal.close()
      Files.removeDatabase(path)
      Files.remove(Anchor.path(for: path))
      journal = try Journal(path, create: true, chance: &chance)
    }
    let isRestored = try DeviceMarker(beside: path).recognize(journal, options, &chance)
    var notices = journal.findings.map { Notice.journal($0) }
    let reader = try JournalReader(path)
    // What cannot be kept on disk is kept in memory: the projections are no reason not to open.
    let file = try? ProjectionsFile(
      options.projections ?? ProjectionsFile.path(for: path),
      of: journal.identity.journal
    )
    let catching = try caughtUp(file, reader, &notices, progress)
    if isRestored { notices.append(.restored(term: journal.identity.term)) }
    let states = states(of: catching, options)
    let saver = catching.file.map { ProjectionSaver($0) }
    let live = LiveJournal(journal, states, saving: saver, options)
    return (live, try BodyStore(path), notices)
  }

  private static func states(of catching: CatchingUp, _ options: Options) -> States {
    #if DEBUG
      if !StoreRule.replayRecordedTime.isOn {
        var states = catching.states
        states.outbox.expire(at: options.clock.now())
        return states
      }
    #endif
    return catching.states
  }

  /// The states at the end of the journal; in memory alone if the file cannot be written.
  private static func caughtUp(
    _ file: ProjectionsFile?,
    _ reader: JournalReader,
    _ notices: inout [Notice],
    _ progress: (Seq) -> Bool
  ) throws(JournalError) -> CatchingUp {
    do throws(JournalError) {
      var catching = try CatchingUp(file, reader)
      guard try catching.run(reader, progress: progress) else {
        throw JournalError(.stopped, "the replay was ended; it goes on at the next opening")
      }
      notices += catching.rebuilt.map { .rebuilt(projection: $0.name, because: $0.reason.words) }
      return catching
    } catch {
      guard error.code == .storage, file != nil else { throw error }
      let catching = try caughtUp(nil, reader, &notices, progress)
      notices += ProjectionCatalogue.parts.map {
        .rebuilt(projection: $0.name, because: error.message)
      }
      return catching
    }
  }

  /// Attempts of a process that has ended have no answer: they are in doubt, and may go at once.
  ///
  /// If that cannot be written now, it is when something is to be sent.
  private func endAttempts() async -> Int {
    let isNone = live.view.read { states in
      states.outbox.items.values.allSatisfy { $0.standing != .inFlight }
    }
    guard !isNone else { return 0 }
    let opened = opened
    let count = try? await submit(.authored) { (turn) throws(StoreError) in
      try turn.endAttempts(through: opened)
    }
    return count ?? 0
  }
}

extension Turn {
  /// Puts in doubt what was sent no later than `last`, by a process that has ended.
  ///
  /// - Returns: how many attempts that were.
  @discardableResult
  func endAttempts(through last: Seq) throws(StoreError) -> Int {
    let open = states.outbox.items.filter { _, item in
      item.standing == .inFlight && item.lastSent.map { $0 <= last } ?? false
    }
    for seq in open.keys.sorted() {
      try decide(.doubt(seq, .restart, retryAt: nil), key: freshKey("restart"))
      guard !StoreRule.outboxJournalFirst.isOn else { continue }
      try decide(.discard(seq, reason: nil), key: freshKey("restart"))
    }
    return open.count
  }
}

extension ProjectionsFile.Loaded {
  fileprivate var words: String {
    switch self {
    case .whole: "it is whole"
    case .missing: "it was not there"
    case .outdated: "another version made it"
    case .damaged(let reason): reason
    }
  }
}

extension Turn {
  /// Decides on what stands, and appends what comes of it; gives the seqs of the entries.
  @discardableResult
  func decide(
    _ submission: TidemarkProjections.Shelf.Submission,
    key: IdempotencyKey
  ) throws(StoreError) -> [Seq] {
    try add(shelfDrafts(for: submission, key: key))
  }

  func shelfDrafts(
    for submission: ShelfRules.Submission,
    key: IdempotencyKey
  ) throws(StoreError) -> [Draft] {
    do throws(ShelfRules.Unknown) {
      return try ShelfRules.decide(submission, on: states.shelf, key: key, at: now)
    } catch { throw .unknown(error.description) }
  }

  @discardableResult
  func decide(
    _ submission: TidemarkProjections.Outbox.Submission,
    key: IdempotencyKey
  ) throws(StoreError) -> [Seq] {
    try add(drafts(for: submission, key: key))
  }

  func drafts(
    for submission: TidemarkProjections.Outbox.Submission,
    key: IdempotencyKey
  ) throws(StoreError) -> [Draft] {
    do throws(TidemarkProjections.Outbox.Refusal) {
      return try TidemarkProjections.Outbox.decide(submission, on: states.outbox, key: key, at: now)
    } catch { throw StoreError(error, states.outbox) }
  }

  /// Appends drafts whose keys nobody else has, or the same work again.
  @discardableResult
  func add(_ drafts: [Draft]) throws(StoreError) -> [Seq] {
    let outcomes: [AppendOutcome]
    do throws(JournalError) { outcomes = try append(drafts) } catch { throw .journal(error) }
    var seqs: [Seq] = []
    for outcome in outcomes {
      switch outcome {
      case .appended(let seq), .alreadyAppended(let seq): seqs.append(seq)
      case .conflict(let conflict): throw .keyReused(conflict.key, prior: conflict.prior)
      case .withheld: break
      }
    }
    return seqs
  }

  /// The content of a page that was taken.
  func content(ofPage seq: Seq) throws(StoreError) -> [UInt8] {
    do throws(JournalError) {
      guard let page = try journal.entry(at: seq)?.decoded(PageReceived.self) else { return [] }
      return try journal.content(of: page.body) ?? []
    } catch { throw .journal(error) }
  }

  /// Keeps content for an entry of this turn.
  func keep(_ content: [UInt8], isWhole: Bool = true) throws(StoreError) -> BodyReference {
    do throws(JournalError) { return try body(content, isWhole: isWhole) } catch {
      throw .journal(error)
    }
  }
}

extension StoreError {
  init(_ refusal: TidemarkProjections.Outbox.Refusal, _ state: OutboxState) {
    self =
      switch refusal {
      case .unknown(let seq): .unknown("nothing that waits came by entry \(seq)")
      case .otherScope(let scope): .otherScope(scope)
      case .notItsTurn(let behind):
        state.items[behind].map { .notItsTurn(behind: $0.key) } ?? .waits
      case .underWay: .underWay
      case .waits: .waits
      case .answered: .answered
      case .notSent: .unknown("no attempt of it is under way")
      case .notAnswered: .unknown("the server has not said that it has it")
      case .noStore(let store): .unknown("no store was opened at \(store)")
      }
  }
}
