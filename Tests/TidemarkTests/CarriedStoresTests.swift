import Synchronization
import TestSupport
import Testing
import Tidemark
import TidemarkLoopback

/// The live stores over HTTP: what a server does to answers costs no work and shows nothing old.
@Suite struct CarriedStoresTests {
  /// Whether the journal file holds an attempt of the work with a key, as another process sees it.
  private static func isSent(_ key: String, in path: String) throws -> Bool {
    try JournalReader(path).allEntries().contains {
      $0.decoded(OutboxSent.self)?.requestKey.description == key
    }
  }

  @Test func `the journal says that it is sent before the first byte leaves`() async throws {
    let app = try await NotesApp()
    let seen = Mutex<[String: Bool]>([:])
    let path = app.place.path
    for key in ["k1", "k2", "k3"] {
      var cue = Cue()
      cue.before = { request in
        let key = request.idempotencyKey ?? "none"
        let isSent = (try? Self.isSent(key, in: path)) ?? false
        seen.withLock { $0[key] = isSent }
      }
      app.server.cue("POST", "/notes", cue)
      try await app.add("text of \(key)", key)
    }
    try await app.shelf.outbox.drain(app.http)
    #expect(seen.withLock { $0 } == ["k1": true, "k2": true, "k3": true])
    try await app.check()
  }

  @Test func `an answer that is lost is asked for again, and what it answers took effect once`()
    async throws
  {
    let app = try await NotesApp()
    for cue in [.drop, .cut(after: 3), .lose, .twice] as [Cue] {
      app.server.cue("POST", "/notes", cue)
    }
    try await app.add("one", "k1")
    for standing in [OutboxItem.Standing.inDoubt, .inDoubt, .inDoubt, nil] {
      try await app.shelf.outbox.drain(app.http)
      #expect(app.shelf.outbox.items.first?.standing == standing)
      app.clock.advance(milliseconds: 64_000)
    }
    #expect(app.server.log.count == 4)
    #expect(Set(app.server.log.map(\.content)).count == 1)
    #expect(Set(app.server.log.map(\.idempotencyKey)) == ["k1"])
    #expect(app.service.effects == ["k1": 1])
    #expect(try app.text("/notes/n1") == #"{"id":"n1","revision":1,"text":"one"}"#)
    try await app.check()
  }

  @Test func `an answer that is too long is in doubt, and took effect once`() async throws {
    let app = try await NotesApp { $0.answerBytesMax = 100 }
    var cue = Cue()
    let service = app.service
    cue.before = { _ = service.answer($0) }
    cue.handlings = 0
    cue.answer = HTTPResponse(201, String(repeating: "x", count: 101))
    app.server.cue("POST", "/notes", cue)
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.first?.standing == .inDoubt)
    app.clock.advance(milliseconds: 64_000)
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.isEmpty)
    #expect(app.service.effects == ["k1": 1])
    let doubts = try app.place.read().allEntries().compactMap { $0.decoded(OutboxInDoubt.self) }
    #expect(doubts.map(\.reason) == [.oversized])
    try await app.check()
  }

  @Test func `a read that comes after a change that it does not know is not shown`() async throws {
    let app = try await NotesApp()
    app.service.add("before")
    let gate = Gate()
    app.server.cue("GET", "/notes/n1", .hold(gate))
    let (shelf, http) = (app.shelf, app.http)
    let path = try Path("/notes/n1")
    let late = Task { try await shelf.read(path) { try await http.get(path) } }
    try await app.arrival(at: gate)
    let change = Outbox.Work("PUT", path, content: Array(#"{"text":"after"}"#.utf8))
    try await app.shelf.outbox.enqueue(change, key: IdempotencyKey("k1"))
    try await app.shelf.outbox.drain(app.http)
    gate.open()
    guard case .refused(.generation, let witness) = try await late.value else {
      return #expect(Bool(false), "the late read landed")
    }
    #expect(witness != nil)
    #expect(try app.text("/notes/n1")?.contains("after") == true)
    try await app.check()
  }

  @Test func `of two reads of a path the later counts, in whatever order they come`() async throws {
    let app = try await NotesApp()
    app.service.add("old")
    let gate = Gate()
    app.server.cue("GET", "/notes/n1", .hold(gate))
    let (shelf, http) = (app.shelf, app.http)
    let path = try Path("/notes/n1")
    let first = Task { try await shelf.read(path) { try await http.get(path) } }
    try await app.arrival(at: gate)
    app.service.change("n1", "new")
    guard case .landed = try await shelf.read(path, fetch: { try await http.get(path) }) else {
      return #expect(Bool(false), "the later read did not land")
    }
    gate.open()
    guard case .refused(.superseded, _) = try await first.value else {
      return #expect(Bool(false), "the earlier read landed")
    }
    #expect(try app.text("/notes/n1")?.contains("new") == true)
    try await app.check()
  }

  @Test func `who has to sign in signs in, and it goes`() async throws {
    let token = Mutex("old")
    let name = { @Sendable in token.withLock { $0 } }
    let app = try await NotesApp { $0.headers = { ["Authorization": "Bearer \(name())"] } }
    app.service.require(token: "new")
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.first?.standing == .held)
    app.clock.advance(milliseconds: 1_000_000)
    try await app.shelf.outbox.drain(app.http)
    #expect(app.server.log.count == 1)
    token.withLock { $0 = "new" }
    try await app.shelf.outbox.signedIn()
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.isEmpty)
    #expect(app.service.effects == ["k1": 1])
    try await app.check()
  }

  @Test(arguments: [
    ["Retry-After": "120"],
    [
      "Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
    ],
  ])
  func `the wait that a server asks for is waited`(headers: [String: String]) async throws {
    let app = try await NotesApp()
    app.server.cue("POST", "/notes", .answer(HTTPResponse(429, headers: headers)))
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    app.clock.advance(milliseconds: 119_999)
    try await app.shelf.outbox.drain(app.http)
    #expect(app.server.log.count == 1)
    app.clock.advance(milliseconds: 1)
    try await app.shelf.outbox.drain(app.http)
    #expect(app.service.effects == ["k1": 1])
  }

  @Test func `a list of 501 rows lands whole, or the one before it stays`() async throws {
    let app = try await NotesApp()
    for number in 1...501 { app.service.add("note \(number)") }
    let (shelf, http) = (app.shelf, app.http)
    let list = try Path("/notes")
    guard
      case .landed = try await shelf.readList(
        list,
        pageSize: 500,
        fetch: { try await http.get(list, page: $0) }
      )
    else { return #expect(Bool(false), "it did not land") }
    let whole = try #require(try app.text("/notes"))
    #expect(whole.matches(of: /"id"/).count == 501)
    app.service.add("one more")
    app.server.cue("GET", "/notes?page=1", .cut(after: 10))
    await #expect(throws: HTTPError.self) {
      try await shelf.readList(list, pageSize: 500) { try await http.get(list, page: $0) }
    }
    #expect(try app.text("/notes") == whole)
    #expect(
      app.server.lines == [
        "GET /notes?page=0", "GET /notes?page=1", "GET /notes?page=0", "GET /notes?page=1",
      ]
    )
    try await app.check()
  }

  @Test func `the half of a pass that copies sends GET and nothing else`() async throws {
    let app = try await NotesApp(pageSize: 2)
    for number in 1...5 { app.service.add("note \(number)") }
    try await app.add("mine", "k1", files: [.init("a.png", mediaType: "image/png", [1, 2, 3])])
    let photo: @Sendable ([UInt8]) throws -> [SyncPlan.Unit] = { content in
      let name = String(decoding: content, as: UTF8.self).firstMatch(of: /"photo":"(\w+)"/)
      return try name.map { [.init(try Path("/photos/\($0.1)"), .bytes(mediaType: nil))] } ?? []
    }
    let plan = SyncPlan([
      .init(try Path("/notes"), .list(pageSize: 2, idName: "id")) { content in
        try String(decoding: content, as: UTF8.self).matches(of: /"id":"(\w+)"/).map {
          .init(try Path("/notes/\($0.1)"), next: photo)
        }
      }
    ])
    let pass = SyncPass(app.shelf, plan)
    let result = try await pass.run(sending: app.http, reading: app.http)
    #expect(result.outcome == .whole)
    #expect(result.landed == 8)
    #expect(app.server.log.map(\.method) == ["POST"] + Array(repeating: "GET", count: 11))
    #expect(try app.shelf.copy(of: Path("/photos/pn6"))?.byteCount == 3)
    let before = app.server.log.count
    _ = try await pass.copy(app.http)
    #expect(app.server.log.dropFirst(before).allSatisfy { $0.method == "GET" })
    #expect(app.server.lines.filter { $0 == "GET /photos/pn6" }.count == 1)
    try await app.check()
  }

  @Test func `an answer that cannot be understood is finished later, and not sent again`()
    async throws
  {
    let isReady = Mutex(false)
    let ready = { @Sendable in isReady.withLock { $0 } }
    let app = try await NotesApp { options in
      options.copies = { item, status, content in
        guard ready() else { throw HTTPError.invalid("not yet") }
        return try NotesApp.copies(item, status, content)
      }
    }
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.first?.standing == .answered)
    isReady.withLock { $0 = true }
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.isEmpty)
    #expect(app.server.log.count == 1)
    try await app.check()
  }

  @Test func `giving up while an answer is on its way leaves the work in doubt`() async throws {
    let app = try await NotesApp()
    let gate = Gate()
    defer { gate.open() }
    app.server.cue("POST", "/notes", .hold(gate))
    try await app.add("one", "k1")
    let (outbox, http) = (app.shelf.outbox, app.http)
    let drain = Task { try await outbox.drain(http) }
    try await app.arrival(at: gate)
    drain.cancel()
    _ = await drain.result
    #expect(app.shelf.outbox.items.first?.standing == .inDoubt)
    app.clock.advance(milliseconds: 64_000)
    try await app.shelf.outbox.drain(app.http)
    #expect(app.service.effects == ["k1": 1])
    try await app.check()
  }
}
