import TestSupport
import Testing
import TidemarkEntries
import TidemarkProjections

private let server = "https://a.example"
private let other = "https://b.example"

/// Tickets: when a reply may land, and what it is told if not.
@Suite struct ShelfReadTests {
  @Test func `a reply lands while nothing came between`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"))
      .when(.reply("t1", "notes"))
    #expect(story.then == ["t1 landed"])
    #expect(try story.copies(of: server) == ["/notes": "notes"])
  }

  @Test func `a reply that began before a bump is refused, and the copy stays`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t0"), .reply("t0", "first"))
      .given(.begin("/notes", as: "t1"), .bump(.pushed))
      .when(.reply("t1", "old"))
    #expect(story.then == ["t1 refused: generation, by bumped"])
    #expect(try story.copies(of: server) == ["/notes": "first"])
  }

  @Test func `a read that begins after a bump lands`() throws {
    let story = try Story()
      .given(.open(server), .bump(.requested), .begin("/notes", as: "t1"))
      .when(.reply("t1", "new"))
    #expect(story.then == ["t1 landed"])
  }

  @Test func `a bump makes every read of its scope late, and none of another`() throws {
    let story = try Story()
      .given(.open(other), .begin("/notes", as: "t0"))
      .given(.open(server), .begin("/notes", as: "t1"), .begin("/tides", as: "t2"))
      .given(.bump(.requested))
      .when(.reply("t0", "a"), .reply("t1", "b"), .reply("t2", "c"))
    #expect(
      story.then == [
        "t0 landed", "t1 refused: generation, by bumped", "t2 refused: generation, by bumped",
      ]
    )
  }

  @Test func `a bump raises the generation by one`() throws {
    let story = try Story().given(.open(server)).when(.bump(.requested), .bump(.pushed))
    #expect(story.then == ["bumped: 0 to 1", "bumped: 1 to 2"])
  }

  @Test func `only the latest read of a path lands`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .begin("/notes", as: "t2"))
      .when(.reply("t2", "new"), .reply("t1", "old"))
    #expect(story.then == ["t2 landed", "t1 refused: superseded, by t2"])
    #expect(try story.copies(of: server) == ["/notes": "new"])
  }

  @Test func `an earlier read is refused although the later one has not come yet`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .begin("/notes", as: "t2"))
      .when(.reply("t1", "old"), .reply("t2", "new"))
    #expect(story.then == ["t1 refused: superseded, by t2", "t2 landed"])
  }

  @Test func `reads of two paths do not supersede each other`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .begin("/tides", as: "t2"))
      .when(.reply("t1", "a"), .reply("t2", "b"))
    #expect(story.then == ["t1 landed", "t2 landed"])
  }

  @Test func `two spellings of one path are one path`() throws {
    let story = try Story()
      .given(.open(server), .begin("/caf%c3%a9/", as: "t1"), .begin("/caf\u{e9}", as: "t2"))
      .when(.reply("t1", "old"))
    #expect(story.then == ["t1 refused: superseded, by t2"])
  }

  @Test func `a ticket ends once`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "notes"))
    #expect(throws: Shelf.Unknown.self) { try story.when(.reply("t1", "again")) }
    #expect(throws: Shelf.Unknown.self) { try story.when(.end("t1", .cancelled)) }
  }

  // MARK: Revisions

  @Test func `a read never takes a path to a lower revision`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "five", revision: 5))
      .given(.begin("/notes", as: "t2"))
      .when(.reply("t2", "four", revision: 4))
    #expect(story.then == ["t2 refused: older, by t1 landed"])
    #expect(try story.copies(of: server) == ["/notes": "five"])
  }

  @Test func `the same revision again, and a higher one, land`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "a", revision: 5))
      .given(.begin("/notes", as: "t2"))
      .when(.reply("t2", "b", revision: 5))
    #expect(story.then == ["t2 landed"])
    try story.given(.begin("/notes", as: "t3")).when(.reply("t3", "c", revision: 6))
    #expect(story.then == ["t3 landed"])
  }

  @Test func `the floor stands over an answer without a revision`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "five", revision: 5))
      .given(.begin("/notes", as: "t2"), .reply("t2", "bare"), .begin("/notes", as: "t3"))
      .when(.reply("t3", "four", revision: 4))
    #expect(story.then == ["t3 refused: older, by t1 landed"])
  }

  @Test func `the floor stands over a new opening of the scope`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "five", revision: 5))
      .given(.turn(to: other), .turn(to: server), .begin("/notes", as: "t2"))
      .when(.reply("t2", "four", revision: 4))
    #expect(story.then == ["t2 refused: older, by t1 landed"])
  }

  @Test(arguments: [Story.Word.remove("/notes"), .bump(.cleared)])
  func `a copy that was removed takes its floor along`(removal: Story.Word) throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "five", revision: 5))
      .given(removal)
    #expect(try story.copies(of: server) == [:])
    try story.given(.begin("/notes", as: "t2")).when(.reply("t2", "four", revision: 4))
    #expect(story.then == ["t2 landed"])
  }

  // MARK: Reasons

  @Test func `of several reasons the first is given`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t0"), .reply("t0", "five", revision: 5))
      .given(.begin("/notes", as: "a"), .begin("/notes", as: "b"), .begin("/notes", as: "c"))
      .when(.reply("a", "four", revision: 4))
    #expect(story.then == ["a refused: superseded, by c"])
    try story.given(.bump(.requested)).when(.reply("b", "four", revision: 4))
    #expect(story.then == ["b refused: generation, by bumped"])
    try story.given(.retire()).when(.reply("c", "four", revision: 4))
    #expect(story.then == ["c refused: retired, by store-retired"])
  }

  @Test(arguments: [
    ReadRefused.Reason.malformed, .incomplete, .cancelled, .failed,
  ])
  func `what makes a ticket stale counts before what went wrong`(reason: ReadRefused.Reason) throws
  {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "a"), .begin("/notes", as: "b"))
      .when(.end("a", reason), .end("b", reason))
    #expect(story.then == ["a refused: superseded, by b", "b refused: \(reason.rawValue)"])
    try story.given(.begin("/notes", as: "c"), .begin("/tides", as: "d"), .bump(.pushed))
      .when(.end("c", reason))
    #expect(story.then == ["c refused: generation, by bumped"])
    try story.given(.retire()).when(.end("d", reason))
    #expect(story.then == ["d refused: retired, by store-retired"])
  }

  @Test func `an older reply that does not decode is malformed, one that was cut is older`() throws
  {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t"), .reply("t", "five", revision: 5))
      .given(.begin("/notes", as: "a"))
      .when(.end("a", .malformed, revision: 4))
    #expect(story.then == ["a refused: malformed"])
    try story.given(.begin("/notes", as: "b")).when(.end("b", .incomplete, revision: 4))
    #expect(story.then == ["b refused: older, by t landed"])
  }

  @Test func `a caller cannot decide what the journal decides`() throws {
    let story = try Story().given(.open(server), .begin("/notes", as: "t"))
    for reason in ReadRefused.Reason.allCases where reason.needsWitness {
      #expect(throws: Shelf.Unknown.self) { try story.when(.end("t", reason)) }
    }
  }
}
