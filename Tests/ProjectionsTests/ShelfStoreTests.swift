import TestSupport
import Testing
import TidemarkEntries
import TidemarkProjections

private let server = "https://a.example"
private let other = "https://b.example"

/// Scopes and their openings.
@Suite struct ShelfStoreTests {
  @Test func `copies of one server never appear under another`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "of a"))
      .given(.open(other), .begin("/notes", as: "t2"), .reply("t2", "of b"), .keep("/logo", "logo"))
    #expect(try story.copies(of: server) == ["/notes": "of a"])
    #expect(try story.copies(of: other) == ["/notes": "of b", "/logo": "logo"])
  }

  @Test func `two accounts of one server are two scopes`() throws {
    let story = try Story()
      .given(.open(server, account: "ann"), .begin("/me", as: "t1"), .reply("t1", "Ann"))
      .given(.open(server, account: "bo"), .begin("/me", as: "t2"), .reply("t2", "Bo"))
      .given(.open(server), .begin("/me", as: "t3"), .reply("t3", "nobody"))
    #expect(try story.copies(of: server, account: "ann") == ["/me": "Ann"])
    #expect(try story.copies(of: server, account: "bo") == ["/me": "Bo"])
    #expect(try story.copies(of: server) == ["/me": "nobody"])
  }

  @Test func `two spellings of one address are one scope`() throws {
    let story = try Story()
      .given(.open("HTTPS://A.example:443/"), .begin("/notes", as: "t1"), .reply("t1", "notes"))
      .given(.turn(to: other), .turn(to: server))
    #expect(try story.copies(of: server) == ["/notes": "notes"])
  }

  @Test func `turning away retires the old store before the new one opens`() throws {
    let story = try Story().given(.open(server)).when(.turn(to: other))
    #expect(story.then == ["store-retired", "https://b.example opened", "scope-switched"])
  }

  @Test func `coming back finds the copies again`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "notes"), .turn(to: other))
      .given(.turn(to: server))
    #expect(try story.copies(of: server) == ["/notes": "notes"])
  }

  @Test func `a reply in flight over a turn to another server and back is refused`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .turn(to: other))
      .when(.reply("t1", "too late"))
    #expect(story.then == ["t1 refused: retired, by store-retired"])
    let again = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .turn(to: other), .turn(to: server))
      .given(.begin("/notes", as: "t2"))
      .when(.reply("t1", "too late"), .reply("t2", "notes"))
    #expect(again.then == ["t1 refused: retired, by store-retired", "t2 landed"])
    #expect(try again.copies(of: server) == ["/notes": "notes"])
    #expect(try again.copies(of: other) == [:])
  }

  @Test func `an opening without a retirement before it ends what was in flight`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .send("/notes/41", as: "m1"))
      .given(.open(server))
      .when(.reply("t1", "too late"), .answer("m1", [.init("/notes/41", "too late")]))
    #expect(
      story.then == [
        "t1 refused: retired, by store-opened", "m1 suppressed: /notes/41 retired, by store-opened",
      ]
    )
    #expect(try story.copies(of: server) == [:])
  }

  @Test func `the end that came first is the witness`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .retire(.signedOut), .open(server))
      .when(.reply("t1", "too late"))
    #expect(story.then == ["t1 refused: retired, by store-retired"])
  }

  @Test func `nothing is asked of a store that is over`() throws {
    let story = try Story().given(.open(server), .begin("/notes", as: "t1"), .retire())
    for word in [
      Story.Word.begin("/notes", as: "t2"), .send("/notes", as: "m"), .bump(.requested),
      .retire(), .keep("/logo", "logo"), .remove("/notes"), .turn(to: other),
    ] {
      #expect(throws: Shelf.Unknown.self) { try story.when(word) }
    }
  }

  @Test func `a new incarnation counts its generations anew`() throws {
    let story = try Story()
      .given(.open(server), .bump(.requested), .bump(.requested), .retire(), .open(server))
      .when(.bump(.requested))
    #expect(story.then == ["bumped: 0 to 1"])
  }

  // MARK: Copies without a ticket

  @Test func `immutable bytes are kept whatever is in flight, and are no write`() throws {
    let story = try Story()
      .given(
        .open(server),
        .begin("/logo", as: "t1"),
        .send("/logo", as: "m1"),
        .keep("/logo", "a")
      )
      .when(.reply("t1", "b"), .answer("m1", [.init("/logo", "c")]))
    #expect(story.then.first == "t1 landed")
    let kept = try Story()
      .given(.open(server), .send("/logo", as: "m1"), .keep("/logo", "a"))
      .when(.answer("m1", [.init("/logo", "c")]))
    #expect(kept.then.first == "m1 answered: /logo")
  }

  @Test func `clearing a scope removes its copies, makes reads late and leaves other scopes`()
    throws
  {
    let story = try Story()
      .given(.open(other), .begin("/notes", as: "t0"), .reply("t0", "of b"))
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "of a"))
      .given(.begin("/notes", as: "t2"), .bump(.cleared))
      .when(.reply("t2", "late"))
    #expect(story.then == ["t2 refused: generation, by bumped"])
    #expect(try story.copies(of: server) == [:])
    #expect(try story.copies(of: other) == ["/notes": "of b"])
  }

  @Test func `a copy that was removed is gone until the next read`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .reply("t1", "a"), .remove("/notes"))
    #expect(try story.copies(of: server) == [:])
    try story.given(.begin("/notes", as: "t2"), .reply("t2", "b"))
    #expect(try story.copies(of: server) == ["/notes": "b"])
  }
}
