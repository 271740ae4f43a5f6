import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay
import TidemarkStores

/// Copies of a journal, journals that come from elsewhere, and stores that are still opening.
@Suite struct CopyTests {
  private let work = Outbox.Work("POST", Path(canonical: Array("/new/1".utf8)), content: [1])

  @Test func `a copy holds every commit, and is taken as restored where it is opened`()
    async throws
  {
    let device = try Device()
    let outbox = try await device.open("https://a.example").outbox
    let key = try await outbox.enqueue(work)
    try await outbox.send(key)
    let other = try TemporaryJournal()
    try await device.stores?.copy(to: other.path)
    await #expect(throws: StoreError.self, "what is there is not written over") {
      try await device.stores?.copy(to: other.path)
    }
    let writer = try JournalReader(device.place.path).identity.writer

    let stores = try await Stores.open(other.path, device.options)
    // The projections did not come along: they are made of the copy.
    let rebuilt = ["shelf", "outbox", "pins", "inbox"].map {
      Stores.Notice.rebuilt(projection: $0, because: "it was not there")
    }
    #expect(Set(stores.notices) == Set(rebuilt + [.restored(term: 2), .inDoubt(1)]))
    #expect(try await stores.open(Scope("https://a.example")).outbox.items.map(\.key) == [key])
    try await stores.close()
    let reader = try JournalReader(other.path)
    #expect(reader.identity.writer != writer)
    let renewed = try reader.entry(at: Seq(4))?.decode(IdentityRenewed.self)
    #expect(renewed?.previous == writer)
    #expect(renewed?.writer == reader.identity.writer)
    #expect(try Judge.judge(reader).findings == [])
    // It is the same device from now on.
    #expect(try await Stores.open(other.path, device.options).notices == [])
  }

  @Test func `a journal that stays on its device keeps its writer`() async throws {
    let device = try Device()
    _ = try await device.open("https://a.example")
    let writer = try JournalReader(device.place.path).identity.writer
    let stores = try await device.reopen()
    #expect(stores.notices == [])
    #expect(try JournalReader(device.place.path).identity.writer == writer)
  }

  @Test func `what is asked of stores that are opening is done when they are open`() async throws {
    let device = try Device()
    let opening = OpeningStores(device.place.path, device.options)
    let work = work
    let key = try await opening.with { stores in
      try await stores.open(Scope("https://a.example")).outbox.enqueue(work)
    }
    #expect(try await opening.stores.open(Scope("https://a.example")).outbox.item(key) != nil)
  }

  @Test(arguments: [
    ([], 10, BodyBudget.Bodies()),
    ([3, 3, 3, 3], 6, BodyBudget.Bodies(bodies: [[0, 1], [2, 3]])),
    ([7, 1], 6, BodyBudget.Bodies(bodies: [[1]], oversize: [0])),
    ([1, 7, 1], 6, BodyBudget.Bodies(bodies: [[0], [2]], oversize: [1])),
    ([0, 6, 0], 6, BodyBudget.Bodies(bodies: [[0, 1, 2]])),
  ])
  func `bodies are filled by bytes`(sizes: [Int], limit: Int, bodies: BodyBudget.Bodies) {
    #expect(BodyBudget(limit: limit).bodies(of: sizes) == bodies)
  }

  @Test(arguments: [
    ("tide", 10, "tide"), ("tide", 2, "ti"), ("a\u{1F6A2}b", 2, "a"),
    ("a\u{1F6A2}b", 3, "a\u{1F6A2}"),
    ("e\u{301}", 1, ""), ("tide", 0, ""), ("tide", -1, ""),
  ])
  func `text is cut between characters`(text: String, limit: Int, cut: String) {
    #expect(TextPreview.cut(text, toUTF16Count: limit).utf8.elementsEqual(cut.utf8))
  }
}
