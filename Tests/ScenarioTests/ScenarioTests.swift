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

  @Test(arguments: Judged.stories)
  func `the judge objects to what a store does without a rule`(story: Judged) async throws {
    let scenario = try #require(Scenarios.own.first { $0.id == story.id })
    let (_, objections) = try await StoreRule.$off.withValue(scenario.rules) {
      try await Simulation.judged(scenario)
    }
    #expect(objections.contains { $0.hasPrefix(story.code) }, "\(objections)")
  }

  @Test func `every rule has a story without which nobody sees it matter`() {
    let told = Scenarios.own.reduce(into: Set<StoreRule>()) { $0.formUnion($1.rules) }
    #expect(StoreRule.allCases.filter { !told.contains($0) } == [])
  }

  @Test func `a line that is no scenario is refused, and says where`() throws {
    let lines = [
      (#"{"id": "a"}"#, "a: 'scenario' is the list of events"),
      (#"{"id": "a", "scenario": [], "expected": {}}"#, "a: a scenario begins with 'open'"),
      (#"{"id": "a", "stages": []}"#, "there is no field 'stages' in a scenario"),
      (
        #"{"id": "a", "scenario": [{"e": "open"}], "expected": {}}"#,
        "a, event 0: 'open' needs the field 'server'"
      ),
      (
        #"{"id": "a", "scenario": [{"e": "sail"}], "expected": {}}"#,
        "a, event 0: there is no event 'sail'"
      ),
    ]
    for (line, message) in lines {
      #expect { try Scenario(Array(line.utf8)) } throws: { "\($0)" == message }
    }
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
