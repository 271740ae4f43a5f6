import TestSupport
import Testing
import Tidemark
import TidemarkLoopback

/// HTTP: what goes out, and that each way in which an answer can fail has its own end.
@Suite struct HTTPTransportTests {
  private func failure(_ work: () async throws -> some Sendable) async -> HTTPError? {
    do { _ = try await work() } catch { return error as? HTTPError }
    return nil
  }

  // MARK: What goes out

  @Test func `a read asks past all caches, and pages have their own addresses`() async throws {
    let app = try await NotesApp()
    app.service.add("one")
    let reply = try await app.http.get(Path("/notes"), page: 0)
    #expect(String(decoding: reply.content, as: UTF8.self).contains("one"))
    _ = try await app.http.get(Path("/notes?of=ada"), page: 7)
    #expect(app.server.lines == ["GET /notes?page=0", "GET /notes?of=ada&page=7"])
    #expect(app.server.log.allSatisfy { $0.headers["cache-control"] == "no-cache, no-store" })
  }

  @Test func `nothing is kept between requests: no answer, no cookie`() async throws {
    let app = try await NotesApp()
    let headers = ["Cache-Control": "max-age=600", "Set-Cookie": "who=ada"]
    for text in ["one", "two"] {
      app.server.cue("GET", "/x", .answer(HTTPResponse(200, text, headers: headers)))
      let reply = try await app.http.get(Path("/x"))
      #expect(String(decoding: reply.content, as: UTF8.self) == text)
    }
    #expect(app.server.log.map { $0.headers["cookie"] } == [nil, nil])
  }

  @Test func `a revision is taken where the app says how`() async throws {
    let app = try await NotesApp { $0.revision = \.numberedTag }
    for (tag, revision) in [
      ("\"41\"", 41), ("W/\"7\"", 7), ("\"a1\"", nil), ("\"\"", nil), ("41", nil),
      ("\"99999999999999999999999\"", nil),
    ] as [(String, UInt64?)] {
      app.server.cue("GET", "/x", .answer(HTTPResponse(200, "x", headers: ["ETag": tag])))
      #expect(try await app.http.get(Path("/x")).revision == revision)
    }
    let other = try await NotesApp()
    other.server.cue("GET", "/x", .answer(HTTPResponse(200, "x", headers: ["ETag": "\"41\""])))
    #expect(try await other.http.get(Path("/x")).revision == nil)
  }

  @Test func `a key goes out between quotes, and no two keys are written the same`() async throws {
    let app = try await NotesApp()
    let keys: [[UInt8]] = [
      Array("work/1".utf8), Array("a \"b\" \\c".utf8), [0, 1, 255], Array("0x0001ff".utf8),
      Array("né".utf8),
    ]
    for key in keys {
      let key = try IdempotencyKey(key)
      try await app.shelf.outbox.enqueue(.init("POST", Path("/notes")), key: key)
    }
    app.service.require(token: "none has it")
    try await app.shelf.outbox.drain(app.http)
    let written = app.server.log.compactMap { $0.headers["idempotency-key"] }
    #expect(
      written == [
        "\"work/1\"", #""a \"b\" \\c""#, "\"0x0001ff\"", "\"0x3078303030316666\"",
        "\"0x6ec3a9\"",
      ]
    )
  }

  @Test func `files go along as a form, with the same bytes at every attempt`() async throws {
    let app = try await NotesApp()
    let photo: [UInt8] = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let files = [
      Outbox.File("a \"b\"\r\n.png", mediaType: "image/png", photo),
      Outbox.File("c", mediaType: "x\r\nEvil: yes", [1]),
    ]
    app.server.cue("POST", "/notes", .lose)
    try await app.add("with a photo", "k1", files: files)
    try await app.shelf.outbox.drain(app.http)
    app.clock.advance(milliseconds: 1000)
    try await app.shelf.outbox.drain(app.http)
    let sent = app.server.log
    #expect(sent.count == 2)
    #expect(sent[0].content == sent[1].content)
    #expect(sent[0].headers["content-type"] == sent[1].headers["content-type"])
    let parts = try #require(MultipartForm(sent[0])).parts
    #expect(parts.map(\.content) == [Array(#"{"text":"with a photo"}"#.utf8), photo, [1]])
    #expect(parts[1].head.contains("name=\"file\"; filename=\"a %22b%22%0D%0A.png\""))
    #expect(parts[2].head.hasSuffix("Content-Type: application/octet-stream"))
    #expect(app.service.photo("pn1") == photo)
  }

  @Test func `a boundary stands in none of the parts`() async throws {
    let app = try await NotesApp()
    try await app.add("one", "k1", files: [.init("a", [1])])
    app.service.require(token: "x")
    try await app.shelf.outbox.drain(app.http)
    let type = try #require(app.server.log[0].headers["content-type"])
    let boundary = try #require(type.split(separator: "boundary=").last)
    let other = try await NotesApp()
    let hostile = Array("\r\n--\(boundary)--\r\n".utf8)
    try await other.add("one", "k1", files: [.init("a", hostile)])
    try await other.shelf.outbox.drain(other.http)
    let parts = try #require(MultipartForm(other.server.log[0])).parts
    #expect(parts.map(\.content).last == hostile)
  }

  @Test func `a method that is no word of HTTP is not sent`() async throws {
    let app = try await NotesApp()
    await #expect(throws: StoreError.self) {
      try await app.shelf.outbox.enqueue(
        .init("POST / HTTP/1.1\r\nEvil: yes\r\n\r\nGET", Path("/notes")),
        key: IdempotencyKey("k1")
      )
    }
    try await app.shelf.outbox.drain(app.http)
    #expect(app.server.log.isEmpty)
    #expect(app.shelf.outbox.items.isEmpty)
  }

  // MARK: How an answer fails

  @Test(arguments: [HTTPResponse.Framing.length, .chunked])
  func `an answer that breaks off is none`(framing: HTTPResponse.Framing) async throws {
    let app = try await NotesApp()
    var long = HTTPResponse(200, String(repeating: "x", count: 50_000))
    long.framing = framing
    for sent in [Cue.Sent.nothing, .part(0), .part(1), .part(49_999)] {
      var cue = Cue.answer(long)
      cue.sent = sent
      app.server.cue("GET", "/x", cue)
      let error = await failure { try await app.http.get(Path("/x")) }
      guard case .cut = error else {
        Issue.record("\(framing), \(sent): \(String(describing: error))")
        continue
      }
    }
  }

  @Test(arguments: [HTTPResponse.Framing.length, .chunked, .close])
  func `an answer that is too long ends the exchange`(framing: HTTPResponse.Framing) async throws {
    let app = try await NotesApp { $0.answerBytesMax = 1000 }
    for (count, isTooLong) in [(1000, false), (1001, true), (4_000_000, true)] {
      var long = HTTPResponse(200, String(repeating: "x", count: count))
      long.framing = framing
      app.server.cue("GET", "/x", .answer(long))
      let error = await failure { try await app.http.get(Path("/x")) }
      #expect(error == (isTooLong ? .oversized(bytesMax: 1000) : nil), "\(count)")
    }
  }

  @Test func `16 MiB are read, and not a byte more`() async throws {
    let app = try await NotesApp()
    var answer = HTTPResponse(bytes: [UInt8](repeating: 7, count: 16 << 20))
    app.server.cue("GET", "/x", .answer(answer))
    #expect(try await app.http.get(Path("/x")).content.count == 16 << 20)
    answer.content.append(7)
    app.server.cue("GET", "/x", .answer(answer))
    let error = await failure { try await app.http.get(Path("/x")) }
    #expect(error == .oversized(bytesMax: 16 << 20))
  }

  @Test func `a server that is not there is unreachable, and spends no attempt`() async throws {
    let app = try await NotesApp()
    try await app.add("one", "k1")
    app.server.stop()
    try await app.shelf.outbox.drain(app.http)
    let item = try #require(app.shelf.outbox.items.first)
    #expect(item.standing == .pending)
    #expect(item.attempts == 0)
    guard case .unreachable = await failure({ try await app.http.get(Path("/x")) }) else {
      return #expect(Bool(false), "it was reached")
    }
  }

  @Test(arguments: ["localhost", "127.0.0.1"], ["DELETE", "POST"])
  func `what may have been sent is in doubt, also where another address of the host refused`(
    host: String,
    method: String
  ) async throws {
    let app = try await NotesApp()
    let scope = try Scope("http://\(host):\(app.server.port)")
    let shelf = try await app.stores.open(scope)
    let content: [UInt8]? = method == "POST" ? [1, 2, 3] : nil
    try await shelf.outbox.enqueue(
      .init(method, Path("/x"), content: content),
      key: IdempotencyKey("k1")
    )
    app.server.cue(method, "/x", .drop)
    try await shelf.outbox.drain(HTTPTransport(scope))
    #expect(app.server.lines == ["\(method) /x"])
    #expect(shelf.outbox.items.first?.standing == .inDoubt)
  }

  @Test func `an answer that does not come is waited for no longer than was said`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let idle = try await NotesApp { $0.idleSeconds = 1 }
    idle.server.cue("GET", "/x", .hold(gate))
    #expect(await failure { try await idle.http.get(Path("/x")) } == .timeout)
    let total = try await NotesApp {
      $0.totalSeconds = 1
      $0.idleSeconds = 600
    }
    total.server.cue("GET", "/x", .hold(gate))
    #expect(await failure { try await total.http.get(Path("/x")) } == .timeout)
  }

  @Test func `a cancelled read ends at once, whatever the server does`() async throws {
    let app = try await NotesApp()
    let gate = Gate()
    defer { gate.open() }
    app.server.cue("GET", "/x", .hold(gate))
    let http = app.http
    let read = Task { try await http.get(Path("/x")) }
    try await app.arrival(at: gate)
    read.cancel()
    await #expect(throws: CancellationError.self) { try await read.value }
    await #expect(throws: CancellationError.self) {
      try await Task {
        while !Task.isCancelled { await Task.yield() }
        return try await http.get(Path("/y"))
      }.cancelled.value
    }
    #expect(app.server.lines == ["GET /x"])
  }

  @Test func `cancelling at any moment of an exchange ends it once`() async throws {
    let app = try await NotesApp()
    app.service.add("one")
    let http = app.http
    var generator = SeededGenerator(seed: testSeed())
    for round in 0..<300 {
      if round.isMultiple(of: 3) {
        app.server.cue("GET", "/n", .answer(.redirect(302, "/notes/n1")))
      }
      let read = Task { try await http.get(Path("/notes/n1")) }
      for _ in 0..<Int.random(in: 0..<60, using: &generator) { await Task.yield() }
      if Bool.random(using: &generator) { try await Task.sleep(for: .microseconds(200)) }
      read.cancel()
      _ = await read.result
    }
    // Redirects that no read has come for are still there, more than one read follows.
    while await failure({ try await http.get(Path("/notes/n1")) })
      == .status(302, retryAfter: nil)
    {}
    #expect(try await !http.get(Path("/notes/n1")).content.isEmpty)
  }

  @Test func `a status that is no success is told, with what to do`() async throws {
    let app = try await NotesApp()
    app.server.cue("GET", "/x", .answer(HTTPResponse(503, headers: ["Retry-After": "7"])))
    let error = await failure { try await app.http.get(Path("/x")) }
    #expect(error == .status(503, retryAfter: 7000))
    #expect(error.map { "\($0)" } == "the server answers 503; try again later")
    app.server.cue("GET", "/x", .answer(HTTPResponse(206, "half")))
    guard case .cut = await failure({ try await app.http.get(Path("/x")) }) else {
      return #expect(Bool(false), "a part was taken for the whole")
    }
  }

  @Test func `what is not HTTP is no answer`() async throws {
    let app = try await NotesApp()
    var cue = Cue.answer(HTTPResponse(200, "x"))
    cue.sent = .raw(Array("<html>sign in</html>\r\n\r\n".utf8))
    app.server.cue("GET", "/x", cue)
    #expect(await failure { try await app.http.get(Path("/x")) } != nil)
  }

  @Test func `an answer that the app does not know as its server's is foreign`() async throws {
    let app = try await NotesApp { $0.isOurs = { $0.header("content-TYPE") == "application/json" } }
    app.server.cue("POST", "/notes", .answer(HTTPResponse(200, "welcome to the hotel")))
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.first?.standing == .inDoubt)
    app.clock.advance(milliseconds: 1000)
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.isEmpty)
    #expect(app.service.effects == ["k1": 1])
  }

  // MARK: Redirects

  @Test func `a redirect is followed on the same server alone`() async throws {
    let app = try await NotesApp()
    let other = try await NotesApp()
    app.service.add("one")
    for (status, address) in [
      (301, "/notes/n1"), (302, "\(app.server.address)/notes/n1"), (307, "n1"), (308, "./n1"),
    ] {
      app.server.cue("GET", "/notes/x", .answer(.redirect(status, address)))
      let reply = try await app.http.get(Path("/notes/x"))
      #expect(String(decoding: reply.content, as: UTF8.self).contains("one"), "\(address)")
    }
    for address in [
      "\(other.server.address)/notes/n1", "//127.0.0.1:\(other.server.port)/", "file:///etc/passwd",
      "https://127.0.0.1:\(app.server.port)/notes/n1", "http://", "::",
    ] {
      app.server.cue("GET", "/notes/x", .answer(.redirect(302, address)))
      let error = await failure { try await app.http.get(Path("/notes/x")) }
      guard case .foreign = error else {
        Issue.record("\(address): \(String(describing: error))")
        continue
      }
    }
    #expect(other.server.log.isEmpty)
  }

  @Test func `redirects in a circle end`() async throws {
    let app = try await NotesApp()
    for _ in 0..<20 { app.server.cue("GET", "/x", .answer(.redirect(302, "/x"))) }
    let error = await failure { try await app.http.get(Path("/x")) }
    #expect(error == .status(302, retryAfter: nil))
    #expect(app.server.log.count == 6)
  }

  @Test(arguments: [307, 308])
  func `a send is led on with its key and its content`(status: Int) async throws {
    let app = try await NotesApp()
    app.server.cue("POST", "/notes", .answer(.redirect(status, "/notes?moved")))
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(app.server.lines == ["POST /notes", "POST /notes?moved"])
    #expect(app.service.effects == ["k1": 1])
    #expect(app.shelf.outbox.items.isEmpty)
    #expect(Set(app.server.log.map(\.content)).count == 1)
  }

  @Test func `what was led on and then reaches nobody may have been taken before`() async throws {
    let app = try await NotesApp()
    var cue = Cue.answer(.redirect(307, "/notes?moved"))
    let server = app.server
    cue.before = { _ in server.stopListening() }
    cue.closes = true
    app.server.cue("POST", "/notes", cue)
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(app.shelf.outbox.items.first?.standing == .inDoubt)
    #expect(app.shelf.outbox.items.first?.attempts == 1)
  }

  @Test(arguments: [301, 302, 303])
  func `a send is not made into a read`(status: Int) async throws {
    let app = try await NotesApp()
    app.server.cue("POST", "/notes", .answer(.redirect(status, "/sign-in")))
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(app.server.lines == ["POST /notes"])
    #expect(app.shelf.outbox.items.first?.standing == .parked(.rejected))
  }

  @Test func `a send that is led to another server goes nowhere, and stays`() async throws {
    let app = try await NotesApp()
    let other = try await NotesApp()
    app.server.cue("POST", "/notes", .answer(.redirect(307, "\(other.server.address)/notes")))
    try await app.add("one", "k1")
    try await app.shelf.outbox.drain(app.http)
    #expect(other.server.log.isEmpty)
    #expect(app.shelf.outbox.items.first?.standing == .inDoubt)
  }

  @Test func `work is never handed to a server that it was not authored under`() async {
    await #expect(processExitsWith: .failure) {
      let app = try await NotesApp()
      try await app.add("one", "k1")
      try await app.shelf.outbox.drain(HTTPTransport(Scope("http://127.0.0.1:9")))
    }
  }
}

extension Task {
  /// The task, cancelled.
  fileprivate var cancelled: Self {
    cancel()
    return self
  }
}
