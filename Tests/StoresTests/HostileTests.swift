import Foundation
import Synchronization
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkSQLite
import TidemarkStores

import enum TidemarkProjections.ProjectionCatalogue
import class TidemarkProjections.ProjectionsFile

/// What a server, another process or the device does that nobody asked for.
@Suite struct HostileTests {
  typealias Pages = SyncPassTests.Pages

  /// Holds each answer until it is told to go on.
  final class Held: OutboxTransport {
    private let state = Mutex((waiting: [CheckedContinuation<Void, Never>](), sent: [String]()))
    var sent: [String] { state.withLock { $0.sent } }
    func release() { state.withLock { $0.waiting.popLast() }?.resume() }

    func send(_ request: OutboxRequest) async -> OutboxReply {
      await withCheckedContinuation { go in
        state.withLock {
          $0.sent.append(request.item.key.description)
          $0.waiting.append(go)
        }
      }
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

  @Test func `an answer that comes when its store is over is not lost`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    try await shelf.outbox.enqueue(.init("POST", Path("/new")), key: IdempotencyKey("k1"))
    let held = Held()
    async let drained = shelf.outbox.drain(held)
    while held.sent.isEmpty { await Task.yield() }
    let again = try await device.open("https://a.example")
    held.release()
    _ = try? await drained
    #expect(again.outbox.items.map(\.standing) == [.answered])
    try await again.outbox.drain(Pages([:]))
    #expect(again.outbox.items.isEmpty)
    #expect(try again.text("/new") == "made")
    try await device.check()
  }

  @Test func `attempts of an earlier process go on although the disk was full on opening`()
    async throws
  {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    try await sendOne(device)
    device.crash()
    faults.fail(afterCommits: 0)
    _ = try await device.start()
    faults.heal()
    let again = try await device.open("https://a.example").outbox
    let server = Pages([:])
    try await again.drain(server)
    #expect(server.sent == ["k1"])
    #expect(again.items.isEmpty)
    try await device.check()
  }

  private func sendOne(_ device: Device) async throws {
    let outbox = try await device.open("https://a.example").outbox
    try await outbox.enqueue(.init("POST", Path("/new")), key: IdempotencyKey("k1"))
    try await outbox.send(IdempotencyKey("k1"))
  }

  private func keepOne(_ device: Device) async throws {
    let shelf = try await device.open("https://a.example")
    try await device.stores?.save()
    try await shelf.keep([1], at: Path("/a"))
  }

  @Test func `a list with an id that no entry can hold is refused`() async throws {
    let device = try Device()
    let pins = try await device.open("https://a.example").pins()
    let id = String(repeating: "x", count: 70_000)
    #expect(
      try await pins.receive(try await pins.start(), .init(#"[{"id":"\#(id)"}]"#))
        == .refused(.malformed)
    )
    _ = try await pins.start()
  }

  @Test func `a pass whose end could not be written does not keep out the next`() async throws {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    let pins = try await device.open("https://a.example").pins()
    await #expect(throws: StoreError.self) {
      try await pins.sync { _ in
        faults.fail(afterCommits: 0)
        return .init("[]")
      }
    }
    faults.heal()
    #expect(try await pins.sync { _ in .init("[]") } == .taken(count: 0))
    try await device.check()
  }

  @Test func `a page of more rows than an entry names ends the read`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let page = "[" + (0..<10_000).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    let landing = try await shelf.readList(try Path("/l"), pageSize: 500) { _ in .init(page) }
    #expect(landing == .refused(.malformed, witness: nil))
    try await device.check()
  }

  @Test func `a share that no entry can hold does not keep others out`() async throws {
    let device = try Device()
    let folder = device.place.folder.path + "/inbox"
    func share(_ first: UInt64, _ change: (inout Outbox.Work) -> Void) throws -> String {
      let writer = try ShareWriter(inbox: folder, chance: Fixed(value: first))
      var work = Outbox.Work("POST", try Path("/a"))
      change(&work)
      try writer.add(work)
      try writer.finish()
      return writer.id
    }
    _ = try share(1) { $0.label = String(repeating: "l", count: 65_480) }
    let good = try share(2) { _ in }
    let inbox = try await device.open("https://a.example").inbox(folder)
    let imported = try await inbox.importAll()
    #expect(imported.shares == [good])
    #expect(imported.unreadable.count == 1)
    try await device.check()
  }

  struct Fixed: RandomNumberGenerator {
    var value: UInt64
    mutating func next() -> UInt64 { value }
  }

  @Test func `nothing that is enqueued at any moment is overlooked`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    let server = Pages([:])
    let running = Task { try await outbox.run(server) }
    for number in 0..<100 {
      try await outbox.enqueue(.init("POST", Path("/n")), key: IdempotencyKey("k\(number)"))
      while server.sent.count <= number { await Task.yield() }
    }
    running.cancel()
    _ = try? await running.value
    #expect(server.sent.count == 100)
  }

  @Test func `no wait that a server asks for ends the process`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await outbox.enqueue(.init("POST", Path("/n")), key: IdempotencyKey("k"))
    try await outbox.send(IdempotencyKey("k"))
    try await outbox.refuse(IdempotencyKey("k"), status: 503, retryAfter: .max)
    #expect(outbox.nextTime == DeviceTime(milliseconds: .max))
  }

  @Test func `no policy ends the process`() async throws {
    let device = try Device()
    device.options.retries.longest = .max
    let outbox = try await device.open("https://a.example").outbox
    try await outbox.enqueue(.init("POST", Path("/n")), key: IdempotencyKey("k"))
    for _ in 0..<70 {
      try await outbox.send(IdempotencyKey("k"))
      try await outbox.refuse(IdempotencyKey("k"), status: 503)
      try await outbox.retry(IdempotencyKey("k"))
    }
    #expect(outbox.items.map(\.attempts) == [70])
  }

  @Test func `the clock of the device sleeps until far away`() async throws {
    try await DeviceClock.system.sleep(DeviceTime(milliseconds: .min))
    let far = Task { try await DeviceClock.system.sleep(DeviceTime(milliseconds: .max)) }
    far.cancel()
    await #expect(throws: CancellationError.self) { try await far.value }
  }

  @Test(arguments: ["", "P OST", "POST\r\nX: y", "GET\n"])
  func `a method that stands in no request is not authored`(method: String) async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    await #expect(throws: StoreError.self) { try await outbox.enqueue(.init(method, Path("/n"))) }
    #expect(outbox.items.isEmpty)
  }

  @Test func `projections that cannot be written are no reason not to open`() async throws {
    let device = try Device()
    try await keepOne(device)
    device.crash()
    let database = try Database(
      path: ProjectionsFile.path(for: device.place.path),
      access: .write(creating: false)
    )
    try database.execute("BEGIN IMMEDIATE")
    let again = try await device.open("https://a.example")
    #expect(try again.copy(of: Path("/a")) != nil)
    try database.execute("ROLLBACK")
    try await device.check()
  }

  @Test func `two stores of one process do not share a journal`() async throws {
    let device = try Device()
    _ = try await device.start()
    await #expect(throws: StoreError.self) {
      _ = try await Stores.open(device.place.path, device.options)
    }
  }

  @Test func `folders, pipes and links in the inbox are not followed`() async throws {
    let device = try Device()
    let folder = device.place.folder.path + "/inbox"
    try FileManager.default.createDirectory(
      atPath: folder + "/0.share",
      withIntermediateDirectories: true
    )
    #expect(mkfifo(folder + "/1.share", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/2.share",
      withDestinationPath: device.place.path
    )
    let inbox = try await device.open("https://a.example").inbox(folder)
    #expect(try await inbox.importAll().unreadable == ["0.share", "1.share", "2.share"])
    for name in ["1.share", "2.share"] { try await inbox.discard(name) }
    #expect(FileManager.default.fileExists(atPath: device.place.path))
  }

  @Test func `a journal whose folder is gone says so`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    try FileManager.default.removeItem(atPath: device.place.folder.path)
    await #expect(throws: StoreError.self) {
      try await shelf.outbox.enqueue(.init("POST", Path("/n")))
    }
    #expect(shelf.outbox.items.isEmpty)
  }

  @Test func `after close nothing runs on`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    let running = Task { try await outbox.run(Pages([:])) }
    try await device.stores?.close()
    await #expect(throws: StoreError.self) { try await running.value }
    await #expect(throws: StoreError.self) { _ = try await outbox.ready() }
    try await device.stores?.close()
  }

  @Test func `what is answered and cannot be copied is tried again by itself`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    let server = Later()
    let running = Task { try await outbox.run(server) }
    try await outbox.enqueue(.init("POST", Path("/n")), key: IdempotencyKey("k"))
    for wait: Int64 in [1000, 2000, 4000] {
      while device.clock.sleeperCount == 0 { await Task.yield() }
      #expect(outbox.items.map(\.standing) == [.answered])
      device.clock.advance(milliseconds: wait)
    }
    while !outbox.items.isEmpty { await Task.yield() }
    running.cancel()
    _ = try? await running.value
    try await device.check()
  }

  final class Later: OutboxTransport {
    private let tries = Mutex(0)

    func send(_ request: OutboxRequest) async -> OutboxReply {
      .answer(status: 201, content: Array("made".utf8))
    }

    func copies(
      of item: OutboxItem,
      status: UInt64,
      content: [UInt8]
    ) throws -> [(path: Path, reply: Shelf.Reply)] {
      let count = tries.withLock { count in
        count += 1
        return count
      }
      guard count > 3 else { throw Pages.Missing() }
      return [(item.path, Shelf.Reply(content))]
    }
  }

  @Test func `a 409 while a lost attempt may be at work waits, later it is a refusal`()
    async throws
  {
    let device = try Device()
    device.options.retries.keyRetention = 86_400_000
    let outbox = try await device.open("https://a.example").outbox
    let key = try IdempotencyKey("k")
    try await outbox.enqueue(.init("POST", Path("/n")), key: key)
    try await outbox.send(key)
    try await outbox.lose(key, .timeout)
    let since = outbox.item(key)?.doubtSince
    for _ in 0..<3 {
      device.clock.advance(milliseconds: 64_000)
      try await outbox.send(key)
      try await outbox.refuse(key, status: 409)
      #expect(outbox.item(key)?.standing == .inDoubt)
      #expect(outbox.item(key)?.doubtSince == since)
      #expect(outbox.item(key)?.retryAt != nil)
    }
    try await device.reopen()
    let again = try await device.open("https://a.example").outbox
    device.clock.advance(milliseconds: 600_000)
    try await again.send(key)
    try await again.refuse(key, status: 409)
    #expect(again.item(key)?.standing == .parked(.rejected))
    try await again.discard(key)
    let other = try IdempotencyKey("other")
    try await again.enqueue(.init("POST", Path("/n")), key: other)
    try await again.send(other)
    try await again.refuse(other, status: 409)
    #expect(again.item(other)?.standing == .parked(.rejected))
    try await device.check()
  }

  @Test func `a file with any name can be given up, and reported again`() async throws {
    let device = try Device()
    let folder = device.place.folder.path + "/inbox"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let inbox = try await device.open("https://a.example").inbox(folder)
    for name in [String(repeating: "n", count: 249) + ".share", "a\nb.share"] {
      for _ in 0..<2 {
        try Data([1]).write(to: URL(filePath: folder + "/" + name))
        #expect(try await inbox.importAll().unreadable == [name])
        #expect(inbox.unreadable.map(\.name) == [name])
        try await inbox.discard(name)
        #expect(inbox.unreadable.isEmpty)
      }
    }
    try await device.check()
  }

  @Test func `a preview has no characters where none are allowed`() {
    #expect(TextPreview.cut("abc", toUTF16Count: .min) == "")
    #expect(TextPreview.cut("abc", toUTF16Count: .max) == "abc")
  }
}
