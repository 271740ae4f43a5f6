import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// The live shelf, rule by rule: tickets, changes, bytes that never change, what failed.
@Suite struct ShelfRuleTests {
  private let path = Path(canonical: Array("/notes".utf8))

  private func refusals(_ device: Device) throws -> [String] {
    try JournalReader(device.place.path).allEntries()
      .compactMap { $0.decoded(ReadRefused.self)?.reason.rawValue }
  }

  // MARK: Tickets

  @Test func `a flight may be joined while nothing fenced it, by a read of the same path`()
    async throws
  {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let ticket = try await shelf.begin(path)
    #expect(shelf.mayJoin(ticket, for: path))
    #expect(try !shelf.mayJoin(ticket, for: Path("/tides")))
    try await shelf.bump()
    #expect(!shelf.mayJoin(ticket, for: path))
    let later = try await shelf.begin(path)
    #expect(shelf.mayJoin(later, for: path))
    try await shelf.retire()
    #expect(!shelf.mayJoin(later, for: path))
    let again = try await device.open("https://a.example")
    #expect(!again.mayJoin(later, for: path), "it is of another opening")
  }

  @Test func `a store that is over says so, and takes nothing more`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    #expect(shelf.isOpen)
    let other = try await shelf.turn(to: Scope("https://b.example"))
    #expect(try other.scope == Scope("https://b.example"))
    #expect(other.isOpen)
    #expect(!shelf.isOpen)
    await #expect { try await shelf.begin(path) } throws: { $0 as? StoreError ~= .over }
    await #expect { try await shelf.turn(to: Scope("https://c.example")) } throws: {
      $0 as? StoreError ~= .over
    }
    await #expect { try await shelf.outbox.enqueue(.init("POST", path)) } throws: {
      $0 as? StoreError ~= .over
    }
  }

  @Test func `a reply that was late is no failure of the disk`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let ticket = try await shelf.begin(path)
    try await shelf.land(ticket, .init("one"))
    await #expect { try await shelf.land(ticket, .init("again")) } throws: {
      $0 as? StoreError ~= .unknown
    }
    #expect(!shelf.hasWriteFailure(path))
  }

  @Test func `a path whose reply could not be written is one until a reply is`() async throws {
    let device = try Device()
    let faults = Faults()
    device.options.faults = faults.check
    let shelf = try await device.open("https://a.example")
    let ticket = try await shelf.begin(path)
    faults.fail(afterCommits: 0)
    await #expect { try await shelf.land(ticket, .init("one")) } throws: {
      $0 as? StoreError ~= .journal
    }
    faults.heal()
    #expect(shelf.screen(path).hasWriteFailure)
    // Another read begins, and something else lands: nothing of this path was written yet.
    let later = try await shelf.begin(path)
    try await shelf.land(try await shelf.begin(Path("/tides")), .init("tides"))
    #expect(shelf.hasWriteFailure(path))
    try await shelf.land(later, .init("two"))
    #expect(!shelf.hasWriteFailure(path))
  }

  // MARK: Changes

  @Test func `a change is kept with its content, and makes late what it touches`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let far = try await shelf.begin(Path("/tides"))
    let near = try await shelf.begin(path)
    let sent = try await shelf.send(
      .init("PUT", path, touches: [Touch(.exact, path)], content: [4])
    )
    let body = try JournalReader(device.place.path).entry(at: sent)?.decode(MutationSent.self)?.body
    #expect(try shelf.outbox.content(of: try #require(body)) == [4])
    try await shelf.answer(sent, .init())
    guard case .landed = try await shelf.land(far, .init("tides")),
      case .refused(.generation, _) = try await shelf.land(near, .init("old"))
    else { return #expect(Bool(false), "it reaches another way") }
    #expect(shelf.generation == 1)
    try await device.check()
  }

  @Test func `an answer changes the row of a saved list, adds it or takes it out`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    try await shelf.land(try await shelf.begin(path), .init(#"[{"id":1,"v":1},{"id":2}]"#))
    for (id, row, list) in [
      ("1", #"{"id":1,"v":2}"#, #"[{"id":1,"v":2},{"id":2}]"#),
      ("3", #"{"id":3}"#, #"[{"id":1,"v":2},{"id":2},{"id":3}]"#),
      ("2", nil, #"[{"id":1,"v":2},{"id":3}]"#),
    ] as [(ItemID, String?, String)] {
      let sent = try await shelf.send(.init("PUT", Path("/notes/\(id.description)")))
      let change = Shelf.RowChange(path, id, row: row.map { Array($0.utf8) })
      let answered = try await shelf.answer(sent, .init(row: change))
      #expect(answered.written == [path])
      #expect(try shelf.text("/notes") == list)
    }
    // There is no copy to change: none is made of one row.
    let sent = try await shelf.send(.init("PUT", Path("/x")))
    try await shelf.answer(sent, .init(row: .init(Path("/none"), "1", row: Array("{}".utf8))))
    #expect(try shelf.copy(of: Path("/none")) == nil)
    try await device.check()
  }

  @Test func `a late answer is told path by path`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let sent = try await shelf.send(.init("PUT", path))
    try await shelf.land(try await shelf.begin(path), .init("theirs"))
    let other = try Path("/notes/1")
    let answered = try await shelf.answer(
      sent,
      .init(copies: [(path, .init("ours")), (other, .init("one"))])
    )
    #expect(answered.written == [other] && answered.suspect == [path])
    #expect(shelf.screen(path).source == .suspectCopy(savedAt: device.clock.now))
    #expect(shelf.copy(of: path)?.isSuspect == true)
    try await shelf.land(try await shelf.begin(path), .init("both"))
    #expect(shelf.screen(path).source == .copy(savedAt: device.clock.now))
  }

  // MARK: Bytes that never change

  @Test func `bytes that decode are shown, broken ones are missing and replaced`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let photo = try Path("/photo")
    try await shelf.keep([1, 2], at: photo)
    #expect(try await shelf.immutable(photo) { $0 } == [1, 2])
    #expect(shelf.copy(of: photo) != nil)
    #expect(try await shelf.immutable(photo) { _ in nil as Int? } == nil)
    #expect(shelf.copy(of: photo) == nil, "what is broken is gone")
    try await shelf.keep([3], at: photo)
    #expect(try await shelf.immutable(photo) { $0 } == [3])
    #expect(shelf.paths == [photo])
  }

  @Test func `a copy that a read brought is not taken for bytes that never change`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    try await shelf.land(try await shelf.begin(path), .init("one"))
    #expect(try await shelf.immutable(path) { $0 } == nil)
    #expect(try shelf.text("/notes") == "one")
    try await shelf.remove(path)
    #expect(shelf.paths.isEmpty)
  }

  // MARK: Reading

  @Test func `a read that throws is over, and says whether it was cancelled`() async throws {
    struct Broken: Error {}
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    await #expect(throws: Broken.self) { try await shelf.read(path) { throw Broken() } }
    await #expect(throws: CancellationError.self) {
      try await shelf.read(path) { throw CancellationError() }
    }
    await #expect(throws: Broken.self) {
      try await shelf.readList(path, pageSize: 500) { _ in throw Broken() }
    }
    await #expect(throws: CancellationError.self) {
      try await shelf.readList(path, pageSize: 500) { _ in throw CancellationError() }
    }
    #expect(!shelf.screen(path).isLoading)
    #expect(try refusals(device) == ["failed", "cancelled", "failed", "cancelled"])
  }

  @Test func `a page that is no list ends the read of the list`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let landing = try await shelf.readList(path, pageSize: 500) { _ in .init("<html>") }
    #expect(landing == .refused(.malformed, witness: nil))
    let ticket = try await shelf.begin(path)
    await #expect(throws: StoreError.self) { try await shelf.page(ticket, .init("{}")) }
    await #expect(throws: StoreError.self) { try await shelf.page(ticket, .init("[1] 2")) }
  }

  @Test func `a list ends with a short page, or with an empty one behind a full one`() async throws
  {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    func read(_ pages: [String]) async throws -> Int {
      var asked = 0
      let landing = try await shelf.readList(path, pageSize: 2) { index in
        asked += 1
        return .init(index < pages.count ? pages[index] : "[]")
      }
      guard case .landed = landing else { return -1 }
      return asked
    }
    #expect(try await read(["[]"]) == 1)
    #expect(try shelf.text("/notes") == "[]")
    #expect(try await read([#"[{"id":1}]"#]) == 1)
    #expect(try await read([#"[{"id":1},{"id":2}]"#]) == 2)
    #expect(try shelf.text("/notes") == #"[{"id":1},{"id":2}]"#)
    #expect(try await read([#"[{"id":1},{"id":2}]"#, #"[{"id":2},{"id":3}]"#, "[]"]) == 3)
    #expect(try shelf.text("/notes") == #"[{"id":1},{"id":2},{"id":3}]"#, "each row once")
    try await device.check()
  }

  @Test func `a list is not assembled without a page, with a short one in it, or below its floor`()
    async throws
  {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let bare = try await shelf.begin(path)
    #expect(try await shelf.assemble(bare) == .refused(.incomplete, witness: nil))
    let short = try await shelf.begin(path)
    _ = try await shelf.page(short, .init(#"[{"id":1}]"#))
    _ = try await shelf.page(short, .init(#"[{"id":2}]"#))
    #expect(try await shelf.assemble(short, pageSize: 2) == .refused(.incomplete, witness: nil))
    let high = try await shelf.begin(path)
    _ = try await shelf.page(high, .init(#"[{"id":1}]"#))
    guard case .landed(let seq) = try await shelf.assemble(high, revision: 5) else {
      return #expect(Bool(false), "it was refused")
    }
    #expect(shelf.copy(of: path)?.revision == 5)
    let low = try await shelf.begin(path)
    _ = try await shelf.page(low, .init(#"[{"id":1}]"#))
    #expect(try await shelf.assemble(low, revision: 4) == .refused(.older, witness: seq))
  }

  @Test func `a page of a list that is late ends its read`() async throws {
    let device = try Device()
    let shelf = try await device.open("https://a.example")
    let ticket = try await shelf.begin(path)
    _ = try await shelf.page(ticket, .init(#"[{"id":1}]"#))
    try await shelf.bump()
    guard case .refused(.generation, .some) = try await shelf.page(ticket, .init(#"[{"id":2}]"#))
    else { return #expect(Bool(false), "it was taken") }
    await #expect { try await shelf.assemble(ticket) } throws: { $0 as? StoreError ~= .unknown }
    let other = try await shelf.begin(path)
    _ = try await shelf.page(other, .init(#"[{"id":1}]"#))
    try await shelf.bump()
    guard case .refused(.generation, .some) = try await shelf.assemble(other) else {
      return #expect(Bool(false), "it was assembled")
    }
  }
}
