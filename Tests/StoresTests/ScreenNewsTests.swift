import TestSupport
import Testing
import TidemarkEntries
import TidemarkStores

/// What a screen shows of one path, and when it is told.
@Suite struct ScreenNewsTests {
  private let path = Path(canonical: Array("/notes".utf8))
  private let other = Path(canonical: Array("/tides".utf8))

  @Test func `a screen shows what is under way and unsent of its own path and account`()
    async throws
  {
    let device = try Device()
    let bo = try await device.open("https://a.example", account: "bo")
    let shelf = try await device.open("https://a.example", account: "ann")
    #expect(shelf.screen(path).source == .nothing)
    _ = try await bo.begin(path)
    _ = try await shelf.begin(other)
    try await bo.outbox.enqueue(.init("POST", path))
    try await shelf.outbox.enqueue(.init("POST", other))
    #expect(!shelf.screen(path).isLoading)
    #expect(shelf.screen(path).unsent.isEmpty)
    #expect(shelf.screen(other).isLoading)
    #expect(shelf.screen(other).unsent.count == 1)
  }

  @Test func `who watches is told of what it watches, all of it at once, and of the end`()
    async throws
  {
    let device = try Device()
    let bo = try await device.open("https://a.example", account: "bo")
    let shelf = try await device.open("https://a.example", account: "ann")
    var one = shelf.changes(of: path).makeAsyncIterator()
    var all = shelf.changes.makeAsyncIterator()
    // What happens to others is nothing to it.
    try await bo.land(try await bo.begin(path), .init("bo's"))
    try await shelf.land(try await shelf.begin(other), .init("tides"))
    #expect(await all.next() == [other])
    try await shelf.land(try await shelf.begin(path), .init("one"))
    try await shelf.land(try await shelf.begin(other), .init("tides"))
    let copy = try #require(await one.next() ?? nil)
    #expect(copy == shelf.copy(of: path))
    #expect(await all.next() == [path, other])
    try await device.stores?.close()
    #expect(await one.next() == nil)
    #expect(await all.next() == nil)
    var late = shelf.changes.makeAsyncIterator()
    #expect(await late.next() == nil, "nothing changes any more")
  }
}
