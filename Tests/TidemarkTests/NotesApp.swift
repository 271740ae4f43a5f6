import TestSupport
import Testing
import Tidemark
import TidemarkLoopback
import TidemarkReplay

/// An app with its server: a journal in a folder of its own, a clock that stands, HTTP on loopback.
final class NotesApp {
  let place: TemporaryJournal
  let clock = ManualClock(DeviceTime(milliseconds: 1_000_000_000))
  let service: NotesService
  let server: LoopbackServer
  private(set) var stores: Stores
  private(set) var shelf: Shelf
  let http: HTTPTransport

  init(
    pageSize: Int = 500,
    _ change: (inout HTTPTransport.Options) -> Void = { _ in }
  ) async throws {
    place = try TemporaryJournal()
    let service = NotesService(pageSize: pageSize)
    self.service = service
    server = try LoopbackServer { service.answer($0) }
    var options = Stores.Options()
    options.clock = clock.clock
    stores = try await Stores.open(place.path, options)
    let scope = try Scope(server.address)
    shelf = try await stores.open(scope)
    var http = HTTPTransport.Options()
    http.idleSeconds = 30
    http.copies = NotesApp.copies
    change(&http)
    self.http = HTTPTransport(scope, http)
  }

  deinit { server.stop() }

  /// The note under its own path, and under the name that the server gave it.
  @Sendable static func copies(
    _ item: OutboxItem,
    _ status: UInt64,
    _ content: [UInt8]
  ) throws -> [(path: Path, reply: Shelf.Reply)] {
    let text = String(decoding: content, as: UTF8.self)
    guard let match = text.firstMatch(of: #/"id":"(\w+)"/#) else { throw HTTPError.invalid(text) }
    let reply = Shelf.Reply(content, status: status)
    let named = try Path("/notes/\(match.1)")
    return item.path == named ? [(named, reply)] : [(item.path, reply), (named, reply)]
  }

  /// Work that makes a note.
  @discardableResult
  func add(
    _ text: String,
    _ key: String,
    files: [Outbox.File] = []
  ) async throws -> IdempotencyKey {
    let work = Outbox.Work(
      "POST",
      try Path("/notes"),
      content: Array(#"{"text":"\#(text)"}"#.utf8),
      files: files
    )
    return try await shelf.outbox.enqueue(work, key: IdempotencyKey(key))
  }

  func text(_ path: String) throws -> String? {
    try shelf.copy(of: Path(path)).flatMap { try shelf.content(of: $0) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The judge objects to nothing.
  func check(_ location: SourceLocation = #_sourceLocation) async throws {
    try await stores.close()
    let report = try Judge.judge(try JournalReader(place.path))
    #expect(report.findings == [], sourceLocation: location)
  }

  /// Waits until something has come to a gate; the thread is free meanwhile.
  func arrival(at gate: Gate) async throws {
    while !gate.hasArrived { try await Task.sleep(for: .milliseconds(2)) }
  }
}

extension HTTPResponse {
  /// Sends elsewhere.
  static func redirect(_ status: Int, _ address: String) -> HTTPResponse {
    HTTPResponse(status, "elsewhere", headers: ["Location": address])
  }
}
