import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay
import TidemarkStores

/// The live shelf over a real journal: what is shown, and what is refused.
@Suite struct ShelfStoreTests {
  @Test func `a reply lands, and is read again without a disk`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let ticket = try await shelf.begin(Path("/notes"))
    #expect(try shelf.screen(Path("/notes")).isLoading)
    let landing = try await shelf.land(ticket, .init("one"))
    let copy = try #require(try shelf.copy(of: Path("/notes")))
    #expect(landing == .landed(copy.seq))
    #expect(copy.saved == device.clock.now)
    #expect(try shelf.text("/notes") == "one")
    #expect(try shelf.screen(Path("/notes")).source == .copy(savedAt: device.clock.now))
  }

  @Test func `a slow read does not undo a change`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let ticket = try await shelf.begin(Path("/notes/1"))
    let sent = try await shelf.send(.init("PUT", Path("/notes/1")))
    let answer = Shelf.Answer(copies: [(try Path("/notes/1"), .init("new"))])
    #expect(try await shelf.answer(sent, answer).written == [try Path("/notes/1")])
    guard case .refused(.generation, let witness?) = try await shelf.land(ticket, .init("old"))
    else { return #expect(Bool(false), "it landed") }
    #expect(witness > sent)
    #expect(try shelf.text("/notes/1") == "new")
    try await device.check()
  }

  @Test func `a list of 501 rows is shown whole or not at all`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let path = try Path("/notes")
    func page(_ rows: Range<Int>) -> Shelf.Reply {
      .init("[" + rows.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]")
    }
    struct Broken: Error {}
    await #expect(throws: Broken.self) {
      try await shelf.readList(path, pageSize: 500) { index in
        guard index == 0 else { throw Broken() }
        return page(0..<500)
      }
    }
    #expect(shelf.copy(of: path) == nil)
    let landing = try await shelf.readList(path, pageSize: 500) { index in
      index == 0 ? page(0..<500) : page(500..<501)
    }
    guard case .landed = landing else { return #expect(Bool(false), "\(landing)") }
    let whole = try #require(try shelf.text("/notes"))
    #expect(whole.hasSuffix(#"{"id":499},{"id":500}]"#))
    let repeating = try await shelf.readList(path, pageSize: 500) { _ in page(0..<500) }
    #expect(repeating == .refused(.failed, witness: nil))
    #expect(try shelf.text("/notes") == whole)
    try await device.check()
  }

  @Test func `what is opened again shows what was there`() async throws {
    let device = try Device()
    let first = try await device.open("https://a.example")
    try await first.land(try await first.begin(Path("/a")), .init("kept"))
    try await first.outbox.enqueue(.init("POST", Path("/new"), content: Array("x".utf8)))
    try await device.reopen()
    let again = try await device.open("https://a.example")
    #expect(try again.text("/a") == "kept")
    #expect(again.outbox.items.map(\.standing) == [.pending])
    #expect(device.stores?.notices == [])
  }
}
