import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkHashing
import TidemarkJournalStore
import TidemarkStores

/// Files of the inbox that somebody else made: their digest is right, and nothing else need be.
@Suite struct ShareFileTests {
  /// The parts of a share, each of which a test can make wrong.
  private struct Parts {
    var magic = "TDSHARE1"
    var heads: [[UInt8]] = [Parts.head()]
    var contents: [[UInt8]] = [[7]]
    var tail = Parts.tail()
    var behind: [UInt8] = []

    static func head(
      parts: Int = 7,
      path: String = "/a",
      content: UInt64? = 1,
      files: [(name: String, parts: Int, count: UInt64)] = [],
      behind: [UInt8] = []
    ) -> [UInt8] {
      var writer = CBORWriter()
      writer.array(count: parts)
      writer.text("POST")
      writer.text(path)
      for _ in 0..<3 { writer.null() }
      if let content { writer.unsigned(content) } else { writer.null() }
      writer.array(count: files.count)
      for file in files {
        writer.array(count: file.parts)
        writer.text(file.name)
        writer.null()
        writer.unsigned(file.count)
      }
      return writer.bytes + behind
    }

    static func tail(parts: Int = 3, id: String = "id", count: UInt64 = 1, behind: [UInt8] = [])
      -> [UInt8]
    {
      var writer = CBORWriter()
      writer.array(count: parts)
      writer.text(id)
      writer.integer(5000)
      writer.unsigned(count)
      return writer.bytes + behind
    }

    static func length(_ count: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) }
    }

    var bytes: [UInt8] {
      var bytes = Array(magic.utf8)
      for (head, content) in zip(heads, contents) {
        bytes += Parts.length(head.count) + head + content
      }
      return ShareFileTests.sealed(
        bytes + Parts.length(0) + Parts.length(tail.count) + tail + behind
      )
    }
  }

  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256Hash()
    hash.update(bytes)
    return bytes + Digest(words: hash.finish()).bytes
  }

  private static func parts(_ change: (inout Parts) -> Void) -> [UInt8] {
    var parts = Parts()
    change(&parts)
    return parts.bytes
  }

  /// What comes of a file in the inbox.
  private func imported(_ bytes: [UInt8]) async throws -> (Inbox.Imported, Inbox) {
    let device = try Device()
    let folder = device.place.folder.path + "/inbox"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: folder + "/x.share"))
    let inbox = try await device.open("https://a.example").inbox(folder)
    return (try await inbox.importAll(), inbox)
  }

  @Test func `a share that is made by hand is taken`() async throws {
    let (imported, inbox) = try await imported(Parts().bytes)
    #expect(imported == .init(shares: ["id"], items: 1))
    #expect(inbox.shelf.outbox.items.first?.authored.milliseconds == 5000)
  }

  private static let wrong: [(String, [UInt8])] = [
    ("it is too short", sealed(Array("TDSHARE".utf8))),
    ("it does not begin like a share", parts { $0.magic = "TDSHARE2" }),
    ("an item has seven parts", parts { $0.heads = [Parts.head(parts: 6)] }),
    ("bytes behind an item", parts { $0.heads = [Parts.head(behind: [0])] }),
    (
      "a file has three parts",
      parts {
        $0.heads = [Parts.head(content: nil, files: [("a", 2, 1)])]
      }
    ),
    ("a tail has three parts", parts { $0.tail = Parts.tail(parts: 2) }),
    ("its tail does not fit its items", parts { $0.tail = Parts.tail(count: 2) }),
    ("its tail does not fit its items", parts { $0.tail = Parts.tail(behind: [0]) }),
    ("its tail does not fit its items", parts { $0.tail = Parts.tail(id: "") }),
    ("bytes behind the tail", parts { $0.behind = [0] }),
    ("it is cut", sealed(Array("TDSHARE1".utf8) + [1, 0])),
    ("it is cut", sealed(Array("TDSHARE1".utf8) + Parts.length(60_000) + [1])),
    ("a head is too long", sealed(Array("TDSHARE1".utf8) + Parts.length(65_537) + [1])),
    (
      "a head is too long",
      parts {
        $0.heads = [Parts.head(path: "/" + String(repeating: "x", count: 65_536))]
      }
    ),
    (
      "a content is longer than the file",
      parts {
        $0.heads = [Parts.head(content: 10_000)]
      }
    ),
    ("a content is longer than the file", parts { $0.heads = [Parts.head(content: .max)] }),
    (
      "more than 10000 items",
      parts {
        $0.heads = [[UInt8]](repeating: Parts.head(content: nil), count: 10_001)
        $0.contents = [[UInt8]](repeating: [], count: 10_001)
        $0.tail = Parts.tail(count: 10_001)
      }
    ),
  ]

  @Test(arguments: wrong.indices)
  func `a share whose parts are wrong is kept and nothing of it is taken`(index: Int) async throws {
    let (detail, bytes) = Self.wrong[index]
    let (imported, inbox) = try await imported(bytes)
    #expect(imported == .init(unreadable: ["x.share"]))
    #expect(inbox.unreadable.map(\.detail) == [detail])
    #expect(inbox.shelf.outbox.items.isEmpty)
  }

  // MARK: Importing

  private func share(_ device: Device, _ path: String = "/a") throws -> String {
    let writer = try ShareWriter(
      inbox: device.place.folder.path + "/inbox",
      clock: device.clock.clock
    )
    try writer.add(Outbox.Work("POST", Path(path), content: [1]))
    try writer.finish()
    return writer.id
  }

  @Test func `an import is told in the journal, before and behind its items`() async throws {
    let device = try Device()
    let id = try share(device)
    let inbox = try await device.open("https://a.example").inbox(
      device.place.folder.path + "/inbox"
    )
    try await inbox.importAll()
    let entries = try JournalReader(device.place.path).allEntries()
    let kinds = entries.map(\.kindName).filter { $0.hasPrefix("share") || $0.hasPrefix("outbox") }
    #expect(kinds == ["share-received", "outbox-enqueued", "share-imported"])
    #expect(entries.last?.decoded(ShareImported.self)?.share == id)
  }

  @Test func `a share whose id stands for other work is kept for a person`() async throws {
    let device = try Device()
    let id = try share(device)
    let inbox = try await device.open("https://a.example").inbox(
      device.place.folder.path + "/inbox"
    )
    try await inbox.shelf.outbox.enqueue(.init("PUT", Path("/b")), key: IdempotencyKey(id))
    for _ in 0..<2 {
      #expect(try await inbox.importAll() == .init(unreadable: ["\(id).share"]))
    }
    #expect(inbox.unreadable.map(\.name) == ["\(id).share"])
    let told = try JournalReader(device.place.path).allEntries().filter {
      $0.kind == ShareUnreadable.number
    }
    #expect(told.count == 1, "it is told once")
    try await inbox.discard("\(id).share")
    #expect(try await inbox.importAll() == .init())
  }

  @Test func `only what is told as unreadable can be discarded`() async throws {
    let device = try Device()
    let folder = device.place.folder.path
    try Data([1]).write(to: URL(filePath: folder + "/mine.txt"))
    let inbox = try await device.open("https://a.example").inbox(folder + "/inbox")
    await #expect { try await inbox.discard("../mine.txt") } throws: {
      $0 as? StoreError ~= .unknown
    }
    #expect(FileManager.default.fileExists(atPath: folder + "/mine.txt"))
  }

  // MARK: Writing

  @Test func `a share that is given up leaves nothing`() throws {
    let device = try Device()
    let folder = device.place.folder.path + "/inbox"
    do {
      let writer = try ShareWriter(inbox: folder)
      try writer.add(Outbox.Work("POST", Path("/a")))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `what no reader would take is not written`() throws {
    let device = try Device()
    let writer = try ShareWriter(inbox: device.place.folder.path + "/inbox")
    let long = String(repeating: "x", count: 65_536)
    #expect(throws: StoreError.self) {
      try writer.add(Outbox.Work("POST", Path("/a"), label: long))
    }
    let huge = [UInt8](repeating: 0, count: (256 << 20) + 1)
    #expect(throws: StoreError.self) {
      try writer.add(Outbox.Work("POST", Path("/a"), content: huge))
    }
    for _ in 0..<10_000 { try writer.add(Outbox.Work("POST", Path("/a"))) }
    #expect(throws: StoreError.self) { try writer.add(Outbox.Work("POST", Path("/a"))) }
  }
}
