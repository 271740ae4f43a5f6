import Testing
import TidemarkEntries
import TidemarkSimulation

/// Stories of lost and resurrected data end well, and badly without the rule that each is about.
@Suite struct ScenarioTests {
  /// Ends as expected, whatever ends the process and whatever fails.
  private func expectGoodEnd(_ scenario: Scenario) async throws {
    let outcome = try await Simulation.run(scenario)
    #expect(outcome.differences == [])
    #expect(outcome.divergences == [])
    #expect(outcome.objections == [])
    #expect(outcome.crashes > 0, "no state was looked at that a crash leaves behind")
  }

  /// Without its rules the story ends as somebody complained of, and not as expected.
  private func expectBadEnd(_ scenario: Scenario) async throws {
    let rules = scenario.rules
    #expect(rules.count == scenario.ablate.count, "a rule has no place: \(scenario.ablate)")
    let state = try await StoreRule.$off.withValue(rules) {
      try await Simulation.state(of: scenario)
    }
    #expect(Comparison.differences(scenario.wrong, state) == [])
    #expect(Comparison.differences(scenario.expected, state) != [], "the rules change nothing")
  }

  @Test(arguments: Scenarios.own)
  func `a story of the project ends as expected`(scenario: Scenario) async throws {
    try await expectGoodEnd(scenario)
  }

  @Test(arguments: Scenarios.own.filter { !$0.ablate.isEmpty })
  func `without its rules a story of the project ends badly`(scenario: Scenario) async throws {
    try await expectBadEnd(scenario)
  }

  @Test(arguments: Scenarios.others.filter { $0.missing.isEmpty })
  func `a story from elsewhere ends as expected`(scenario: Scenario) async throws {
    try await expectGoodEnd(scenario)
  }

  @Test(arguments: Scenarios.others.filter { $0.missing.isEmpty && !$0.ablate.isEmpty })
  func `without its rules a story from elsewhere ends badly`(scenario: Scenario) async throws {
    try await expectBadEnd(scenario)
  }
}
