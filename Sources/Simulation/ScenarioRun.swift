internal import TidemarkEntries
internal import TidemarkJSON
internal import TidemarkJournalStore
internal import TidemarkStores

/// One story on the real stores: it does what the events say, and remembers what was told.
final class ScenarioRun {
  let scenario: Scenario
  let device: SimulatedDevice
  var server = SimulatedServer()

  /// Whether pins carry versions.
  let hasVersions: Bool

  /// The stores, while the process runs.
  var stores: Stores?

  /// The store that is in use.
  var shelf: Shelf?
  var active: Scope?

  /// All scopes that were ever open, in order.
  var scopes: [Scope] = []
  var told = Told()

  var tickets: [SimulatedServer.Name: OpenTicket] = [:]
  var attempts: [SimulatedServer.Name: SimulatedServer.Answer] = [:]
  var passes: [SimulatedServer.Name: OpenPass] = [:]

  /// The originals of attached files that are gone.
  var goneBlobs: Set<SimulatedServer.Name> = []

  /// The chunks that are compacted, if some are.
  var chunks: Folder?

  /// Work that was asked of a store that is still opening.
  var asked: [ScenarioEvent] = []

  init(_ scenario: Scenario, extensions: [String] = []) throws(ScenarioError) {
    self.scenario = scenario
    hasVersions = extensions.contains("replica.conditional")
    device = try SimulatedDevice()
  }

  /// A read that has begun.
  struct OpenTicket {
    var ticket: Ticket

    /// The read whose request it waits for: its own, or an older one.
    var flight: SimulatedServer.Name
    var name: String

    /// The copy of its path when it began.
    var copy: JSONValue?
  }

  /// A pass of the pins, and the list that the server had then.
  struct OpenPass {
    var pass: Pins.Pass
    var list: JSONValue
  }

  /// What was told to whoever asked, which no crash takes back.
  struct Told {
    var receipts: [JSONValue.Member] = []
    var drains: [JSONValue] = []
    var sends: [JSONValue.Member] = []
    var problems: [String] = []

    /// What single events gave: `requests`, `projected`, `preview` and their like.
    var results: [JSONValue.Member] = []
  }

  /// Does what the story says.
  func run() async throws {
    for (index, event) in scenario.events.enumerated() {
      do { try await play(event) } catch let error as ScenarioError {
        throw ScenarioError("\(scenario.id), event \(index), '\(event.name)': \(error.message)")
      }
      if let stores, await stores.live.isSynced { device.noteSync() }
    }
  }

  private func play(_ event: ScenarioEvent) async throws {
    switch event.shape.group {
    case .device: return try await playDevice(event)
    case .records: throw ScenarioError("needs records, which this build does not have")
    case .shelf, .outbox, .pins: break
    }
    switch event.name {
    case "serverForgetsKeys": return server.forgetKeys()
    case "blobGone": goneBlobs.insert(Array(try event.text("blob").utf8))
    case "storm": try storm(event)
    case "srvPin": try changeServerPins(event)
    case "open", "switch": try await open(event)
    default:
      guard let shelf else {
        // A process that has ended does nothing; one that is starting is asked to wait.
        if event.name == "enqueue" { asked.append(event) }
        return
      }
      switch event.shape.group {
      case .shelf: try await playShelf(event, shelf)
      case .outbox: try await playOutbox(event, shelf.outbox)
      case .pins: try await playPins(event, shelf.pins(pinsFormat))
      case .device, .records: break
      }
    }
  }

  private func open(_ event: ScenarioEvent) async throws {
    let scope = try scope(of: event)
    if stores == nil { try await start() }
    guard let stores else { return }
    await telling("opened") {
      if event.name == "switch", let shelf {
        self.shelf = try await shelf.turn(to: scope)
      } else {
        self.shelf = try await stores.open(scope)
      }
      self.use(scope)
    }
  }

  private func scope(of event: ScenarioEvent) throws -> Scope {
    let (server, account) = (try event.text("server"), try event.optionalText("account"))
    do throws(EntryError) { return try Scope(server, account: account) } catch {
      throw ScenarioError(error.message)
    }
  }

  private func use(_ scope: Scope) {
    active = scope
    if !scopes.contains(scope) { scopes.append(scope) }
  }

  // MARK: Telling

  /// Asks something of the stores, and notes what the caller is told if they refuse.
  ///
  /// - Parameters:
  ///   - kind: what would have been written, without the name of its store.
  ///   - work: the question.
  func telling(_ kind: String, _ work: () async throws -> Void) async {
    do { try await work() } catch let error as StoreError {
      tell(error, kind)
    } catch {}
  }

  /// What is answered for something that is settled, or is not to be had, is no problem of the
  /// caller's: the story only tried.
  private func tell(_ error: StoreError, _ kind: String) {
    guard case .journal(let error) = error else { return }
    switch error.code {
    case .storage: told.problems.append("not-saved:\(kind)")
    case .damaged: told.problems.append("read-only")
    default: break
    }
  }

  /// How the final state names a scope.
  static func name(of scope: Scope) -> SimulatedServer.Name { Array(scope.description.utf8) }

  func path(_ text: String) throws(ScenarioError) -> Path {
    do throws(EntryError) { return try Path(text) } catch { throw ScenarioError(error.message) }
  }

  func key(_ text: String) throws(ScenarioError) -> IdempotencyKey {
    do throws(EntryError) { return try IdempotencyKey(text) } catch {
      throw ScenarioError(error.message)
    }
  }
}
