import TestSupport
import Testing
import TidemarkEntries
import TidemarkProjections

private let server = "https://a.example"

/// Changes take tickets too: what an answer writes, what it makes late, and when it writes nothing.
@Suite struct ShelfChangeTests {
  // MARK: The answer

  @Test func `an answer writes its copies and bumps, in one append`() throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"))
      .when(.answer("m1", [.init("/notes/41", "new"), .init("/notes", "list")]))
    #expect(story.then == ["m1 answered: /notes/41 /notes", "m1 bumped: 0 to 1"])
    #expect(try story.copies(of: server) == ["/notes/41": "new", "/notes": "list"])
  }

  @Test func `an answer removes what is gone`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes/41", as: "t"), .reply("t", "note", revision: 9))
      .given(.send("/notes/41", as: "m1"))
      .when(.answer("m1", removing: ["/notes/41"]))
    #expect(story.then == ["m1 answered: /notes/41", "m1 bumped: 0 to 1"])
    #expect(try story.copies(of: server) == [:])
    // What comes under the path again is another thing: its revisions begin anew.
    try story.given(.begin("/notes/41", as: "u")).when(.reply("u", "another", revision: 1))
    #expect(story.then == ["u landed"])
  }

  @Test func `an answer that says nothing of copies makes reads late all the same`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .send("/notes/41", as: "m1"))
      .given(.answer("m1"))
      .when(.reply("t1", "old list"))
    #expect(story.then == ["t1 refused: generation, by m1 bumped"])
  }

  @Test func `by default an answer makes every read in flight late`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .begin("/far/away", as: "t2"))
      .given(.send("/notes/41", as: "m1"), .answer("m1", [.init("/notes/41", "new")]))
      .given(.begin("/notes", as: "t3"))
      .when(.reply("t1", "old"), .reply("t2", "old"), .reply("t3", "new"))
    #expect(
      story.then == [
        "t1 refused: generation, by m1 bumped", "t2 refused: generation, by m1 bumped",
        "t3 landed",
      ]
    )
  }

  @Test func `a change that failed makes nothing late`() throws {
    for reason in [MutationFailed.Reason.rejected, .lost, .cancelled] {
      let story = try Story()
        .given(.open(server), .begin("/notes", as: "t1"), .send("/notes/41", as: "m1"))
        .when(.endChange("m1", reason), .reply("t1", "notes"))
      #expect(story.then == ["m1 failed: \(reason.rawValue)", "t1 landed"])
    }
  }

  @Test func `a change is answered once`() throws {
    let story = try Story().given(.open(server), .send("/notes/41", as: "m1"), .answer("m1"))
    #expect(throws: Shelf.Unknown.self) { try story.when(.answer("m1")) }
    #expect(throws: Shelf.Unknown.self) { try story.when(.endChange("m1", .lost)) }
  }

  // MARK: Declared paths

  @Test func `a change that declares its paths makes late those and no others`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .begin("/tides", as: "t2"))
      .given(.send("/notes/41", as: "m1", touching: [Touch(.exact, try Path("/notes"))]))
      .given(.answer("m1", [.init("/notes/41", "new")]))
      .when(.reply("t1", "old"), .reply("t2", "tides"))
    #expect(story.then == ["t1 refused: generation, by m1 bumped", "t2 landed"])
  }

  @Test func `a change that declares nothing at all makes nothing late`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes", as: "t1"), .send("/notes/41", as: "m1", touching: []))
      .given(.answer("m1", [.init("/notes/41", "new")]))
      .when(.reply("t1", "notes"))
    #expect(story.then == ["t1 landed"])
  }

  @Test(arguments: [
    (Touch.Form.exact, "/notes?page=2", false), (.resource, "/notes?page=2", true),
    (.under, "/notes?page=2", false), (.under, "/notes/41", true),
    (.under, "/notes/41?full=1", true),
    (.under, "/notesbook", false), (.exact, "/notes", true), (.resource, "/notes/41", false),
  ])
  func `a rule reaches as far as its form says`(form: Touch.Form, path: String, isLate: Bool) throws
  {
    let story = try Story()
      .given(.open(server), .begin(path, as: "t1"))
      .given(.send("/x", as: "m1", touching: [Touch(form, try Path("/notes"))]), .answer("m1"))
      .when(.reply("t1", "text"))
    #expect(story.then == [isLate ? "t1 refused: generation, by m1 bumped" : "t1 landed"])
  }

  @Test func `an answer in several entries reaches no further than it declared`() throws {
    let story = try Story()
      .given(.open(server))
      .given(.send("/notes/41", as: "m1", touching: [Touch(.under, try Path("/notes"))]))
      .given(.begin("/notes/41", as: "a"), .reply("a", "41"), .begin("/notes/42", as: "b"))
      .given(.reply("b", "42"), .begin("/tides", as: "t1"), .begin("/notes/43", as: "t2"))
      .when(
        .answer("m1", [.init("/notes/41", "x"), .init("/notes/42", "y"), .init("/notes/44", "z")])
      )
    #expect(
      story.then == [
        "m1 answered: /notes/44 /notes/41", "m1 suppressed: /notes/41 late, by a landed",
        "m1 suppressed: /notes/42 late, by b landed", "m1 bumped: 0 to 1",
      ]
    )
    try story.when(.reply("t1", "tides"), .reply("t2", "old"))
    #expect(story.then == ["t1 landed", "t2 refused: generation, by m1 bumped"])
  }

  // MARK: Late answers

  @Test func `two changes that are answered in reverse leave the later answer`() throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .send("/notes/41", as: "m2"))
      .when(
        .answer("m2", [.init("/notes/41", "second")]),
        .answer("m1", [.init("/notes/41", "first")])
      )
    #expect(
      story.then == [
        "m2 answered: /notes/41", "m2 bumped: 0 to 1",
        "m1 suppressed: /notes/41 late, by m2 answered", "m1 bumped: 1 to 2",
      ]
    )
    #expect(try story.copies(of: server) == ["/notes/41": "second (suspect)"])
  }

  @Test func `with revisions the server's order counts`() throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .send("/notes/41", as: "m2"))
      .when(
        .answer("m2", [.init("/notes/41", "second", revision: 2)]),
        .answer("m1", [.init("/notes/41", "first", revision: 1)])
      )
    #expect(story.then[2] == "m1 suppressed: /notes/41 older, by m2 answered")
    let other = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .send("/notes/41", as: "m2"))
      .when(
        .answer("m2", [.init("/notes/41", "first", revision: 1)]),
        .answer("m1", [.init("/notes/41", "second", revision: 2)])
      )
    #expect(other.then[2] == "m1 answered: /notes/41")
    #expect(try other.copies(of: server) == ["/notes/41": "second"])
  }

  @Test func `two answers of one revision are the same, and the one that comes is written`() throws
  {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .send("/notes/41", as: "m2"))
      .given(.answer("m2", [.init("/notes/41", "as merged", revision: 2)]))
      .when(.answer("m1", [.init("/notes/41", "as merged, told again", revision: 2)]))
    #expect(story.then[0] == "m1 answered: /notes/41")
  }

  @Test(arguments: [(2, nil), (nil, 2)] as [(UInt64?, UInt64?)])
  func `a revision on one side orders nothing`(first: UInt64?, second: UInt64?) throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .send("/notes/41", as: "m2"))
      .given(.answer("m2", [.init("/notes/41", "second", revision: first)]))
      .when(.answer("m1", [.init("/notes/41", "first", revision: second)]))
    #expect(story.then[0] == "m1 suppressed: /notes/41 late, by m2 answered")
  }

  @Test func `a change that crosses another party's read is not written over it`() throws {
    // The read began behind the change, on the server it came behind somebody else's.
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .begin("/notes/41", as: "t1"))
      .given(.reply("t1", "somebody else's"))
      .when(.answer("m1", [.init("/notes/41", "ours")]))
    #expect(
      story.then == ["m1 suppressed: /notes/41 late, by t1 landed", "m1 bumped: 0 to 1"]
    )
    #expect(try story.copies(of: server) == ["/notes/41": "somebody else's (suspect)"])
  }

  @Test func `a suspect copy is one until the next read of it lands`() throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .begin("/notes/41", as: "t1"))
      .given(.reply("t1", "a"), .answer("m1", [.init("/notes/41", "b")]))
    #expect(try story.isSuspect("/notes/41", of: server))
    try story.given(.begin("/notes", as: "t2"), .reply("t2", "list"))
    try story.given(.begin("/notes/41", as: "t3"), .end("t3", .failed))
    #expect(try story.isSuspect("/notes/41", of: server))
    try story.given(.begin("/notes/41", as: "t4"), .reply("t4", "c"))
    #expect(try !story.isSuspect("/notes/41", of: server))
    #expect(try story.copies(of: server) == ["/notes/41": "c", "/notes": "list"])
  }

  @Test(arguments: [Story.Word.remove("/notes/41"), .bump(.cleared)])
  func `what comes behind a copy that is gone is not suspect for it`(removal: Story.Word) throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .begin("/notes/41", as: "t1"))
      .given(.reply("t1", "a"), .answer("m1", [.init("/notes/41", "b")]), removal)
      .given(.send("/notes/41", as: "m2"), .answer("m2", [.init("/notes/41", "c")]))
    #expect(try story.copies(of: server) == ["/notes/41": "c"])
  }

  @Test func `a removal that came too late is not carried out`() throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .begin("/notes/41", as: "t1"))
      .given(.reply("t1", "a", revision: 3))
      .when(.answer("m1", removing: ["/notes/41"]))
    #expect(story.then[0] == "m1 suppressed: /notes/41 late, by t1 landed")
  }

  @Test func `an answer never takes a path to a lower revision, and still makes reads late`() throws
  {
    let story = try Story()
      .given(.open(server), .begin("/notes/41", as: "t1"), .reply("t1", "five", revision: 5))
      .given(.send("/notes/41", as: "m1"), .begin("/notes", as: "t2"))
      .when(.answer("m1", [.init("/notes/41", "four", revision: 4)]), .reply("t2", "old"))
    #expect(
      story.then == [
        "m1 suppressed: /notes/41 older, by t1 landed", "m1 bumped: 0 to 1",
        "t2 refused: generation, by m1 bumped",
      ]
    )
    #expect(try story.copies(of: server)["/notes/41"]?.hasPrefix("five") == true)
  }

  @Test func `what was written before the change was sent is written over`() throws {
    let story = try Story()
      .given(.open(server), .begin("/notes/41", as: "t1"), .reply("t1", "a"))
      .given(.send("/notes/41", as: "m1"))
      .when(.answer("m1", [.init("/notes/41", "b")]))
    #expect(story.then[0] == "m1 answered: /notes/41")
    #expect(try story.copies(of: server) == ["/notes/41": "b"])
  }

  @Test func `an answer to a store that is over writes nothing and bumps nothing`() throws {
    let story = try Story()
      .given(.open(server), .send("/notes/41", as: "m1"), .retire(), .open(server))
      .when(.answer("m1", [.init("/notes/41", "too late")]))
    #expect(story.then == ["m1 suppressed: /notes/41 retired, by store-retired"])
    #expect(try story.copies(of: server) == [:])
    try story.when(.bump(.requested))
    #expect(story.then == ["bumped: 0 to 1"])
  }
}
