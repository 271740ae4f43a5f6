import Synchronization
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// A pass over the outbox: what each reply does, and what ends the pass.
@Suite struct OutboxPassTests {
  private let key = IdempotencyKey(unchecked: Array("k1".utf8))
  private let path = Path(canonical: Array("/new".utf8))

  /// A server that answers as it is told, and an app that understands what it is told to.
  final class Answers: OutboxTransport {
    struct Strange: Error {}

    let state: Mutex<(replies: [OutboxReply], understands: Bool)>
    let sent = Mutex<[String]>([])
    let before: @Sendable (OutboxRequest) async -> Void

    init(
      _ replies: [OutboxReply],
      understands: Bool = true,
      before: @escaping @Sendable (OutboxRequest) async -> Void = { _ in }
    ) {
      state = Mutex((replies, understands))
      self.before = before
    }

    func send(_ request: OutboxRequest) async -> OutboxReply {
      await before(request)
      sent.withLock { $0.append(request.item.key.description) }
      return state.withLock { state in
        state.replies.isEmpty ? .answer(status: 200, content: []) : state.replies.removeFirst()
      }
    }

    func copies(
      of item: OutboxItem,
      status: UInt64,
      content: [UInt8]
    ) throws -> [(path: Path, reply: Shelf.Reply)] {
      guard state.withLock(\.understands) else { throw Strange() }
      return [(item.path, Shelf.Reply(content, status: status))]
    }
  }

  private func outbox(_ device: Device, _ keys: [String] = ["k1"]) async throws -> Outbox {
    let outbox = try await device.open("https://a.example").outbox
    for key in keys { try await outbox.enqueue(.init("POST", path), key: IdempotencyKey(key)) }
    return outbox
  }

  @Test(
    arguments: [
      (199, false, false), (200, false, true), (299, false, true), (300, false, false),
      (409, true, true), (409, false, false),
    ] as [(UInt64, Bool, Bool)]
  )
  func `success is 2xx, or that the server had it already`(
    status: UInt64,
    isDuplicate: Bool,
    isDone: Bool
  ) async throws {
    let device = try Device()
    let outbox = try await outbox(device)
    let server = Answers([.answer(status: status, content: [1], isDuplicate: isDuplicate)])
    let drained = try await outbox.drain(server)
    #expect(drained.retired == (isDone ? [key] : []))
    #expect(drained.kept == (isDone ? [] : [key]))
    #expect(outbox.items.isEmpty == isDone)
  }

  @Test func `a pass goes in the order of authoring over all lanes, past the lane that waits`()
    async throws
  {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    let other = try await device.open("https://b.example").outbox
    let work = [("a1", "a"), ("b1", "b"), ("a2", "a"), ("c1", nil), ("b2", "b"), ("a3", "a")]
    try await other.enqueue(.init("POST", path), key: IdempotencyKey("elsewhere"))
    for (key, lane) in work {
      try await outbox.enqueue(.init("POST", path, lane: lane), key: IdempotencyKey(key))
    }
    // The second one is told to wait, and its lane with it.
    let done = OutboxReply.answer(status: 200, content: [])
    let server = Answers([done, .answer(status: 503, content: [])])
    try await outbox.drain(server)
    #expect(server.sent.withLock { $0 } == ["a1", "b1", "a2", "c1", "a3"])
    #expect(outbox.items.map(\.key.description) == ["b1", "b2"])
  }

  @Test func `the wait that a server asks for is kept`() async throws {
    let device = try Device()
    let outbox = try await outbox(device)
    try await outbox.drain(Answers([.answer(status: 503, content: [], retryAfter: 90_000)]))
    let now = device.clock.now.milliseconds
    #expect(outbox.items.first?.retryAt?.milliseconds == now + 90_000)
  }

  @Test func `an answer that is not understood is finished when it is, and not sent again`()
    async throws
  {
    let device = try Device()
    let outbox = try await outbox(device)
    let server = Answers([.answer(status: 201, content: [5])], understands: false)
    #expect(try await outbox.drain(server).kept == [key])
    #expect(outbox.items.first?.standing == .answered)
    #expect(try await outbox.drain(server).kept == [key])
    server.state.withLock { $0.understands = true }
    #expect(try await outbox.drain(server).retired == [key])
    let copy = try #require(outbox.shelf.copy(of: path))
    #expect(try outbox.shelf.content(of: copy) == [5])
    #expect(copy.status == 201)
    #expect(server.sent.withLock { $0 } == ["k1"])
    try await device.check()
  }

  @Test func `a file that cannot be read holds back its own lane alone`() async throws {
    let device = try Device()
    let outbox = try await outbox(device, [])
    // Its bytes are known by their digest, and are nowhere on this device.
    try await outbox.enqueue(
      .init("POST", path, files: [.init("a", Array("the photo".utf8))]),
      key: key
    )
    try await outbox.enqueue(.init("POST", path), key: IdempotencyKey("k2"))
    try await device.stores?.close()
    try device.place.tamper("DELETE FROM bodies")
    device.crash()
    let again = try await device.open("https://a.example").outbox
    let server = Answers([])
    let drained = try await again.drain(server)
    #expect(drained.unreadable == [key])
    #expect(drained.retired.map(\.description) == ["k2"])
    #expect(again.items.map(\.standing) == [.pending])
    #expect(server.sent.withLock { $0 } == ["k2"])
  }

  @Test func `a disk that fails ends the pass before anything is sent`() async throws {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    let outbox = try await outbox(device, ["k1", "k2"])
    faults.fail(afterCommits: 0)
    let server = Answers([])
    await #expect { try await outbox.drain(server) } throws: { $0 as? StoreError ~= .journal }
    #expect(server.sent.withLock { $0 }.isEmpty)
    #expect(outbox.items.map(\.standing) == [.pending, .pending])
  }

  @Test func `what another pass took meanwhile is left to it`() async throws {
    let device = try Device()
    let outbox = try await outbox(device, ["k1", "k2"])
    let other = IdempotencyKey(unchecked: Array("k2".utf8))
    // While the first is on its way, somebody else discards the second.
    let server = Answers([]) { request in
      guard request.item.key.description == "k1" else { return }
      try? await outbox.discard(other)
    }
    #expect(try await outbox.drain(server).retired == [key])
    #expect(outbox.items.isEmpty)
    #expect(server.sent.withLock { $0 } == ["k1"])
  }

  @Test func `a pass that is cancelled ends between two items`() async throws {
    let device = try Device()
    let outbox = try await outbox(device, ["k1", "k2"])
    let server = Answers([]) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    let pass = Task { try await outbox.drain(server) }
    await #expect(throws: CancellationError.self) { try await pass.value }
    #expect(server.sent.withLock { $0 } == ["k1"])
    #expect(outbox.items.map(\.key.description) == ["k2"])
  }

  @Test func `an outbox that runs sends what comes, and what waits when its time has come`()
    async throws
  {
    let device = try Device()
    let outbox = try await outbox(device)
    let server = Answers([.answer(status: 503, content: [])])
    let run = Task { try await outbox.run(server) }
    #expect(await eventually { device.clock.sleeperCount == 1 })
    #expect(server.sent.withLock { $0 } == ["k1"])
    device.clock.advance(milliseconds: 1000)
    #expect(await eventually { outbox.items.isEmpty })
    #expect(server.sent.withLock { $0 } == ["k1", "k1"])
    try await outbox.enqueue(.init("POST", path), key: IdempotencyKey("k2"))
    #expect(await eventually { outbox.items.isEmpty })
    #expect(server.sent.withLock { $0 } == ["k1", "k1", "k2"])
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    try await device.check()
  }
}
