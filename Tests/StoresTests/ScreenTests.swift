import TestSupport
import Testing
import TidemarkEntries
import TidemarkStores

/// What a screen shows.
@Suite struct ScreenTests {
  @Test func `a screen shows what is unsent of its path, and what declares that it touches it`()
    async throws
  {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let (list, note) = (try Path("/notes"), try Path("/notes/1"))
    let outbox = shelf.outbox
    try await outbox.enqueue(
      .init("POST", Path("/new/1"), touches: [Touch(.resource, list)], label: "touches the list")
    )
    try await outbox.enqueue(.init("PUT", note, touches: [], label: "its own"))
    try await outbox.enqueue(.init("POST", Path("/new/2"), label: "declares nothing"))
    #expect(shelf.screen(list).unsent.map(\.label) == ["touches the list"])
    #expect(shelf.screen(note).unsent.map(\.label) == ["its own"])
    let other = try await shelf.turn(to: Scope("https://b.example"))
    #expect(other.screen(list).unsent.isEmpty)
    try await device.check()
  }

  @Test func `screens begin with what stands, and miss nothing that comes while it is looked at`()
    async throws
  {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let list = try Path("/notes")
    _ = try await shelf.read(list) { .init("one") }
    var screens = shelf.screens(list).makeAsyncIterator()
    _ = try await shelf.read(list) { .init("two") }
    let first = try #require(await screens.next())
    #expect(try first.copy.flatMap { try shelf.content(of: $0) } == Array("two".utf8))
    try await device.start().close()
    // What came before the first look is told as a change as well.
    #expect(await screens.next() != nil)
    #expect(await screens.next() == nil)
    var late = shelf.screens(list).makeAsyncIterator()
    #expect(await late.next()?.copy != nil)
    #expect(await late.next() == nil)
  }
}
