internal import TidemarkEntries
internal import TidemarkJSON
internal import TidemarkStores

extension ScenarioRun {
  var pinsFormat: Pins.Format {
    var format = Pins.Format()
    format.required = ["name"]
    format.version = hasVersions ? "version" : nil
    return format
  }

  func playPins(_ event: ScenarioEvent, _ pins: Pins) async throws {
    server.know(Self.name(of: pins.shelf.scope))
    switch event.name {
    case "pinSeed": try await seed(event, pins)
    case "pinRemove":
      let ids = try event.texts("ids").map { ItemID($0) }
      await telling("removed") { try await pins.remove(ids) }
    case "pinSync": try await sync(event, pins)
    default: throw ScenarioError("nobody plays it")
    }
  }

  private func seed(_ event: ScenarioEvent, _ pins: Pins) async throws {
    guard case .object(let members)? = event["pins"] else {
      throw ScenarioError("'pins' is an object of names by ids")
    }
    let seeds = members.map { SimulatedServer.Pin(id: $0.name, name: $0.value.text ?? "") }
    let scope = Self.name(of: pins.shelf.scope)
    server.setPins(seeds, of: scope)
    let list = server.list(of: scope, versioned: hasVersions)
    await telling("received") {
      try await pins.receive(try await pins.start(), Shelf.Reply(list.encoded))
    }
  }

  func changeServerPins(_ event: ScenarioEvent) throws {
    guard let active else { return }
    try server.change(
      event.text("op"),
      event.text("id"),
      event.optionalText("name"),
      of: Self.name(of: active)
    )
  }

  private func sync(_ event: ScenarioEvent, _ pins: Pins) async throws {
    let run = Array((try event.optionalText("run") ?? "").utf8)
    switch try event.text("phase") {
    case "start": await start(run, pins)
    case "reply": await reply(event["pins"], run, pins)
    case "lost":
      guard let open = passes[run] else { return }
      await telling("refused") { try await pins.end(open.pass, .lost) }
    case let phase: throw ScenarioError("'phase' is start, reply or lost, not '\(phase)'")
    }
  }

  private func start(_ run: SimulatedServer.Name, _ pins: Pins) async {
    // The screen shows the list, and so finds out whether it can be read.
    _ = try? await pins.visible()
    await tellingOfPins("sent") {
      let pass = try await pins.start()
      let scope = Self.name(of: pins.shelf.scope)
      if let list = pass.replacement {
        server.replace(with: list, of: scope)
      } else {
        server.remove(pass.removals, of: scope)
      }
      passes[run] = OpenPass(
        pass: pass,
        list: server.list(of: scope, versioned: hasVersions)
      )
    }
  }

  private func reply(_ list: JSONValue?, _ run: SimulatedServer.Name, _ pins: Pins) async {
    guard let open = passes[run] else { return }
    let list = list ?? open.list
    // What is no list is no JSON either: it is taken as it stands.
    let content = list.text.map { Array($0.utf8) } ?? list.encoded
    await tellingOfPins("received") {
      do {
        guard case .refused = try await pins.receive(open.pass, Shelf.Reply(content)) else {
          return
        }
        told.problems.append("malformed-reply")
      } catch let error as StoreError {
        guard case .unknown = error else { throw error }
        told.problems.append("late-reply-ignored")
      }
    }
  }

  private func tellingOfPins(_ kind: String, _ work: () async throws -> Void) async {
    await telling(kind) {
      do { try await work() } catch let error as StoreError {
        switch error {
        case .unreadable: told.problems.append("replica-unreadable")
        case .underWay: told.problems.append("sync-already-running")
        default: throw error
        }
      }
    }
  }
}
