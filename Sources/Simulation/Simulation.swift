package import TidemarkJSON
internal import TidemarkStores

/// Runs stories on the real stores, and looks at what they left behind.
package enum Simulation {
  /// What came of a story.
  package struct Outcome: Sendable {
    /// The story.
    package let id: String

    /// The kinds of event that this build does not have; the story was not run if there are any.
    package var missing: [String] = []

    /// The final state.
    package var state = JSONValue.object([])

    /// Where the final state is not as expected.
    package var differences: [String] = []

    /// Where a projection made anew is not as the one that was kept, after the story or a crash.
    package var divergences: [String] = []

    /// What the judge objects to.
    package var objections: [String] = []

    /// How many states were looked at that a process could have left behind.
    package var crashes = 0
  }

  /// Runs a story, and compares its end with the one that is expected.
  ///
  /// - Throws: ``ScenarioError`` if the story asks for what cannot be; an error of the system.
  package static func run(_ scenario: Scenario) async throws -> Outcome {
    var outcome = Outcome(id: scenario.id)
    outcome.missing = scenario.missing
    guard outcome.missing.isEmpty else { return outcome }
    let run = try ScenarioRun(scenario)
    run.device.disk.keepCrashes()
    try await run.run()
    outcome.state = try await run.finalState()
    outcome.differences = Comparison.differences(scenario.expected, outcome.state)
    if let (extensions, expected) = scenario.alternative {
      let other = try await state(of: scenario, extensions)
      outcome.differences += Comparison.differences(expected, other).map { "alt: \($0)" }
    }
    try await Aftermath.look(at: run, &outcome)
    return outcome
  }

  /// The final state of a story, and nothing else.
  package static func state(
    of scenario: Scenario,
    _ extensions: [String] = []
  ) async throws -> JSONValue {
    let run = try ScenarioRun(scenario, extensions: extensions)
    try await run.run()
    return try await run.finalState()
  }

  /// The final state of a story, and what the judge objects to in its journal.
  package static func judged(
    _ scenario: Scenario
  ) async throws -> (state: JSONValue, objections: [String]) {
    let run = try ScenarioRun(scenario)
    try await run.run()
    let state = try await run.finalState()
    try? await run.stores?.close()
    return (state, try Aftermath.objections(run.device.journal, scenario))
  }
}
