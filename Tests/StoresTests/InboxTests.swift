import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// Shares of another process: each item once, whatever ends the process in between.
@Suite struct InboxTests {
  private func share(_ device: Device, files: Int) throws -> String {
    let writer = try ShareWriter(
      inbox: device.place.folder.path + "/inbox",
      clock: device.clock.clock
    )
    for index in 0..<files {
      var work = Outbox.Work("POST", try Path("/photos/\(index)"), content: [UInt8(index)])
      work.files = [.init("\(index).jpg", mediaType: "image/jpeg", [1, 2, UInt8(index)])]
      work.link = "https://elsewhere.example/\(index)"
      try writer.add(work)
    }
    try writer.finish()
    return writer.id
  }

  private func inbox(_ device: Device) async throws -> Inbox {
    try await device.open("https://a.example").inbox(device.place.folder.path + "/inbox")
  }

  @Test func `24 files come in once, with the time of the share`() async throws {
    let device = try Device()
    let shared = device.clock.now
    let id = try share(device, files: 24)
    device.clock.advance(milliseconds: 60_000)
    let inbox = try await inbox(device)
    #expect(try await inbox.importAll() == .init(shares: [id], items: 24, unreadable: []))
    let items = inbox.shelf.outbox.items
    #expect(items.map(\.key.description) == [id] + (1..<24).map { "\(id)/\($0)" })
    #expect(items.allSatisfy { $0.authored == shared && $0.share == id })
    #expect(items[3].link == "https://elsewhere.example/3")
    #expect(try inbox.shelf.outbox.content(of: items[3].files[0].body) == [1, 2, 3])
    #expect(try await inbox.importAll() == .init())
    try await device.check()
  }

  @Test func `a crash after each step brings nothing in twice`() async throws {
    // Two entries for the share, 24 for its items: the disk fails at each of them in turn.
    for step in 0..<26 {
      let device = try Device()
      let faults = Faults()
      device.options.faults = faults.check
      let id = try share(device, files: 24)
      try await importFailing(device, faults, afterCommits: step)
      device.crash()
      let again = try await self.inbox(device)
      #expect(again.shelf.outbox.items.count == max(step - 1, 0), "step \(step)")
      #expect(try await again.importAll() == .init(shares: [id], items: 24, unreadable: []))
      #expect(again.shelf.outbox.items.count == 24)
    }
  }

  private func importFailing(
    _ device: Device,
    _ faults: Faults,
    afterCommits step: Int
  ) async throws {
    let inbox = try await inbox(device)
    faults.fail(afterCommits: step)
    await #expect(throws: StoreError.self) { try await inbox.importAll() }
    faults.heal()
  }

  @Test func `what is half written is nobody's business, what cannot be read is kept`() async throws
  {
    let device = try Device()
    _ = try share(device, files: 2)
    let folder = device.place.folder.path + "/inbox"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let whole = try #require(FileManager.default.contents(atPath: folder + "/" + name))
    for length in [0, 1, 8, 40, whole.count - 33, whole.count - 1] {
      try whole.prefix(length).write(to: URL(filePath: folder + "/cut-\(length).share"))
    }
    try whole.prefix(50).write(to: URL(filePath: folder + "/half.part"))
    let inbox = try await inbox(device)
    let imported = try await inbox.importAll()
    #expect(imported.items == 2)
    #expect(imported.unreadable.count == 6)
    #expect(inbox.unreadable.count == 6)
    #expect(try await inbox.importAll().unreadable.count == 6)
    for share in inbox.unreadable { try await inbox.discard(share.name) }
    #expect(inbox.unreadable.isEmpty)
    #expect(try await inbox.importAll() == .init())
    #expect(FileManager.default.fileExists(atPath: folder + "/half.part"))
  }

  @Test func `no byte of a share can be another one`() async throws {
    let device = try Device()
    _ = try share(device, files: 1)
    let folder = device.place.folder.path + "/inbox"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let whole = try #require(FileManager.default.contents(atPath: folder + "/" + name))
    let inbox = try await inbox(device)
    for place in whole.indices {
      var changed = whole
      changed[place] ^= 0x10
      try changed.write(to: URL(filePath: folder + "/" + name))
      #expect(try await inbox.importAll().unreadable == [name], "byte \(place)")
    }
    #expect(inbox.shelf.outbox.items.isEmpty)
  }
}
