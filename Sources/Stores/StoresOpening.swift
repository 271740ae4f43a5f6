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
      var stores = Stores(live, bodies, options, notices)
      let doubtful = await stores.endAttempts()
      if doubtful > 0 {
        stores = Stores(live, bodies, options, notices + [.inDoubt(doubtful)])
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
    var catching = try CatchingUp(file, reader)
    notices += catching.rebuilt.map { .rebuilt(projection: $0.name, because: $0.reason.words) }
    guard try catching.run(reader, progress: progress) else {
      throw JournalError(.stopped, "the replay was ended; it goes on at the next opening")
    }
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

  /// Attempts of a process that has ended have no answer: they are in doubt, and may go at once.
  private func endAttempts() async -> Int {
    let open = live.view.read { states in
      states.outbox.queue.filter { $0.item.standing == .inFlight }.map(\.seq)
    }
    guard !open.isEmpty else { return 0 }
    let count = try? await submit(.authored) { (turn) throws(StoreError) in
      for seq in open {
        try turn.decide(.doubt(seq, .restart, retryAt: nil), key: turn.freshKey("restart"))
        guard !StoreRule.outboxJournalFirst.isOn else { continue }
        try turn.decide(.discard(seq, reason: nil), key: turn.freshKey("restart"))
      }
      return open.count
    }
    return count ?? 0
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
