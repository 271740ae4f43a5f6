import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// What the outbox keeps of a work, and what each answer does to it.
@Suite struct OutboxRuleTests {
  private let key = IdempotencyKey(unchecked: Array("k1".utf8))
  private let path = Path(canonical: Array("/new".utf8))

  /// An outbox with one item, sent so many times and refused with 503 each time but the last.
  private func sent(_ device: Device, times: Int = 1) async throws -> Outbox {
    let outbox = try await device.open("https://a.example").outbox
    try await outbox.enqueue(.init("POST", path), key: key)
    for time in 1...times {
      if time > 1 { try await outbox.refuse(key, status: 503) }
      try await outbox.send(key)
    }
    return outbox
  }

  // MARK: What is kept

  @Test func `a work is shown as it was handed over, with the time that it was given`()
    async throws
  {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    let work = Outbox.Work("POST", path, label: "a note", link: "https://b.example", ttl: 5000)
    try await outbox.enqueue(work, key: key, at: DeviceTime(milliseconds: 7000))
    let item = try #require(outbox.items.first)
    #expect(item.authored.milliseconds == 7000)
    #expect(item.expires?.milliseconds == 12_000)
    #expect(item.label == "a note")
    #expect(item.link == "https://b.example")
  }

  @Test func `a time to live beyond what can be counted ends at the last time`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    try await outbox.enqueue(.init("POST", path, ttl: .max), key: key)
    #expect(outbox.items.first?.expires?.milliseconds == .max)
  }

  @Test func `works without a lane do not wait for each other`() async throws {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    for key in ["k1", "k2"] {
      try await outbox.enqueue(.init("POST", path), key: IdempotencyKey(key))
    }
    #expect(try await outbox.ready().map(\.key.description) == ["k1", "k2"])
  }

  @Test func `what waits for another account is not shown`() async throws {
    let device = try Device()
    let ann = try await device.open("https://a.example", account: "ann").outbox
    try await ann.enqueue(.init("POST", path), key: key)
    #expect(try await device.open("https://a.example", account: "bo").outbox.items.isEmpty)
    #expect(ann.items.count == 1)
  }

  // MARK: Answers

  @Test(
    arguments: [
      (400, .parked(.rejected)), (401, .held), (403, .held), (404, .parked(.rejected)),
      (408, .pending), (409, .parked(.rejected)), (422, .parked(.rejected)), (425, .pending),
      (429, .pending), (500, .pending), (503, .pending), (599, .pending),
    ] as [(UInt64, OutboxItem.Standing)]
  )
  func `a status says how it goes on, and whether it waits`(
    status: UInt64,
    standing: OutboxItem.Standing
  ) async throws {
    let device = try Device()
    let outbox = try await sent(device)
    try await outbox.refuse(key, status: status)
    #expect(outbox.items.first?.standing == standing)
    #expect((outbox.items.first?.retryAt != nil) == (standing == .pending))
    try await device.check()
  }

  @Test func `an answer is kept as it came, and says that it was one of before`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    let copies = [(path, Shelf.Reply("made", revision: 3))]
    try await outbox.accept(key, status: 409, content: [7, 8], isDuplicate: true, copies: copies)
    #expect(outbox.shelf.copy(of: path)?.revision == 3)
    let answered = try JournalReader(device.place.path).allEntries()
      .compactMap { $0.decoded(OutboxAnswered.self) }
    #expect(answered.map(\.verdict) == [.duplicate])
    let body = try #require(answered[0].answer)
    #expect(try outbox.content(of: body) == [7, 8])
  }

  @Test func `an answer makes late what the work touches, and nothing else`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let touches = [Touch(.exact, try Path("/notes"))]
    try await shelf.outbox.enqueue(.init("POST", path, touches: touches), key: key)
    try await shelf.outbox.send(key)
    let near = try await shelf.begin(Path("/notes"))
    let far = try await shelf.begin(Path("/tides"))
    try await shelf.outbox.accept(key, copies: [(path, .init("made"))])
    guard case .refused(.generation, _) = try await shelf.land(near, .init("old")),
      case .landed = try await shelf.land(far, .init("tides"))
    else { return #expect(Bool(false), "it reaches another way") }
    try await device.check()
  }

  @Test func `an answer is not written over what came since it was sent, which is suspect then`()
    async throws
  {
    let device = try Device()
    let outbox = try await sent(device)
    try await outbox.shelf.land(try await outbox.shelf.begin(path), .init("somebody else's"))
    let answered = try await outbox.accept(key, copies: [(path, .init("ours"))])
    #expect(answered.written == [] && answered.suspect == [path])
    #expect(try outbox.shelf.text("/new") == "somebody else's")
    #expect(outbox.shelf.copy(of: path)?.isSuspect == true)
    #expect(outbox.items.isEmpty)
    try await device.check()
  }

  @Test func `an answer counts as of the first attempt, however many were made`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    try await outbox.lose(key, .timeout)
    // The server may have taken the first attempt before this was read.
    try await outbox.shelf.land(try await outbox.shelf.begin(path), .init("newer"))
    try await outbox.send(key)
    #expect(try await outbox.accept(key, copies: [(path, .init("ours"))]).suspect == [path])
    #expect(try outbox.shelf.text("/new") == "newer")
    let entries = try JournalReader(device.place.path).allEntries()
    #expect(entries.compactMap { $0.decoded(OutboxSent.self)?.attempt } == [1, 2])
    try await device.check()
  }

  @Test func `what was rejected is told as parked in the journal`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    try await outbox.refuse(key, status: 422)
    let entries = try JournalReader(device.place.path).allEntries()
    #expect(entries.compactMap { $0.decoded(OutboxParked.self)?.reason } == [.rejected])
  }

  @Test func `an old doubt that is under way again is left to its answer`() async throws {
    let device = try Device()
    device.options.retries.keyRetention = 10_000
    let outbox = try await sent(device)
    try await outbox.lose(key, .timeout)
    device.clock.advance(milliseconds: 5000)
    try await outbox.send(key)
    device.clock.advance(milliseconds: 10_000)
    #expect(try await outbox.ready().isEmpty)
    try await outbox.refuse(key, status: 503)
    #expect(outbox.items.first?.doubtSince == nil, "it was read: there is no doubt")
  }

  // MARK: Waiting

  @Test func `so many attempts are made as the app says, then a person decides`() async throws {
    let device = try Device()
    device.options.retries.attemptsMax = 2
    let outbox = try await sent(device, times: 2)
    #expect(outbox.items.first?.attempts == 2)
    try await outbox.refuse(key, status: 503)
    #expect(outbox.items.first?.standing == .parked(.spent))
    // A person lets it go again; who is not reached has spent nothing.
    try await outbox.retry(key)
    try await outbox.send(key)
    try await outbox.lose(key, .unreachable)
    #expect(outbox.items.first?.standing == .pending)
    try await outbox.send(key)
    try await outbox.lose(key, .timeout)
    #expect(outbox.items.first?.standing == .parked(.spent))
    try await device.check()
  }

  @Test func `who has to sign in, or was rejected, is not spent`() async throws {
    let device = try Device()
    device.options.retries.attemptsMax = 1
    let outbox = try await sent(device)
    try await outbox.refuse(key, status: 401)
    #expect(outbox.items.first?.standing == .held)
  }

  @Test func `signing in lets go what was held for it, of this account`() async throws {
    let device = try Device()
    let bo = try await device.open("https://a.example", account: "bo").outbox
    try await bo.enqueue(.init("POST", path), key: IdempotencyKey("bo"))
    try await bo.send(IdempotencyKey("bo"))
    try await bo.refuse(IdempotencyKey("bo"), status: 401)
    let outbox = try await sent(device)
    try await outbox.refuse(key, status: 422)
    try await outbox.enqueue(.init("POST", path), key: IdempotencyKey("k2"))
    try await outbox.signedIn()
    #expect(bo.items.map(\.standing) == [.held])
    #expect(outbox.items.map(\.standing) == [.parked(.rejected), .pending])
    try await bo.signedIn()
    #expect(bo.items.map(\.standing) == [.pending])
  }

  @Test func `a doubt is old when the server's time is over, and only a doubt, and only here`()
    async throws
  {
    let device = try Device()
    device.options.retries.keyRetention = 10_000
    let bo = try await device.open("https://a.example", account: "bo").outbox
    try await bo.enqueue(.init("POST", path), key: IdempotencyKey("bo"))
    try await bo.send(IdempotencyKey("bo"))
    try await bo.lose(IdempotencyKey("bo"), .timeout)
    let outbox = try await sent(device)
    try await outbox.lose(key, .timeout)
    // What is refused for now after a doubt is in doubt no more.
    let other = try IdempotencyKey("k2")
    try await outbox.enqueue(.init("POST", path), key: other)
    try await outbox.send(other)
    try await outbox.lose(other, .timeout)
    device.clock.advance(milliseconds: 5000)
    try await outbox.send(other)
    try await outbox.refuse(other, status: 503)
    device.clock.advance(milliseconds: 5000)
    #expect(try await outbox.ready().map(\.key) == [key, other])
    device.clock.advance(milliseconds: 1)
    #expect(try await outbox.ready().map(\.key) == [other])
    #expect(outbox.items.map(\.standing) == [.parked(.expiredDoubt), .pending])
    #expect(bo.items.map(\.standing) == [.inDoubt])
  }

  @Test func `a doubt is as old as its first attempt, until a person looks`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    let first = device.clock.now
    try await outbox.lose(key, .timeout)
    device.clock.advance(milliseconds: 5000)
    try await outbox.send(key)
    try await outbox.lose(key, .cut)
    #expect(outbox.items.first?.doubtSince == first)
    // Nothing left the device: what was in doubt still is.
    try await outbox.send(key)
    try await outbox.lose(key, .unreachable)
    #expect(outbox.items.first?.standing == .inDoubt)
    #expect(outbox.items.first?.doubtSince == first)
    try await outbox.retry(key)
    #expect(outbox.items.first?.doubtSince == nil)
    #expect(outbox.items.first?.retryAt == nil)
    #expect(outbox.items.first?.standing == .pending)
  }

  @Test func `the next time is the first of what waits for one here`() async throws {
    let device = try Device()
    let bo = try await device.open("https://a.example", account: "bo").outbox
    try await bo.enqueue(.init("POST", path), key: IdempotencyKey("bo"))
    try await bo.send(IdempotencyKey("bo"))
    try await bo.refuse(IdempotencyKey("bo"), status: 503)
    let outbox = try await device.open("https://a.example", account: "ann").outbox
    #expect(outbox.nextTime == nil)
    for (key, wait) in [("k1", 9000), ("k2", 5000), ("k3", 70_000)] as [(String, Int64)] {
      try await outbox.enqueue(.init("POST", path), key: IdempotencyKey(key))
      try await outbox.send(IdempotencyKey(key))
      try await outbox.refuse(IdempotencyKey(key), status: 503, retryAfter: wait)
    }
    let start = device.clock.now.milliseconds
    #expect(outbox.nextTime?.milliseconds == start + 5000)
    device.clock.advance(milliseconds: 5000)
    #expect(outbox.nextTime?.milliseconds == start + 9000)
    // In doubt it waits as well; sent, or parked, for nothing.
    device.clock.advance(milliseconds: 65_000)
    #expect(outbox.nextTime == nil)
    try await outbox.send(IdempotencyKey("k3"))
    #expect(outbox.nextTime == nil)
    try await outbox.lose(IdempotencyKey("k3"), .timeout)
    #expect(outbox.nextTime?.milliseconds == start + 72_000)
  }

  @Test func `a wait that was over is not shown for the attempt that follows`() async throws {
    let device = try Device()
    let outbox = try await sent(device, times: 2)
    #expect(outbox.items.first?.retryAt == nil)
  }

  // MARK: What may not be

  @Test func `what is under way or answered is not decided on`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    await #expect { try await outbox.discard(key) } throws: { $0 as? StoreError ~= .underWay }
    await #expect { try await outbox.retry(key) } throws: { $0 as? StoreError ~= .underWay }
    try await outbox.acceptUnfinished(key)
    await #expect { try await outbox.retry(key) } throws: { $0 as? StoreError ~= .answered }
    for work in [
      { try await outbox.lose(key, .timeout) }, { try await outbox.refuse(key, status: 503) },
    ] as [() async throws -> Void] {
      await #expect { try await work() } throws: { $0 as? StoreError ~= .unknown }
    }
    #expect(outbox.items.first?.standing == .answered)
  }

  @Test func `what waits for a person or a sign-in is not sent`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    try await outbox.refuse(key, status: 401)
    await #expect(throws: StoreError.self) { try await outbox.send(key) }
    try await outbox.signedIn()
    try await outbox.send(key)
    try await outbox.refuse(key, status: 422)
    await #expect(throws: StoreError.self) { try await outbox.send(key) }
    #expect(outbox.items.first?.attempts == 2)
  }

  @Test func `what the server has not taken is not finished`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    await #expect { try await outbox.finish(key, copies: []) } throws: {
      $0 as? StoreError ~= .unknown
    }
    #expect(outbox.items.count == 1)
  }

  @Test func `what is settled is not there under its key any more`() async throws {
    let device = try Device()
    let outbox = try await sent(device)
    try await outbox.accept(key, copies: [(path, .init("made"))])
    #expect(outbox.item(key) == nil)
    await #expect { try await outbox.send(key) } throws: { $0 as? StoreError ~= .unknown }
  }
}
