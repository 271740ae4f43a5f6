internal import TidemarkEntries
internal import TidemarkJSON

/// The server of a story: it takes work, tells repeats by their keys, and has a list of pins.
struct SimulatedServer {
  /// Bytes, so that two spellings of one text are two names.
  typealias Name = [UInt8]

  /// What it says to an attempt.
  enum Answer: Equatable {
    /// Nothing arrived, or nobody hears.
    case none
    case taken
    case duplicate
    case refused(status: UInt64)
  }

  /// An attempt that reaches it.
  struct Attempt {
    var scope: Name

    /// The name of the work, by which a story counts.
    var work: Name

    /// The key that the attempt carries, or who wrote the work and its number there.
    var identity: Name
    var lane: Name
    var body: JSONValue
  }

  struct Pin {
    var id: String
    var name: String
    var version: UInt64 = 1
  }

  /// How often each piece of work took effect; the last value of each lane.
  private(set) var effects: [Name: [Name: Int]] = [:]
  private(set) var values: [Name: [Name: JSONValue]] = [:]
  private(set) var pins: [Name: [Pin]] = [:]

  /// What it has answered already.
  private var answered: [Name: Set<Name>] = [:]

  init() {}

  mutating func take(_ attempt: Attempt, _ how: String) throws(ScenarioError) -> Answer {
    switch how {
    case "apply":
      guard answered[attempt.scope, default: []].insert(attempt.identity).inserted else {
        return .taken
      }
      effects[attempt.scope, default: [:]][attempt.work, default: 0] += 1
      values[attempt.scope, default: [:]][attempt.lane] = attempt.body
      return .taken
    case "down": return .none
    case "reject:permanent": return .refused(status: 422)
    case "reject:auth": return .refused(status: 401)
    case "reject:transient": return .refused(status: 503)
    case "reject:duplicate": return .duplicate
    default: throw ScenarioError("'srv' knows no '\(how)'")
    }
  }

  mutating func forgetKeys() { answered = [:] }

  // MARK: Pins

  /// Has a list for a scope, if only an empty one.
  mutating func know(_ scope: Name) { pins[scope, default: []] += [] }

  mutating func setPins(_ pins: [Pin], of scope: Name) { self.pins[scope] = pins }

  mutating func change(
    _ operation: String,
    _ id: String,
    _ name: String?,
    of scope: Name
  ) throws(ScenarioError) {
    var list = pins[scope, default: []]
    let place = list.firstIndex { $0.id.utf8.elementsEqual(id.utf8) }
    switch operation {
    case "remove": if let place { list.remove(at: place) }
    case "add", "repin":
      let version = place.map { list[$0].version + 1 } ?? 1
      // What was taken off and comes back under its id is another pin.
      let pin = Pin(id: id, name: name ?? id, version: version + (operation == "repin" ? 1 : 0))
      if let place { list[place] = pin } else { list.append(pin) }
    default: throw ScenarioError("'op' is add, repin or remove, not '\(operation)'")
    }
    pins[scope] = list
  }

  /// Takes pins off, each at its version if one was seen.
  mutating func remove(_ removals: [PinVersion], of scope: Name) {
    pins[scope]?.removeAll { pin in
      removals.contains { removal in
        removal.id.bytes.elementsEqual(pin.id.utf8)
          && (removal.version.map { $0 == pin.version } ?? true)
      }
    }
  }

  /// Takes a whole list in the place of its own, as it should never be sent.
  mutating func replace(with ids: [ItemID], of scope: Name) {
    pins[scope]?.removeAll { pin in !ids.contains { $0.bytes.elementsEqual(pin.id.utf8) } }
  }

  /// The list as it goes out.
  func list(of scope: Name, versioned: Bool) -> JSONValue {
    .array(
      pins[scope, default: []].map { pin in
        var members = [
          JSONValue.Member("id", .string(pin.id)), JSONValue.Member("name", .string(pin.name)),
        ]
        if versioned { members.append(.init("version", .number(Double(pin.version)))) }
        return .object(members)
      }
    )
  }
}
