import Synchronization
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// The sync pass by a plan, and the watcher's cadences.
@Suite struct SyncPassTests {
  /// A server that answers GET from a table; what is missing there fails.
  final class Pages: ReadTransport, OutboxTransport {
    private let state = Mutex((pages: [String: String](), asked: [String](), sent: [String]()))

    init(_ pages: [String: String]) { state.withLock { $0.pages = pages } }

    var asked: [String] { state.withLock { $0.asked } }
    var sent: [String] { state.withLock { $0.sent } }

    struct Missing: Error {}

    func get(_ path: Path, page: Int?) async throws -> Shelf.Reply {
      let name = page.map { "\(path)?page=\($0)" } ?? path.description
      return try state.withLock { state in
        state.asked.append(name)
        guard let text = state.pages[name] else { throw Missing() }
        return Shelf.Reply(text)
      }
    }

    func send(_ request: OutboxRequest) async -> OutboxReply {
      state.withLock { $0.sent.append(request.item.key.description) }
      return .answer(status: 201, content: Array("made".utf8))
    }

    func copies(
      of item: OutboxItem,
      status: UInt64,
      content: [UInt8]
    ) throws -> [(path: Path, reply: Shelf.Reply)] {
      [(item.path, Shelf.Reply(content))]
    }
  }

  private static func plan() throws -> SyncPlan {
    @Sendable func links(_ content: [UInt8]) throws -> [SyncPlan.Unit] {
      try String(decoding: content, as: UTF8.self).split(separator: " ")
        .filter { $0.hasPrefix("/") }.map { try SyncPlan.Unit(Path(String($0)), next: links) }
    }
    let photo: @Sendable ([UInt8]) throws -> [SyncPlan.Unit] = { content in
      guard content == Array("note 1".utf8) else { return [] }
      return [.init(try Path("/photo"), .bytes(mediaType: "image/png"))]
    }
    return SyncPlan([
      .init(try Path("/notes"), .list(pageSize: 2, idName: "id")) { content in
        String(decoding: content, as: UTF8.self).split(separator: ":").dropFirst().compactMap {
          $0.first.flatMap { try? SyncPlan.Unit(Path("/notes/\($0)"), next: photo) }
        }
      },
      .init(try Path("/class/root"), next: links),
    ])
  }

  private static let all = [
    "/notes?page=0": #"[{"id":1},{"id":2}]"#, "/notes?page=1": #"[{"id":3}]"#,
    "/notes/1": "note 1", "/notes/2": "note 2", "/notes/3": "note 3", "/photo": "bytes",
    "/class/root": "to /class/a and /class/b", "/class/a": "back to /class/root",
    "/class/b": "on to /class/a",
  ]

  @Test func `a pass sends first, then copies all that hangs together, each once`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let server = Pages(Self.all)
    try await shelf.outbox.enqueue(.init("POST", Path("/new")), key: IdempotencyKey("k1"))
    let pass = SyncPass(shelf, try Self.plan())
    let result = try await pass.run(sending: server, reading: server)
    #expect(result.outcome == .whole)
    #expect(result.landed == 8)
    #expect(server.sent == ["k1"])
    #expect(Set(server.asked).count == server.asked.count)
    #expect(try shelf.text("/notes") == #"[{"id":1},{"id":2},{"id":3}]"#)
    #expect(try shelf.copy(of: Path("/photo"))?.isImmutable == true)
    _ = try await pass.copy(server)
    #expect(server.asked.filter { $0 == "/photo" }.count == 1)
    try await device.check()
  }

  @Test func `what landed is kept, and nothing hangs on a list that failed`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    var pages = Self.all
    pages["/notes?page=1"] = nil
    pages["/class/b"] = nil
    let server = Pages(pages)
    let result = try await SyncPass(shelf, try Self.plan()).copy(server)
    #expect(result.outcome == .part)
    #expect(result.failed.map(\.path) == [try Path("/notes"), try Path("/class/b")])
    for (_, obstacle) in result.failed {
      guard case .error(let error) = obstacle else {
        return #expect(Bool(false), "\(obstacle)")
      }
      #expect(error is Pages.Missing)
    }
    #expect(!server.asked.contains("/notes/1"))
    #expect(try shelf.text("/class/a") == "back to /class/root")
    #expect(try shelf.copy(of: Path("/notes")) == nil)
    try await device.check()
  }

  /// Says *not yet* until it is told what is there.
  final class Moment: Watcher.Source {
    let reply = Mutex<Shelf.Reply?>(nil)

    func look() async throws -> Watcher.Look {
      reply.withLock { $0.map { .found($0, isRunning: false) } ?? .notYet }
    }

    func events() async throws -> AsyncThrowingStream<Shelf.Reply, any Error> {
      AsyncThrowingStream { $0.finish() }
    }
  }

  /// Goes on when everybody sleeps.
  private func advance(_ clock: ManualClock, _ milliseconds: Int64) async {
    while clock.sleeperCount == 0 { await Task.yield() }
    clock.advance(milliseconds: milliseconds)
  }

  @Test func `a moment is looked for every 1,5 s for 90 s, then every 5 s`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let moment = Moment()
    let watcher = Watcher(shelf, try Path("/turn"), moment)
    await watcher.enter()
    for _ in 0..<60 { await advance(device.clock, 1500) }
    while device.clock.sleeperCount == 0 { await Task.yield() }
    #expect(await watcher.lookCount == 61)
    device.clock.advance(milliseconds: 1500)
    #expect(device.clock.sleeperCount == 1)
    await advance(device.clock, 3500)
    while device.clock.sleeperCount == 0 { await Task.yield() }
    #expect(await watcher.lookCount == 62)
    moment.reply.withLock { $0 = Shelf.Reply("done") }
    device.clock.advance(milliseconds: 5000)
    while await watcher.isLooking { await Task.yield() }
    #expect(try shelf.text("/turn") == "done")
  }

  @Test func `looking ends a second after the last viewer has left`() async throws {
    let device = try Device()
    let watcher = Watcher(try await device.open("https://a.example"), try Path("/turn"), Moment())
    await watcher.enter()
    await watcher.enter()
    await watcher.leave()
    while device.clock.sleeperCount < 1 { await Task.yield() }
    #expect(await watcher.isLooking)
    await watcher.leave()
    while device.clock.sleeperCount < 2 { await Task.yield() }
    await watcher.enter()
    device.clock.advance(milliseconds: 1000)
    while device.clock.sleeperCount < 1 { await Task.yield() }
    #expect(await watcher.isLooking)
    await watcher.leave()
    while device.clock.sleeperCount < 2 { await Task.yield() }
    device.clock.advance(milliseconds: 1000)
    while await watcher.isLooking { await Task.yield() }
  }
}
