import Testing
import TidemarkJSON
import TidemarkSimulation

/// What a scenario tells of a state is compared as it says.
@Suite struct ComparisonTests {
  private func differences(_ wanted: String, _ found: String) throws -> [String] {
    Comparison.differences(
      try #require(JSONValue(Array(wanted.utf8))),
      JSONValue(Array(found.utf8))
    )
  }

  @Test(arguments: [
    (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#),
    (#"{"a": {"b": 1}}"#, #"{"a": {"b": 1, "c": 2}}"#),
    (#"{"a": {"!exact": {"b": 1}}}"#, #"{"a": {"b": 1}}"#),
    (#"{"a": {"!exact": {}}}"#, #"{}"#),
    (#"{"!exact": {"a": []}}"#, #"{"b": {}}"#),
  ])
  func `what is told and so is no difference`(wanted: String, found: String) throws {
    #expect(try differences(wanted, found) == [])
  }

  @Test(arguments: [
    (#"{"a": 1}"#, #"{"a": 2}"#), (#"{"a": 1}"#, #"{}"#), (#"{"a": [1]}"#, #"{"a": [1, 2]}"#),
    (#"{"a": {"!exact": {"b": 1}}}"#, #"{"a": {"b": 1, "c": 2}}"#),
    (#"{"a": {"!exact": {}}}"#, #"{"a": {"b": 1}}"#), (#"{"a": []}"#, #"{}"#),
    (#"{"a": [{"b": 1}]}"#, #"{"a": [{"b": 1, "c": 2}]}"#),
    ("{\"a\": \"caf\u{e9}\"}", "{\"a\": \"cafe\u{301}\"}"),
    ("{\"caf\u{e9}\": 1}", "{\"cafe\u{301}\": 1}"),
  ])
  func `what is not as it is told is one difference`(wanted: String, found: String) throws {
    #expect(try differences(wanted, found).count == 1)
  }
}
