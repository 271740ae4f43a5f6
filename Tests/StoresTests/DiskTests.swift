import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkStores

/// Disk before screen: what is shown is on disk, what is on disk is shown.
@Suite struct DiskTests {
  @Test func `what cannot be written is not shown, and the caller is told`() async throws {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    let shelf = try await device.open("https://a.example")
    let path = try Path("/a")
    try await shelf.land(try await shelf.begin(path), .init("one"))
    let ticket = try await shelf.begin(path)
    faults.fail(afterCommits: 0)
    await #expect(throws: StoreError.self) { try await shelf.land(ticket, .init("two")) }
    await #expect(throws: StoreError.self) {
      try await shelf.outbox.enqueue(.init("POST", path), key: IdempotencyKey("k1"))
    }
    #expect(try shelf.text("/a") == "one")
    #expect(shelf.hasWriteFailure(path))
    #expect(shelf.outbox.items.isEmpty)
    faults.heal()
    try await shelf.land(ticket, .init("two"))
    #expect(try shelf.text("/a") == "two")
    #expect(!shelf.hasWriteFailure(path))
    try await shelf.outbox.enqueue(.init("POST", path), key: IdempotencyKey("k1"))
    #expect(shelf.outbox.items.count == 1)
    try await device.check()
  }

  @Test func `what reached the disk although it failed is shown, and not done twice`() async throws
  {
    let device = try Device()
    let faults = Faults(.afterCommit)
    device.options.faults = faults.check
    let shelf = try await device.open("https://a.example")
    faults.fail(afterCommits: 0)
    let work = Outbox.Work("POST", try Path("/a"))
    await #expect(throws: StoreError.self) {
      try await shelf.outbox.enqueue(work, key: IdempotencyKey("k1"))
    }
    #expect(shelf.outbox.items.map(\.key.description) == ["k1"])
    faults.heal()
    try await shelf.outbox.enqueue(work, key: IdempotencyKey("k1"))
    #expect(shelf.outbox.items.count == 1)
    try await device.check()
  }

  @Test(arguments: [[0], [20], [4096, 4200], [8192], [9000, 12_288]])
  func `a projections file that is lost or damaged costs a replay and nothing else`(
    places: [Int]
  ) async throws {
    let device = try Device()
    let file = ProjectionsFile.path(for: device.place.path)
    let shelf = try await device.open("https://a.example")
    for number in 0..<50 {
      let path = try Path("/notes/\(number)")
      try await shelf.land(try await shelf.begin(path), .init("note \(number)"))
      try await shelf.outbox.enqueue(.init("POST", path), key: IdempotencyKey("k\(number)"))
    }
    let digests = digests(of: try await device.start())
    #expect(self.digests(of: try await device.reopen()) == digests)
    #expect(device.stores?.notices == [])
    try await device.stores?.close()
    var bytes = try #require(FileManager.default.contents(atPath: file))
    for place in places where place < bytes.count { bytes[place] ^= 0xff }
    try (places == [0] ? Data() : bytes).write(to: URL(filePath: file))
    let stores = try await device.reopen()
    #expect(self.digests(of: stores) == digests)
    let again = try await device.open("https://a.example")
    #expect(try again.text("/notes/7") == "note 7")
    #expect(again.outbox.items.count == 50)
  }

  /// How far the projections file goes, as another process sees it.
  private func saved(_ device: Device) throws -> [Seq] {
    let reader = try JournalReader(device.place.path)
    let file = try ProjectionsFile(
      reading: ProjectionsFile.path(for: device.place.path),
      of: reader.identity.journal
    )
    var states = States()
    return ProjectionCatalogue.parts.map { part in
      guard case .whole(let standing) = file.load(part, into: &states) else { return Seq(0) }
      return standing.position
    }
  }

  @Test func `projections are saved when they are closed, and when there is much to save`()
    async throws
  {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    #expect(device.stores?.notices == [], "a new journal has lost nothing")
    #expect(try saved(device) == [Seq](repeating: Seq(0), count: 4))
    for number in 0..<ProjectionSaver.rowsMax where try saved(device)[0] == Seq(0) {
      try await shelf.keep([1], at: Path("/photos/\(number)"))
    }
    #expect(try saved(device)[0] > Seq(0))
    try await device.stores?.close()
    let last = try JournalReader(device.place.path).last
    #expect(try saved(device) == [Seq](repeating: last, count: 4))
  }

  @Test func `what was saved in parts is loaded whole, without what went away`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let path = try Path("/a")
    let key = try await shelf.outbox.enqueue(.init("POST", path))
    try await device.stores?.save()
    try await shelf.outbox.discard(key)
    try await device.stores?.save()
    let digests = digests(of: try await device.start())
    let stores = try await device.reopen()
    #expect(stores.notices == [])
    #expect(self.digests(of: stores) == digests)
  }

  private func digests(of stores: Stores) -> [String] {
    let states = stores.live.view.states
    return ProjectionCatalogue.parts.map { $0.digest(states).description }
  }
}
