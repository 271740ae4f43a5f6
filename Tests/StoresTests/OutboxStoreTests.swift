import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay
import TidemarkStores

/// The live outbox: nothing leaves it but by an answer with its copies, or by a person.
@Suite struct OutboxStoreTests {
  private let note = Outbox.Work("POST", Path(canonical: Array("/new/1".utf8)), content: [1, 2])

  private func enqueue(_ outbox: Outbox, _ key: String, lane: String? = nil) async throws {
    var work = note
    work.lane = lane
    try await outbox.enqueue(work, key: IdempotencyKey(key))
  }

  private func ready(_ outbox: Outbox) async throws -> [String] {
    try await outbox.ready().map(\.key.description)
  }

  @Test func `an item retires when its record and its files stand as copies`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let outbox = shelf.outbox
    var work = note
    work.files = [.init("a.png", mediaType: "image/png", [9, 9, 9])]
    let key = try await outbox.enqueue(work)
    #expect(try outbox.content(of: outbox.items[0].files[0].body) == [9, 9, 9])
    try await outbox.send(key)
    let read = try await shelf.begin(Path("/notes"))
    let answered = try await outbox.accept(
      key,
      status: 201,
      copies: [
        (try Path("/new/1"), .init("made")), (try Path("/notes/41"), .init("made", revision: 1)),
      ]
    )
    #expect(answered.written == [try Path("/new/1"), try Path("/notes/41")])
    #expect(outbox.items.isEmpty)
    #expect(try shelf.text("/notes/41") == "made")
    // The copies fence: a read that began before them is late.
    guard case .refused(.generation, _) = try await shelf.land(read, .init("old")) else {
      return #expect(Bool(false), "it landed")
    }
    try await device.check()
  }

  @Test func `without an answer it stays, in doubt, under its key`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await enqueue(outbox, "k1")
    let key = try IdempotencyKey("k1")
    try await outbox.send(key)
    #expect(try await ready(outbox) == [])
    await #expect { try await outbox.send(key) } throws: { $0 as? StoreError ~= .underWay }
    try await outbox.lose(key, .timeout)
    #expect(outbox.item(key)?.standing == .inDoubt)
    #expect(try await ready(outbox) == [])
    device.clock.advance(milliseconds: 1000)
    #expect(try await ready(outbox) == ["k1"])
    #expect(try await outbox.send(key).attempts == 2)
  }

  @Test func `waits double, and what never left the device spends nothing`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await enqueue(outbox, "k1")
    let key = try IdempotencyKey("k1")
    var waits: [Int64] = []
    for _ in 0..<8 {
      try await outbox.send(key)
      try await outbox.refuse(key, status: 503)
      let until = try #require(outbox.item(key)?.retryAt)
      waits.append(until.milliseconds - device.clock.now.milliseconds)
      device.clock.advance(milliseconds: waits[waits.count - 1])
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 64].map { $0 * 1000 })
    try await outbox.send(key)
    try await outbox.lose(key, .unreachable)
    #expect(outbox.item(key)?.attempts == 8)
    #expect(outbox.item(key)?.standing == .pending)
  }

  @Test func `the server's own wait counts if it is longer`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await enqueue(outbox, "k1")
    let key = try IdempotencyKey("k1")
    try await outbox.send(key)
    try await outbox.refuse(key, status: 429, retryAfter: 120_000)
    #expect(outbox.nextTime?.milliseconds == device.clock.now.milliseconds + 120_000)
  }

  @Test func `a lane keeps its order, and what is parked holds back its own lane only`()
    async throws
  {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    for (key, lane) in [("a1", "a"), ("b1", "b"), ("a2", "a")] {
      try await enqueue(outbox, key, lane: lane)
    }
    #expect(try await ready(outbox) == ["a1", "b1"])
    await #expect { try await outbox.send(IdempotencyKey("a2")) } throws: {
      $0 as? StoreError ~= .notItsTurn
    }
    try await outbox.send(IdempotencyKey("a1"))
    try await outbox.refuse(IdempotencyKey("a1"), status: 422)
    #expect(outbox.items.first?.standing == .parked(.rejected))
    #expect(try await ready(outbox) == ["b1"])
    try await outbox.retry(IdempotencyKey("a1"))
    #expect(try await ready(outbox) == ["a1", "b1"])
    try await outbox.discard(IdempotencyKey("a1"), reason: "a mistake")
    #expect(try await ready(outbox) == ["b1", "a2"])
    try await device.check()
  }

  @Test(arguments: [401, 403])
  func `who is not signed in holds it, until somebody is`(status: UInt64) async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await enqueue(outbox, "k1")
    try await outbox.send(IdempotencyKey("k1"))
    try await outbox.refuse(IdempotencyKey("k1"), status: status)
    #expect(outbox.items[0].standing == .held)
    #expect(try await ready(outbox) == [])
    try await outbox.signedIn()
    #expect(try await ready(outbox) == ["k1"])
  }

  @Test func `an old doubt is handed to a person, where keys are forgotten`() async throws {
    let device = try Device()
    device.options.retries.keyRetention = 86_400_000
    let outbox = try await device.open("https://a.example").outbox
    try await enqueue(outbox, "k1")
    try await outbox.send(IdempotencyKey("k1"))
    try await outbox.lose(IdempotencyKey("k1"), .cut)
    device.clock.advance(milliseconds: 86_400_001)
    #expect(try await ready(outbox) == [])
    #expect(outbox.items[0].standing == .parked(.expiredDoubt))
  }

  @Test func `what waits for another server is not sent to this one`() async throws {
    let device = try Device()
    let one = try await device.open("https://a.example")
    try await enqueue(one.outbox, "k1")
    let two = try await one.turn(to: Scope("https://b.example"))
    #expect(try await ready(two.outbox) == [])
    await #expect { try await two.outbox.send(IdempotencyKey("k1")) } throws: {
      $0 as? StoreError ~= .otherScope
    }
    let again = try await two.turn(to: Scope("https://a.example"))
    #expect(try await ready(again.outbox) == ["k1"])
    try await device.check()
  }

  @Test func `a key stands for one thing`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await enqueue(outbox, "k1")
    try await enqueue(outbox, "k1")
    #expect(outbox.items.count == 1)
    await #expect { try await enqueue(outbox, "k1", lane: "else") } throws: {
      $0 as? StoreError ~= .keyReused
    }
    #expect(outbox.items.count == 1)
  }

  @Test func `an attempt that a process left behind is in doubt and may go at once`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await enqueue(outbox, "k1")
    try await outbox.send(IdempotencyKey("k1"))
    let stores = try await device.reopen()
    #expect(stores.notices == [.inDoubt(1)])
    let again = try await device.open("https://a.example").outbox
    #expect(again.items[0].standing == .inDoubt)
    #expect(try await ready(again) == ["k1"])
  }

  @Test func `clearing copies leaves what the user did`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    try await shelf.land(try await shelf.begin(Path("/a")), .init("copy"))
    try await enqueue(shelf.outbox, "k1")
    try await shelf.clear()
    #expect(shelf.paths.isEmpty)
    #expect(shelf.outbox.items.count == 1)
  }

  @Test func `what is answered and not copied is finished, not sent`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    try await enqueue(shelf.outbox, "k1")
    let key = try IdempotencyKey("k1")
    try await shelf.outbox.send(key)
    try await shelf.outbox.acceptUnfinished(key, status: 201, content: [7])
    #expect(shelf.outbox.items[0].standing == .answered)
    await #expect { try await shelf.outbox.send(key) } throws: { $0 as? StoreError ~= .answered }
    try await shelf.outbox.finish(key, copies: [(try Path("/new/1"), .init("x"))])
    #expect(shelf.outbox.items.isEmpty)
    #expect(try shelf.text("/new/1") == "x")
  }
}

/// The cases of an error without what they carry.
enum StoreErrorCase {
  case underWay, notItsTurn, otherScope, keyReused, answered, unreadable, unknown, over, journal

  static func ~= (error: StoreError?, wanted: StoreErrorCase) -> Bool {
    switch (error, wanted) {
    case (.underWay?, .underWay), (.notItsTurn?, .notItsTurn), (.otherScope?, .otherScope),
      (.keyReused?, .keyReused), (.answered?, .answered), (.unreadable?, .unreadable),
      (.unknown?, .unknown), (.over?, .over), (.journal?, .journal):
      true
    default: false
    }
  }
}

/// A pass over the outbox on a device that fails in between.
@Suite struct OutboxDrainTests {
  @Test
  func `an answer that cannot be written down is written by the next pass, and not sent again`()
    async throws
  {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    let shelf = try await device.open("https://a.example")
    let server = SyncPassTests.Pages([:])
    try await shelf.outbox.enqueue(.init("POST", Path("/new")), key: IdempotencyKey("k1"))
    // The send is the first commit, the answer the second.
    faults.fail(afterCommits: 1)
    await #expect(throws: StoreError.self) { try await shelf.outbox.drain(server) }
    faults.heal()
    #expect(shelf.outbox.items.map(\.standing) == [.inFlight])
    try await shelf.outbox.drain(server)
    #expect(shelf.outbox.items.isEmpty)
    #expect(server.sent == ["k1"])
    #expect(try shelf.text("/new") == "made")
    try await device.check()
  }
}
