import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// What is taken off, what is acknowledged, and what freezes the pins.
@Suite struct PinsRuleTests {
  private static let two = #"[{"id":"a","v":1},{"id":"b","v":4}]"#

  private func pins(_ device: Device, _ account: String? = nil) async throws -> Pins {
    var format = Pins.Format()
    format.version = "v"
    return try await device.open("https://a.example", account: account).pins(format)
  }

  @discardableResult
  private func receive(_ pins: Pins, _ list: String = two) async throws -> Pins.Received {
    try await pins.receive(try await pins.start(), .init(list))
  }

  private func removed(_ device: Device) throws -> [[PinVersion]] {
    try JournalReader(device.place.path).allEntries().compactMap {
      $0.decoded(PinsRemoved.self)?.pins
    }
  }

  @Test func `what no list shows, and what was taken off, is not taken off again`() async throws {
    let device = try Device()
    let pins = try await pins(device)
    try await receive(pins)
    try await pins.remove(["a", "a", "never seen"])
    try await pins.remove(["a"])
    #expect(try removed(device) == [[PinVersion(id: "a", version: 1)]])
    // A pin that came back as another version is another pin.
    try await receive(pins, #"[{"id":"a","v":2},{"id":"b","v":4}]"#)
    #expect(pins.removals == [])
    try await pins.remove(["a"])
    #expect(pins.removals == [PinVersion(id: "a", version: 2)])
    try await device.check()
  }

  @Test func `what was taken off anew while a request was under way is not acknowledged by it`()
    async throws
  {
    let device = try Device()
    let pins = try await pins(device)
    try await receive(pins)
    try await pins.remove(["a"])
    try await pins.end(try await pins.start(), .lost)
    #expect(pins.removals.map(\.id) == ["a"])
    let pass = try await pins.start()
    try await pins.receive(pass, .init(#"[{"id":"a","v":9}]"#))
    #expect(pins.removals == [])
    #expect(try await pins.visible().map(\.version) == [9])
  }

  @Test func `a request that fails is over, and says whether it was cancelled`() async throws {
    struct Broken: Error {}
    let device = try Device()
    let pins = try await pins(device)
    await #expect(throws: Broken.self) { try await pins.sync { _ in throw Broken() } }
    await #expect(throws: CancellationError.self) {
      try await pins.sync { _ in throw CancellationError() }
    }
    #expect(try await pins.sync { _ in .init(Self.two) } == .taken(count: 2))
    #expect(try await pins.sync { _ in .init("[") } == .refused(.malformed))
    #expect(try await pins.sync { _ in .init(Self.two) } == .taken(count: 2))
    let reasons = try JournalReader(device.place.path).allEntries().compactMap {
      $0.decoded(PinsRefused.self)?.reason
    }
    #expect(reasons == [.lost, .cancelled, .malformed])
  }

  @Test func `a list that cannot be read freezes the pins, until a person lets them be made anew`()
    async throws
  {
    let device = try Device()
    var pins = try await pins(device)
    try await receive(pins)
    try await pins.remove(["a"])
    let pass = try await pins.start()
    await #expect { try await pins.restore() } throws: { $0 as? StoreError ~= .unknown }
    try await pins.end(pass, .lost)
    try await device.stores?.close()
    try device.place.tamper("DELETE FROM bodies")
    device.crash()
    pins = try await self.pins(device)
    for _ in 0..<2 {
      await #expect { try await pins.visible() } throws: { $0 as? StoreError ~= .unreadable }
    }
    #expect(!pins.isReadable)
    await #expect { try await pins.start() } throws: { $0 as? StoreError ~= .unreadable }
    let frozen = try JournalReader(device.place.path).allEntries().filter {
      $0.kind == StoreUnreadable.number
    }
    #expect(frozen.count == 1)
    try await pins.restore()
    #expect(pins.isReadable)
    #expect(pins.removals.map(\.id) == ["a"])
    try await receive(pins, #"[{"id":"b","v":4}]"#)
    #expect(try await pins.visible().map(\.id) == ["b"])
  }

  @Test func `a list that comes while the pins are frozen is not taken`() async throws {
    let device = try Device()
    let pins = try await pins(device)
    try await receive(pins)
    let pass = try await pins.start()
    try device.place.tamper("DELETE FROM bodies")
    await #expect { try await pins.visible() } throws: { $0 as? StoreError ~= .unreadable }
    await #expect { try await pins.receive(pass, .init(Self.two)) } throws: {
      $0 as? StoreError ~= .unreadable
    }
    #expect(!pins.isReadable)
  }

  @Test func `the pins of a store that is over take nothing, and a new opening goes on`()
    async throws
  {
    let device = try Device()
    let pins = try await pins(device)
    try await receive(pins)
    _ = try await pins.start()
    try await pins.shelf.retire()
    await #expect { try await pins.remove(["a"]) } throws: { $0 as? StoreError ~= .over }
    let again = try await self.pins(device)
    // The request of the opening before is nobody's any more.
    #expect(try await receive(again) == .taken(count: 2))
    #expect(try await again.visible().count == 2)
    let bo = try await self.pins(device, "bo")
    #expect(try await bo.visible().isEmpty)
  }

  @Test(
    arguments: [
      (#"[{"id":"a","v":7,"v":8}]"#, 7), (#"[{"id":"a","v":"12"}]"#, 12), (#"[{"id":"a"}]"#, nil),
    ] as [(String, UInt64?)]
  )
  func `the version of a pin is the first that stands there`(
    list: String,
    version: UInt64?
  ) async throws {
    let device = try Device()
    let pins = try await pins(device)
    try await receive(pins, list)
    #expect(try await pins.visible().map(\.version) == [version])
  }
}
