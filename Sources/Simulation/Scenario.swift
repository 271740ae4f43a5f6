package import TidemarkJSON

/// A story with its end: what happens to the stores, and the state that must come of it.
///
/// `docs/scenarios.md` describes the language.
package struct Scenario: Sendable {
  /// What it is called.
  package let id: String

  /// What went wrong where the story comes from, in one sentence.
  package let problem: String

  /// What happens, in order.
  package let events: [ScenarioEvent]

  /// The final state, as far as it is told.
  package let expected: JSONValue

  /// The rules without which another end comes of it.
  package let ablate: [String]

  /// That other end.
  package let wrong: JSONValue

  /// The end with extensions switched on, if there is one.
  package let alternative: (extensions: [String], expected: JSONValue)?

  /// The record store's kinds of event that this build does not have, if the story needs them.
  package var missing: [String] {
    var names: [String] = []
    for event in events where event.shape.group == .records && !names.contains(event.name) {
      names.append(event.name)
    }
    return names
  }

  private static let fields: Set<String> = [
    "id", "fit", "category", "source", "problem", "why", "note", "scenario", "expected", "ablate",
    "wrong", "alt",
  ]

  /// The extensions that a story may switch on.
  private static let extensions: Set<String> = ["replica.conditional"]

  /// - Throws: ``ScenarioError`` if the line is no scenario, or has an event or a field that is not
  ///   known.
  package init(_ line: [UInt8]) throws(ScenarioError) {
    guard let value = JSONValue(line), case .object(let members) = value else {
      throw ScenarioError("the line is no JSON object")
    }
    if let stranger = members.first(where: { !Scenario.fields.contains($0.name) }) {
      throw ScenarioError("there is no field '\(stranger.name)' in a scenario")
    }
    guard case .string(let id)? = value["id"], !id.isEmpty else {
      throw ScenarioError("a scenario has an 'id'")
    }
    guard case .array(let events)? = value["scenario"] else {
      throw ScenarioError("\(id): 'scenario' is the list of events")
    }
    guard let expected = value["expected"], case .object = expected else {
      throw ScenarioError("\(id): 'expected' is an object")
    }
    self.id = id
    problem = value["problem"]?.text ?? ""
    self.events = try Scenario.events(events, of: id)
    self.expected = expected
    ablate = value["ablate"]?.elements.compactMap(\.text) ?? []
    wrong = value["wrong"] ?? .object([])
    alternative = try Scenario.alternative(value["alt"], of: id)
  }

  private static func events(
    _ values: [JSONValue],
    of id: String
  ) throws(ScenarioError) -> [ScenarioEvent] {
    var events: [ScenarioEvent] = []
    for (index, value) in values.enumerated() {
      do throws(ScenarioError) { events.append(try ScenarioEvent(value)) } catch {
        throw ScenarioError("\(id), event \(index): \(error.message)")
      }
    }
    guard events.first?.name == "open" else {
      throw ScenarioError("\(id): a scenario begins with 'open'")
    }
    return events
  }

  private static func alternative(
    _ value: JSONValue?,
    of id: String
  ) throws(ScenarioError) -> (extensions: [String], expected: JSONValue)? {
    guard let value else { return nil }
    let names = value["on"]?.elements.compactMap(\.text) ?? []
    guard let expected = value["expected"], !names.isEmpty else {
      throw ScenarioError("\(id): 'alt' has 'on' and 'expected'")
    }
    if let stranger = names.first(where: { !extensions.contains($0) }) {
      throw ScenarioError("\(id): there is no extension '\(stranger)'")
    }
    return (names, expected)
  }
}

/// What is wrong with a scenario, which is untrusted input as any file.
package struct ScenarioError: Error, Sendable, CustomStringConvertible {
  package let message: String

  init(_ message: String) { self.message = message }

  package var description: String { message }
}

extension JSONValue {
  /// The text, if it is one.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number, if it is one.
  var integer: Int64? {
    guard case .number(let number) = self else { return nil }
    return Int64(exactly: number)
  }

  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
