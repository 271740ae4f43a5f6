import Synchronization
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// The ends of a sync pass, and what it writes down.
@Suite struct SyncRuleTests {
  private func unit(
    _ path: String,
    _ next: @escaping @Sendable ([UInt8]) throws -> [SyncPlan.Unit] = { _ in [] }
  ) throws -> SyncPlan.Unit { try SyncPlan.Unit(Path(path), next: next) }

  private func entries(_ device: Device) throws -> [Entry] {
    try JournalReader(device.place.path).allEntries()
  }

  @Test func `a pass says what came of it, and its reads say that they are of it`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let list = SyncPlan.Unit(try Path("/l"), .list(pageSize: 2, idName: "id"))
    let plan = SyncPlan([list, try unit("/a"), try unit("/none")])
    let server = SyncPassTests.Pages(["/l?page=0": "[]", "/a": "a"])
    let result = try await SyncPass(shelf, plan).copy(server)
    #expect(server.asked == ["/l?page=0", "/a", "/none"], "in the order of the plan")
    let entries = try entries(device)
    let ended = try #require(entries.last { $0.kind == SyncEnded.number })
    #expect(ended.cause == result.began)
    let told = try #require(ended.decoded(SyncEnded.self))
    #expect(told.outcome == .part && told.landed == 2 && told.failed == 1)
    #expect(result.landed == 2)
    let reads = entries.filter { $0.kind == ReadBegan.number }
    #expect(reads.map(\.cause) == [result.began, result.began, result.began])
    try await device.check()
  }

  @Test func `what hangs on a unit comes before what stands behind it`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let (b, c) = (try unit("/b"), try unit("/c"))
    let plan = SyncPlan([try unit("/a") { _ in [b, c] }, try unit("/d")])
    let server = SyncPassTests.Pages(["/a": "a", "/b": "b", "/c": "c", "/d": "d"])
    _ = try await SyncPass(shelf, plan).copy(server)
    #expect(server.asked == ["/a", "/b", "/c", "/d"])
  }

  @Test func `a server whose links never end does not keep a pass busy`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    @Sendable func next(_ number: Int) throws -> SyncPlan.Unit {
      try unit("/\(number)") { _ in [try next(number + 1)] }
    }
    let plan = {
      var plan = SyncPlan([try next(0)])
      plan.unitsMax = 3
      return plan
    }
    let pages = (0..<9).map { ("/\($0)", "x") }
    let server = SyncPassTests.Pages(Dictionary(uniqueKeysWithValues: pages))
    let result = try await SyncPass(shelf, try plan()).copy(server)
    #expect(server.asked == ["/0", "/1", "/2"])
    #expect(result.outcome == .part && result.landed == 3)
  }

  @Test func `a pass that is cancelled ends between two units, and says so`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let stopping = try unit("/a") { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      return []
    }
    let plan = SyncPlan([stopping, try unit("/b")])
    let server = SyncPassTests.Pages(["/a": "a", "/b": "b"])
    let pass = Task { try await SyncPass(shelf, plan).copy(server) }
    let result = try await pass.value
    #expect(result.outcome == .cancelled)
    #expect(server.asked == ["/a"])
    #expect(try entries(device).last?.decoded(SyncEnded.self)?.outcome == .cancelled)
  }

  @Test func `a disk that fails ends a pass, a server that fails does not`() async throws {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    let shelf = try await device.open("https://a.example")
    let full = try unit("/a") { _ in
      faults.fail(afterCommits: 0)
      return []
    }
    let plan = SyncPlan([full, try unit("/b")])
    let server = SyncPassTests.Pages(["/a": "a", "/b": "b"])
    await #expect { try await SyncPass(shelf, plan).copy(server) } throws: {
      $0 as? StoreError ~= .journal
    }
    #expect(server.asked == ["/a"])
  }

  @Test func `a copy that was refused is none, and nothing hangs on it`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let path = try Path("/a")
    try await shelf.land(try await shelf.begin(path), .init("before"))
    /// While it answers, something changes on the server.
    struct Changing: ReadTransport {
      let shelf: Shelf

      func get(_ path: Path, page: Int?) async throws -> Shelf.Reply {
        try await shelf.bump()
        return .init("late")
      }
    }
    let walked = Mutex(0)
    let plan = SyncPlan([
      try unit("/a") { _ in
        walked.withLock { $0 += 1 }
        return []
      }
    ])
    let result = try await SyncPass(shelf, plan).copy(Changing(shelf: shelf))
    #expect(result.failed.map(\.path) == [path] && result.landed == 0)
    #expect(walked.withLock { $0 } == 0)
    #expect(try shelf.text("/a") == "before")
  }

  @Test func `bytes that are here are counted once, when they come`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let plan = SyncPlan([SyncPlan.Unit(try Path("/p"), .bytes(mediaType: nil))])
    let server = SyncPassTests.Pages(["/p": "p"])
    #expect(try await SyncPass(shelf, plan).copy(server).landed == 1)
    #expect(try await SyncPass(shelf, plan).copy(server).landed == 0)
    #expect(server.asked == ["/p"])
  }

  @Test func `a pass is made every minute, and says that the clock asked for it`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let server = SyncPassTests.Pages(["/a": "a"])
    let pass = SyncPass(shelf, SyncPlan([try unit("/a")]))
    let running = Task { try await pass.keepRunning(sending: server, reading: server) }
    for _ in 0..<2 {
      #expect(await eventually { device.clock.sleeperCount == 1 })
      device.clock.advance(milliseconds: 59_999)
      #expect(device.clock.sleeperCount == 1)
      device.clock.advance(milliseconds: 1)
    }
    #expect(await eventually { server.asked.count == 3 })
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    let reasons = try entries(device).compactMap { $0.decoded(SyncBegan.self)?.reason }
    #expect(reasons == [.timer, .timer, .timer])
  }
}

/// What a watcher does with what it finds.
@Suite struct WatcherTests {
  /// A server that says of each look what came of it.
  final class Looks: Watcher.Source {
    private let looks: Mutex<[@Sendable () async throws -> Watcher.Look]>
    private let told: [String]

    init(_ looks: [@Sendable () async throws -> Watcher.Look], telling told: [String] = []) {
      self.looks = Mutex(looks)
      self.told = told
    }

    func look() async throws -> Watcher.Look {
      guard let look = looks.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        return .notYet
      }
      return try await look()
    }

    func events() async throws -> AsyncThrowingStream<Shelf.Reply, any Error> {
      let told = told
      return AsyncThrowingStream { stream in
        for text in told { stream.yield(.init(text)) }
        stream.finish()
      }
    }
  }

  private struct Broken: Error {}
  private let path = Path(canonical: Array("/turn".utf8))

  private func refusals(_ device: Device) throws -> [String] {
    try JournalReader(device.place.path).allEntries()
      .compactMap { $0.decoded(ReadRefused.self) }
      .map { "\($0.reason.rawValue) \($0.status ?? 0)" }
  }

  @Test func `a look that fails or finds nothing ends its read, and it is looked for again`()
    async throws
  {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let looks = Looks([
      { throw Broken() }, { .notYet }, { throw CancellationError() },
      { .found(.init("done"), isRunning: false) },
    ])
    let watcher = Watcher(shelf, path, looks)
    await watcher.enter()
    for count in 1...3 {
      #expect(await eventually { device.clock.sleeperCount == 1 })
      #expect(await watcher.lookCount == count)
      #expect(!shelf.screen(path).isLoading)
      device.clock.advance(milliseconds: 1500)
    }
    #expect(await eventually { await !watcher.isLooking })
    #expect(try refusals(device) == ["failed 0", "failed 404", "cancelled 0"])
    #expect(try shelf.text("/turn") == "done")
    #expect(await watcher.lookCount == 4)
    #expect(device.clock.sleeperCount == 0)
  }

  @Test func `what runs is followed, each event is the copy and makes reads late`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let looks = Looks(
      [{ .found(.init("0"), isRunning: true) }, { .found(.init("9"), isRunning: false) }],
      telling: ["1", "2"]
    )
    let watcher = Watcher(shelf, path, looks)
    await watcher.enter()
    #expect(await eventually { device.clock.sleeperCount == 1 })
    #expect(try shelf.text("/turn") == "2")
    #expect(shelf.generation == 2)
    let early = try await shelf.begin(Path("/list"))
    try await shelf.record(.init("3"), at: path)
    guard case .refused(.generation, _) = try await shelf.land(early, .init("old")) else {
      return #expect(Bool(false), "it landed")
    }
    device.clock.advance(milliseconds: 1500)
    #expect(await eventually { await !watcher.isLooking })
    #expect(try shelf.text("/turn") == "9")
    try await device.check()
  }

  @Test func `what is found and does not run asks for no events`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let looks = Looks([{ .found(.init("0"), isRunning: false) }], telling: ["1"])
    let watcher = Watcher(shelf, path, looks)
    await watcher.enter()
    #expect(await eventually { await !watcher.isLooking })
    #expect(try shelf.text("/turn") == "0")
  }

  @Test func `a disk that fails ends no looking`() async throws {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    let shelf = try await device.open("https://a.example")
    faults.fail(afterCommits: 0)
    let watcher = Watcher(shelf, path, Looks([]))
    await watcher.enter()
    #expect(await eventually { device.clock.sleeperCount == 1 })
    #expect(await watcher.isLooking)
  }

  @Test func `behind the last viewer there is not one more look`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let watcher = Watcher(shelf, path, Looks([]))
    await watcher.enter()
    #expect(await eventually { device.clock.sleeperCount == 1 })
    await watcher.leave()
    #expect(await eventually { device.clock.sleeperCount == 2 })
    // The next look is due half a second later: its wait must end, not wake up.
    device.clock.advance(milliseconds: 1000)
    #expect(await eventually { await !watcher.isLooking })
    #expect(await eventually { device.clock.sleeperCount == 0 })
    #expect(await watcher.lookCount == 1)
  }

  @Test func `looking ends a second after the last viewer, and not a moment before`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let watcher = Watcher(shelf, path, Looks([]))
    await watcher.enter()
    await watcher.enter()
    #expect(await eventually { device.clock.sleeperCount == 1 })
    #expect(await watcher.lookCount == 1, "two viewers, one look")
    await watcher.leave()
    await watcher.leave()
    #expect(await eventually { device.clock.sleeperCount == 2 })
    device.clock.advance(milliseconds: 999)
    #expect(device.clock.sleeperCount == 2)
    // Back in time, and gone again: the second counts anew.
    await watcher.enter()
    await watcher.leave()
    #expect(await eventually { device.clock.sleeperCount == 3 })
    device.clock.advance(milliseconds: 1)
    #expect(device.clock.sleeperCount == 2)
    #expect(await watcher.isLooking)
    device.clock.advance(milliseconds: 999)
    #expect(await eventually { await !watcher.isLooking })
    #expect(await eventually { device.clock.sleeperCount == 0 })
  }
}
