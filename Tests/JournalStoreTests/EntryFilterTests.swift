import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@Suite struct EntryFilterTests {
  /// Two scopes, a read in each, and a change in the first.
  private func reader() throws -> JournalReader {
    let scribe = try Scribe()
    try scribe.open()  // 1
    try scribe.open("https://b.example")  // 2
    let read = try scribe.begin("/notes")  // 3
    try scribe.begin("/notes/41", in: 2)  // 4
    try scribe.land(read, "/notes")  // 5
    try scribe.commit()
    let sent = try scribe.send("/notes/41")  // 6
    try scribe.answer(sent, copies: [("/notes/41", 52), ("/notes", nil)])  // 7, 8
    try scribe.write(
      KeyConflicted(key: IdempotencyKey("odd"), prior: Seq(3), fields: [], offered: Tree.emptyRoot),
      in: nil
    )  // 9
    return try scribe.finish()
  }

  private func seqs(_ change: (inout EntryFilter) throws -> Void) throws -> [UInt64] {
    var selection = EntrySelection()
    try change(&selection.filter)
    return try seqs(selection)
  }

  private func seqs(_ selection: EntrySelection) throws -> [UInt64] {
    let reader = try reader()
    var seqs: [UInt64] = []
    _ = try reader.forEach(
      of: selection,
      EntryContext(reader),
      { (entry) throws(JournalError) in seqs.append(entry.seq.value) },
      batch: { _ throws(JournalError) in true },
      mapping: { $0 }
    )
    return seqs
  }

  private func pattern(_ text: String) -> EntryFilter.Pattern {
    let isPrefix = text.hasSuffix("*")
    return .init(Array((isPrefix ? text.dropLast() : text[...]).utf8), isPrefix: isPrefix)
  }

  @Test func `without a field everything is wanted`() throws {
    #expect(try seqs { _ in } == Array(1...9))
    #expect(EntryFilter().isEmpty)
  }

  @Test func `each field narrows`() throws {
    #expect(try seqs { $0.kinds = [ReadBegan.number] } == [3, 4])
    #expect(try seqs { $0.scopes = ["https://b.example"] } == [2, 4])
    #expect(try seqs { $0.paths = [pattern("/notes")] } == [3, 5, 7])
    #expect(try seqs { $0.paths = [pattern("/notes*")] } == [3, 4, 5, 6, 7])
    #expect(try seqs { $0.keys = [pattern("k3")] } == [3])
    #expect(try seqs { $0.keys = [pattern("k*")] } == Array(1...9))
    let ticket = Ticket(incarnation: Seq(1), generation: 0, begin: Seq(3))
    #expect(try seqs { $0.tickets = [ticket] } == [3, 5])
    #expect(
      try seqs { $0.tickets = [Ticket(incarnation: Seq(2), generation: 0, begin: Seq(3))] } == []
    )
    #expect(try seqs { $0.cause = Seq(3) } == [5])
    #expect(try seqs { $0.since = DeviceTime(milliseconds: 8) } == [8, 9])
    #expect(try seqs { $0.until = DeviceTime(milliseconds: 2) } == [1, 2])
    #expect(try seqs { $0.text = Array("b.example".utf8) } == [2])
    #expect(try seqs { $0.text = Array("read-b".utf8) } == [3, 4])
    #expect(try seqs { $0.text = Array("PUT".utf8) } == [6])
  }

  @Test func `values of one field are either, fields are both`() throws {
    #expect(try seqs { $0.kinds = [ReadBegan.number, ReadLanded.number] } == [3, 4, 5])
    #expect(try seqs { $0.paths = [pattern("/none"), pattern("/notes/41")] } == [4, 6, 7])
    let both = try seqs {
      $0.kinds = [ReadBegan.number, StoreOpened.number]
      $0.scopes = ["https://a.example"]
    }
    #expect(both == [1, 3])
  }

  @Test func `a writer is the device of the journal, by the first digits of its id`() throws {
    let id = Hex.encode(try reader().identity.writer)
    #expect(try seqs { $0.writers = [String(id.prefix(3))] }.count == 9)
    #expect(try seqs { $0.writers = ["none"] } == [])
  }

  @Test func `a range has both ends, and a limit`() throws {
    var selection = EntrySelection()
    selection.first = Seq(4)
    selection.last = Seq(6)
    #expect(try seqs(selection) == [4, 5, 6])
    selection.limit = 2
    #expect(try seqs(selection) == [4, 5])
    selection.isReversed = true
    #expect(try seqs(selection) == [6, 5])
    selection.limit = 0
    #expect(try seqs(selection) == [])
  }

  @Test func `how far it was looked does not depend on the filter`() throws {
    let reader = try reader()
    func examined(_ change: (inout EntrySelection) -> Void) throws -> Examination {
      var selection = EntrySelection()
      change(&selection)
      return try reader.forEach(
        of: selection,
        EntryContext(reader),
        { (_) throws(JournalError) in },
        batch: { _ throws(JournalError) in true },
        mapping: { $0 }
      )
    }
    let filtered = try examined { $0.filter.kinds = [ReadLanded.number] }
    #expect(filtered.through == Seq(9) && filtered.count == 1 && !filtered.isEnded)
    let limited = try examined {
      $0.filter.kinds = [ReadBegan.number]
      $0.limit = 1
    }
    #expect(limited.through == Seq(3) && limited.isEnded)
    let bound = try examined { $0.last = Seq(2) }
    #expect(bound.through == Seq(2) && !bound.isEnded)
  }

  @Test func `what cannot be read does not count as looked at`() throws {
    let scribe = try Scribe()
    try scribe.open()
    for _ in 0..<3 {
      try scribe.commit()
      try scribe.begin()
    }
    let last = try scribe.finish().last
    try scribe.place.acknowledge(through: last.value - 1)
    try scribe.place.zeroBlock(ofEntry: last.value)
    let reader = try scribe.place.read()
    #expect(try reader.findings().map(\.code) == [.tornTail])
    #expect(reader.last == Seq(last.value - 1))
    for isReversed in [false, true] {
      var selection = EntrySelection()
      selection.isReversed = isReversed
      let done = try reader.forEach(
        of: selection,
        EntryContext(reader),
        { (_) throws(JournalError) in },
        batch: { _ throws(JournalError) in true },
        mapping: { $0 }
      )
      #expect(done.findings == [])
      #expect(done.through == (isReversed ? Seq(1) : Seq(last.value - 1)))
      #expect(done.count == last.value - 1)
    }
  }

  // MARK: Context

  @Test func `tickets and changes are known from both ends, whatever was shown before`() throws {
    let reader = try reader()
    let context = EntryContext(reader)
    let landed = try #require(try reader.entry(at: Seq(5)))
    #expect(context.ticket(of: landed)?.description == "1.0.3")
    #expect(context.ticket(of: try #require(try reader.entry(at: Seq(4))))?.description == "2.0.4")
    let answered = try #require(try reader.entry(at: Seq(7)))
    #expect(context.ticket(of: answered) == nil)
    #expect(context.sending(of: answered)?.seq == Seq(6))
    #expect(context.scope(of: answered)?.description == "https://a.example")
    #expect(context.scope(of: try #require(try reader.entry(at: Seq(9)))) == nil)
  }

  @Test func `what an entry names in its fields is told by their names`() throws {
    let reader = try reader()
    let named = try (3...9).map { seq in
      try #require(try reader.entry(at: Seq(seq))).references.map { "\($0.field) \($0.seq)" }
    }
    #expect(named == [[], [], ["begin 3"], [], ["mutation 6"], [], ["prior 3"]])
  }
}
