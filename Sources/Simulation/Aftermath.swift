internal import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections
internal import TidemarkReplay
internal import TidemarkStores

/// What holds after every story: whatever ends a process, and whatever fails, the projections are
/// those that the journal gives, and the judge objects to nothing.
enum Aftermath {
  static func look(at run: ScenarioRun, _ outcome: inout Simulation.Outcome) async throws {
    let scenario = run.scenario
    if let stores = run.stores {
      try note(stores.live.view.states, run.device.journal, "at the end", &outcome)
    }
    try? await run.stores?.close()
    try await reopen(run.device.journal, run.device.quietOptions, "at the end", scenario, &outcome)
    for (number, crash) in run.device.disk.takeCrashes().enumerated() {
      let journal = SimulatedDevice.journal(in: crash)
      guard try Journal.isThere(journal) else { continue }
      outcome.crashes += 1
      let when = "after a crash before commit \(number + 1)"
      try await reopen(journal, run.device.quietOptions, when, scenario, &outcome)
    }
    for commit in 0..<run.device.disk.commits {
      try await failing(commit, .beforeCommit, scenario, &outcome)
      // A process that was told of a failure does not know what of it the power spares.
      guard !scenario.events.contains(where: { $0.name == "powerLoss" }) else { continue }
      try await failing(commit, .afterCommit, scenario, &outcome)
    }
  }

  /// The story again, with a disk that refuses one commit: it ends elsewhere, but soundly.
  private static func failing(
    _ commit: Int,
    _ point: Stores.Options.FaultPoint,
    _ scenario: Scenario,
    _ outcome: inout Simulation.Outcome
  ) async throws {
    let run = try ScenarioRun(scenario)
    run.device.disk.fail(at: commit, point)
    // An opening that fails leaves no store to go on with, and that is an end too.
    try? await run.run()
    let doing = point == .beforeCommit ? "refuses" : "says nothing good of"
    let when = "with a disk that \(doing) commit \(commit + 1)"
    if let stores = run.stores {
      try note(stores.live.view.states, run.device.journal, when, &outcome)
      try? await stores.close()
    }
    guard try Journal.isThere(run.device.journal) else { return }
    try await reopen(run.device.journal, run.device.quietOptions, when, scenario, &outcome)
  }

  /// Opens the journal as an app would after its process has ended, and compares.
  private static func reopen(
    _ journal: String,
    _ options: Stores.Options,
    _ when: String,
    _ scenario: Scenario,
    _ outcome: inout Simulation.Outcome
  ) async throws {
    let stores = try await Stores.open(journal, options)
    try note(stores.live.view.states, journal, when, &outcome)
    try? await stores.close()
    outcome.objections += try objections(journal, scenario).map { "\(when): \($0)" }
  }

  /// Notes where the states are not those of a fold from the first entry.
  private static func note(
    _ states: States,
    _ journal: String,
    _ when: String,
    _ outcome: inout Simulation.Outcome
  ) throws {
    let reader = try JournalReader(journal)
    var rebuilt = try CatchingUp(nil, reader)
    _ = try rebuilt.run(reader)
    for part in ProjectionCatalogue.parts where part.digest(states) != part.digest(rebuilt.states) {
      outcome.divergences.append("\(when): \(part.name) is not what the journal gives")
    }
  }

  /// What the judge objects to; damage that the story did itself is none of it.
  static func objections(_ journal: String, _ scenario: Scenario) throws -> [String] {
    let damaged: Set<FindingCode> =
      scenario.events.contains { $0.name == "damage" }
      ? [.blockDamaged, .seqGap, .tornTail, .tailLost] : []
    return try Judge.judge(try JournalReader(journal)).findings
      .filter { !$0.code.isNote && !damaged.contains($0.code) }
      .map { "\($0.code.rawValue) \($0.message)" }
  }
}
