import TestSupport
import Testing
import Tidemark
import TidemarkLoopback

/// The Swift of `README.md`, compiled and run.
///
/// Tidy compares it with the page to the letter.
@Suite struct ReadmeExamples {
  @Test func `what a user writes is kept, sent once, and shown`() async throws {
    let place = try TemporaryJournal()
    let path = place.path
    let service = NotesService()
    service.add("before")
    let loopback = try LoopbackServer { service.answer($0) }
    defer { loopback.stop() }
    let (server, text) = (loopback.address, Array(#"{"text":"after"}"#.utf8))
    // README: stores
    let stores = try await Stores.open(path)
    let shelf = try await stores.open(Scope(server))
    let http = HTTPTransport(shelf.scope)
    let notes = try Path("/notes")

    // On the medium when this returns: show it now, not before.
    try await shelf.outbox.enqueue(.init("PUT", Path("/notes/n1"), content: text))
    // Sent under one key until an answer was read; it retires when the copy of that stands.
    try await shelf.outbox.drain(http)
    // What comes too late is refused, and the screen keeps what it had.
    let landing = try await shelf.readList(notes, pageSize: 500) { page in
      try await http.get(notes, page: page)
    }
    let screen = shelf.screen(notes)
    // end
    guard case .landed = landing else { return #expect(Bool(false), "it did not land") }
    #expect(screen.copy.flatMap { try? shelf.content(of: $0) } != nil)
    #expect(service.notes.map(\.text) == ["after"])
    #expect(service.effects.count == 1)
    #expect(shelf.outbox.items.isEmpty)
  }
}
