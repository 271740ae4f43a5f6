import TestSupport
import Testing
import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

/// What becomes of exchanges, one rule at a time.
@Suite struct HARImportTests {
  // MARK: Reads

  @Test func `a read begins and lands at its times`() throws {
    let story = try Imported(entryText(time: "250"))
    #expect(story.kinds == ["store-opened", "read-began", "read-landed", "imported"])
    #expect(story.entries[1].time.description == "2026-05-12T14:03:07.000Z")
    #expect(story.entries[2].time.description == "2026-05-12T14:03:07.250Z")
    #expect(try story.content("/notes") == "[]")
  }

  @Test(arguments: [
    ("404", "failed"), ("500", "failed"), ("206", "incomplete"), ("403", "failed"),
  ])
  func `an answer that is no copy is refused`(status: String, reason: String) throws {
    let story = try Imported(entryText(status: status))
    let refused = try #require(try story.entries[2].decode(ReadRefused.self))
    #expect(refused.reason.rawValue == reason)
    #expect(try story.content("/notes") == nil)
  }

  @Test func `a 304 confirms the copy that is there`() throws {
    let story = try Imported(
      entryText(),
      entryText(
        started: "\"2026-05-12T14:04:00.000Z\"",
        status: "304",
        content: #"{"size": 0, "text": ""}"#
      )
    )
    #expect(story.kinds.filter { $0 == "read-landed" }.count == 2)
    #expect(try story.content("/notes") == "[]")
    #expect(try story.copy("/notes")?.status == 304)
  }

  @Test func `an import that somebody stops goes on when it is run again`() throws {
    struct Stopped: Error {}
    let place = try TemporaryJournal()
    let file = try TemporaryFile(captureText([entryText()]))
    let journal = try place.open()
    var importing = HARImport(
      try HARSource(reading: InputFile(path: file.path)),
      policy: TouchPolicy(),
      into: journal,
      state: Shelf.empty
    )
    var chance = SeededGenerator(seed: 9)
    #expect(throws: Stopped.self) {
      try importing.run(chance: &chance) { _ in throw Stopped() }
    }
    try journal.close()
    let kinds = try place.read().allEntries().map(\.kindName)
    #expect(kinds == ["store-opened", "read-began", "read-landed"])
    #expect(try Imported([entryText()], into: place).kinds == kinds + ["imported"])
  }

  @Test func `content that the capture does not hold is said not to be known`() throws {
    let story = try Imported(entryText(content: #"{"size": 7, "mimeType": "application/json"}"#))
    let landed = try #require(try story.entries[2].decode(ReadLanded.self))
    #expect(!landed.body.isWhole)
    #expect(landed.body.id == 0)
    #expect(story.summary.partial == 1)
  }

  @Test func `a redirect is left out, and so is what was given up`() throws {
    let story = try Imported(
      entryText(status: "301"),
      entryText(time: "0", status: "0", more: #""_wasAborted": true"#)
    )
    #expect(story.summary.left[.redirect] == 1)
    #expect(story.summary.left[.givenUp] == 1)
    #expect(story.kinds == ["imported"])
  }

  @Test func `a read without an end stays open`() throws {
    let story = try Imported(
      entryText(),
      entryText(url: "\"https://api.example.org/slow\"", status: "0")
    )
    #expect(story.summary.open == 1)
    #expect(story.kinds.filter { $0 == "read-began" }.count == 2)
  }

  @Test func `the order of a query's parameters does not make another path`() throws {
    let story = try Imported(
      entryText(url: "\"https://api.example.org/notes?b=2&a=1\""),
      entryText(
        started: "\"2026-05-12T14:05:00.000Z\"",
        url: "\"https://api.example.org/notes?a=1&b=2\""
      )
    )
    #expect(Set(try story.entries.flatMap { try $0.paths.map(\.path.description) }).count == 1)
  }

  // MARK: Changes

  @Test func `a late read is refused, with the bump as its witness`() throws {
    let story = try Imported(lateList)
    let refusal = try #require(story.entries.first { $0.kind == ReadRefused.number })
    let refused = try #require(try refusal.decode(ReadRefused.self))
    #expect(refused.reason == .generation)
    let witness = try #require(refused.witness)
    #expect(story.entries[Int(witness.value) - 1].kindName == "generation-bumped")
    #expect(story.races.races.map(\.degree) == [.certain])
  }

  @Test(arguments: ["422", "500", "401"])
  func `a change that failed fences nothing`(status: String) throws {
    let story = try Imported(
      lateList.map { $0.replacing(#""status": 201"#, with: #""status": \#(status)"#) }
    )
    #expect(story.kinds.contains("mutation-failed"))
    #expect(!story.kinds.contains("generation-bumped"))
    #expect(story.races.races.isEmpty)
  }

  @Test func `a form that is answered by a redirect is a change that happened`() throws {
    let story = try Imported(
      lateList.map { $0.replacing(#""status": 201"#, with: #""status": 303"#) }
    )
    #expect(story.kinds.contains("mutation-answered"))
  }

  @Test(arguments: ["OPTIONS", "HEAD"])
  func `what only asks changes nothing`(method: String) throws {
    let story = try Imported(lateList.map { $0.replacing(#""POST""#, with: "\"\(method)\"") })
    #expect(story.summary.left[.asksOnly] == 1)
    #expect(story.races.races.isEmpty)
  }

  @Test func `a beacon changes nothing, also on the same server`() throws {
    let story = try Imported(
      lateList.map { $0.replacing(#""_mark": 0"#, with: #""_resourceType": "ping""#) }
    )
    #expect(story.summary.left[.beacon] == 1)
    #expect(story.races.races.isEmpty)
  }

  @Test func `a change on another server is none of this one's`() throws {
    let story = try Imported(
      lateList.enumerated().map { index, text in
        index == 0 ? text : text.replacing("api.example.org", with: "other.example.org")
      }
    )
    #expect(story.summary.scopes.count == 2)
    #expect(story.races.races.isEmpty)
  }

  @Test func `images, styles and scripts are copies that no change makes late`() throws {
    let story = try Imported(
      lateList + [
        entryText(
          url: "\"https://api.example.org/notes/41/photo.png\"",
          content: #"{"size": 3, "mimeType": "image/png", "text": "AAAA", "encoding": "base64"}"#
        )
      ]
    )
    #expect(story.summary.copies == 1)
    #expect(story.races.races.count == 1)
  }

  @Test func `a GraphQL query is a read and a mutation a change`() throws {
    func post(_ query: String, at second: Int, _ text: String, time: Int) -> String {
      entryText(
        started: "\"2026-05-12T14:03:0\(second).000Z\"",
        time: "\(time)",
        method: "\"POST\"",
        url: "\"https://api.example.org/graphql\"",
        request: """
          "postData": {"mimeType": "application/json", "text": "{\\"query\\": \\"\(query)\\"}"}
          """,
        content: """
          {"size": \(text.utf8.count - text.count(where: { $0 == "\\" })), \
          "mimeType": "application/json", "text": "\(text)"}
          """
      )
    }
    let story = try Imported(
      post("query Notes { notes { id } }", at: 0, #"[{\"id\":41,\"title\":\"old\"}]"#, time: 9),
      post("query Notes { notes { id } }", at: 1, #"[{\"id\":41,\"title\":\"old\"}]"#, time: 5000),
      post("mutation Rename { rename { id } }", at: 2, #"{\"id\":41,\"title\":\"new\"}"#, time: 100)
    )
    #expect(story.summary.reads == 2)
    #expect(story.summary.changes == 1)
    #expect(story.races.races.map(\.degree) == [.certain])
    #expect(story.races.races.first?.label == "Notes")
  }

  @Test func `the answer to a PUT is a copy if it is the thing itself`() throws {
    let story = try Imported(
      entryText(
        method: "\"PUT\"",
        url: "\"https://api.example.org/notes/41\"",
        content:
          #"{"size": 21, "mimeType": "application/json", "text": "{\"id\":41,\"title\":\"T\"}"}"#
      ),
      entryText(
        method: "\"PUT\"",
        url: "\"https://api.example.org/notes/42\"",
        content: #"{"size": 11, "mimeType": "application/json", "text": "{\"ok\":true}"}"#
      )
    )
    #expect(try story.content("/notes/41") == #"{"id":41,"title":"T"}"#)
    #expect(try story.content("/notes/42") == nil)
  }

  @Test func `a removal takes the copy away`() throws {
    let story = try Imported(
      entryText(url: "\"https://api.example.org/notes/41\""),
      entryText(
        started: "\"2026-05-12T14:04:00.000Z\"",
        method: "\"DELETE\"",
        url: "\"https://api.example.org/notes/41\"",
        status: "204",
        content: #"{"size": 0}"#
      )
    )
    #expect(try story.content("/notes/41") == nil)
    #expect(story.kinds.contains("mutation-answered"))
  }

  // MARK: Again

  @Test(arguments: [
    // Its collections are more than an entry holds, each a path of nearly 8 kB.
    "https://api.example.org/" + String(repeating: "a", count: 7000) + "/"
      + (1...30).map { "s\($0)" }.joined(separator: "/"),
    // Longer than a path may be.
    "https://api.example.org/" + String(repeating: "b/", count: 5000),
    "https://", "nothing at all", "https://api.example.org:99999999/x",
  ])
  func `one exchange that cannot be taken does not end the import`(url: String) throws {
    let story = try Imported(
      [
        entryText(started: "\"2026-05-12T14:03:06.000Z\"", method: "\"PUT\"", url: "\"\(url)\""),
        "{\"request\": 7}",
      ] + lateList
    )
    #expect(story.kinds.filter { $0 == "read-refused" }.count == 1)
    #expect(story.kinds.filter { $0 == "mutation-answered" }.count == 1)
    #expect(story.kinds.last == "imported")
    #expect(story.summary.problems.count == 2)
    #expect(story.races.count(.certain) == 1)
  }

  @Test func `the same capture again appends nothing, a longer one only what is new`() throws {
    let place = try TemporaryJournal()
    let first = try Imported(lateList, into: place)
    let again = try Imported(lateList, into: place)
    #expect(again.summary.appended == 0)
    #expect(again.entries.count == first.entries.count)
    let longer = lateList + [entryText(url: "\"https://api.example.org/more\"")]
    let third = try Imported(longer, into: place)
    // Its begin, its landing, and the record of another file.
    #expect(third.summary.appended == 3)
    #expect(third.entries.count == first.entries.count + 3)
  }

  @Test func `what was there already is counted once, whatever was imported in between`() throws {
    let requests = (0..<6).map { number in
      entryText(
        started: "\"2026-05-12T14:03:0\(number).000Z\"",
        url: "\"https://api.example.org/\(number)\""
      )
    }
    let photo = entryText(
      started: "\"2026-05-12T14:03:08.000Z\"",
      url: "\"https://api.example.org/photo.png\"",
      content: #"{"size": 3, "mimeType": "image/png", "text": "abc"}"#,
      more: #""_resourceType": "image""#
    )
    let place = try TemporaryJournal()
    let captures = [Array(requests[2...]) + [photo], Array(requests[..<4])]
    let made = try captures.map { try Imported($0, into: place).summary.appended }
    // The entries of the two requests that both have, and the record of neither.
    for (index, capture) in captures.enumerated() {
      let alone = try Imported(capture).summary
      let again = try Imported(capture, into: place).summary
      #expect(again.appended == 0)
      #expect(again.known == alone.appended, "\(index): \(made)")
      #expect(again.copies == alone.copies && again.left == alone.left)
    }
  }

  @Test func `the same capture under another policy is refused`() throws {
    let place = try TemporaryJournal()
    _ = try Imported(lateList, into: place)
    #expect(throws: HARImport.Failure.self) {
      try Imported(lateList, into: place, policy: TouchPolicy(fence: .scope))
    }
  }

  @Test func `two requests that are alike to the microsecond are two`() throws {
    let story = try Imported(entryText(), entryText())
    #expect(story.kinds.filter { $0 == "read-began" }.count == 2)
  }

  /// A list is asked for; a note is made meanwhile; the list, without it, comes last.
  private let lateList = [
    entryText(
      started: "\"2026-05-12T14:03:07.000Z\"",
      time: "2000",
      content: #"{"size": 2, "mimeType": "application/json", "text": "[]"}"#
    ),
    entryText(
      started: "\"2026-05-12T14:03:08.000Z\"",
      time: "100",
      method: "\"POST\"",
      status: "201",
      content: #"{"size": 9, "mimeType": "application/json", "text": "{\"id\":41}"}"#,
      more: #""_mark": 0"#
    ),
  ]
}

/// A capture as a journal.
struct Imported {
  let place: TemporaryJournal
  let summary: HARImport.Summary
  let entries: [Entry]
  let races: RaceReport
  private let state: ShelfState
  private let reader: JournalReader

  init(_ entries: String...) throws {
    try self.init(entries)
  }

  init(
    _ entries: [String],
    into place: TemporaryJournal? = nil,
    policy: TouchPolicy = TouchPolicy()
  ) throws {
    self.place = try place ?? TemporaryJournal()
    let text = captureText(entries)
    let file = try TemporaryFile(text)
    let journal = try self.place.open()
    var before = Projector(Shelf.self)
    try before.run(try self.place.read())
    var importing = HARImport(
      try HARSource(reading: InputFile(path: file.path)),
      policy: policy,
      into: journal,
      state: before.state
    )
    var chance = SeededGenerator(seed: 9)
    summary = try importing.run(chance: &chance)
    try journal.close()
    reader = try self.place.read()
    self.entries = try reader.allEntries()
    races = try RaceReport(reader)
    var after = Projector(Shelf.self)
    try after.run(reader)
    state = after.state
    let report = try Judge.judge(reader)
    #expect(report.counts.isEmpty, "the judge objects: \(report.findings)")
  }

  var kinds: [String] { entries.map(\.kindName) }

  func copy(_ path: String) throws -> ShelfState.Copy? {
    try state.store(of: Scope("https://api.example.org"))?.copy(of: Path(path))
  }

  func content(_ path: String) throws -> String? {
    guard let copy = try copy(path),
      case .kept(let bytes) = try reader.body(copy.body, of: copy.seq)
    else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
