import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// The live pins: ids travel, a list is whole or refused, and an unreadable one is frozen.
@Suite struct PinsStoreTests {
  private static let two = #"[{"id":"a","name":"Cafe","v":1},{"id":"b","name":"Museum","v":4}]"#

  private func pins(_ device: Device) async throws -> Pins {
    var format = Pins.Format()
    format.version = "v"
    format.required = ["name"]
    return try await device.open("https://a.example").pins(format)
  }

  private func receive(_ pins: Pins, _ list: String = two) async throws -> Pins.Received {
    try await pins.receive(try await pins.start(), .init(list))
  }

  private func visible(_ pins: Pins) async throws -> [String] {
    try await pins.visible().map(\.id.description)
  }

  @Test func `a list is shown without what was taken off, and acknowledged as it was sent`()
    async throws
  {
    let device = try Device()
    let pins = try await pins(device)
    #expect(try await receive(pins) == .taken(count: 2))
    try await pins.remove(["a", "never seen"])
    #expect(try await visible(pins) == ["b"])
    let pass = try await pins.start()
    #expect(pass.removals == [PinVersion(id: "a", version: 1)])
    // What is taken off while the request is under way waits for the next one.
    try await pins.remove(["b"])
    #expect(
      try await pins.receive(pass, .init(#"[{"id":"b","name":"Museum","v":4}]"#))
        == .taken(count: 1)
    )
    #expect(pins.removals == [PinVersion(id: "b", version: 4)])
    #expect(try await visible(pins) == [])
    try await device.check()
  }

  @Test(arguments: [
    "<html>sign in</html>", #"{"id":"a"}"#, #"[{"id":"a","name":"x"},{"id":"a","name":"y"}]"#,
    #"[{"name":"x"}]"#, #"[{"id":"","name":"x"}]"#, #"[{"id":"a"}]"#, #"[{"id":"a","name":null}]"#,
  ])
  func `what is no list is refused, and the last one stays`(reply: String) async throws {
    let device = try Device()
    let pins = try await pins(device)
    #expect(try await receive(pins) == .taken(count: 2))
    try await pins.remove(["b"])
    #expect(try await receive(pins, reply) == .refused(.malformed))
    #expect(try await visible(pins) == ["a"])
    #expect(pins.removals.map(\.id) == ["b"])
  }

  @Test func `requests are serial, and a pass that is over takes no reply`() async throws {
    let device = try Device()
    let pins = try await pins(device)
    let pass = try await pins.start()
    await #expect { try await pins.start() } throws: { $0 as? StoreError ~= .underWay }
    try await pins.end(pass, .lost)
    await #expect { try await pins.receive(pass, .init(Self.two)) } throws: {
      $0 as? StoreError ~= .unknown
    }
    let later = try await pins.start()
    let again = try await pins.shelf.stores(device).open(Scope("https://a.example")).pins(
      pins.format
    )
    await #expect { try await again.receive(later, .init(Self.two)) } throws: {
      $0 as? StoreError ~= .unknown
    }
  }

  @Test func `a list of a thousand pins is kept whole over a reopening`() async throws {
    let device = try Device()
    var pins = try await pins(device)
    let rows = (0..<1000).map {
      #"{"id":"pin-\#($0)-\#(String(repeating: "x", count: 60))","name":"n"}"#
    }
    #expect(try await receive(pins, "[\(rows.joined(separator: ","))]") == .taken(count: 1000))
    try await device.reopen()
    pins = try await self.pins(device)
    #expect(try await pins.visible().count == 1000)
    try await pins.remove([pins.visible()[999].id])
    #expect(try await pins.visible().count == 999)
  }

  @Test func `spellings of an id are ids`() async throws {
    let device = try Device()
    let pins = try await pins(device)
    let list = "[{\"id\":\"caf\u{e9}\",\"name\":\"1\"},{\"id\":\"cafe\u{301}\",\"name\":\"2\"}]"
    #expect(try await receive(pins, list) == .taken(count: 2))
    try await pins.remove([ItemID("caf\u{e9}")])
    #expect(try await pins.visible().map(\.id) == [ItemID("cafe\u{301}")])
  }
}

extension Shelf {
  func stores(_ device: Device) async throws -> Stores { try await device.start() }
}
