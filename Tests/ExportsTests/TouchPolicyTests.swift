import TestSupport
import Testing
import TidemarkEntries
import TidemarkExports

@Suite struct TouchPolicyTests {
  /// Whether a change of `path` makes a read of `read` late.
  private func covers(
    _ policy: TouchPolicy,
    _ method: String,
    _ path: String,
    _ read: String
  ) throws -> Bool {
    guard let touches = policy.touches(method, try Path(path)) else { return true }
    let read = try Path(read)
    return touches.contains { $0.covers(read) }
  }

  @Test(arguments: [
    ("/api/notes/41", true), ("/api/notes/41?full=1", true), ("/api/notes", true),
    ("/api/notes?page=2", true), ("/api/notes/41/tags", true), ("/api", true),
    ("/api/notes/411", false), ("/api/notes/4", false), ("/api/other", false), ("/", false),
    ("/api/notesof/41", false),
  ])
  func `a change touches its path, what is above it but the root, and what is under it`(
    read: String,
    isTouched: Bool
  ) throws {
    #expect(try covers(TouchPolicy(), "PUT", "/api/notes/41?by=me", read) == isTouched)
  }

  @Test func `a change touches the collections above it up to sixteen levels`() throws {
    let segments = (1...20).map { "s\($0)" }
    func path(_ depth: Int) -> String { "/" + segments.prefix(depth).joined(separator: "/") }
    for depth in 1...20 {
      let isTouched = try covers(TouchPolicy(), "PUT", path(20), path(depth))
      #expect(isTouched == (depth >= 4), "\(20 - depth) levels above")
    }
    #expect(try covers(TouchPolicy(), "PUT", path(20), path(20) + "/below/and/further"))
    #expect(try covers(TouchPolicy(), "DELETE", path(17), path(1)))
  }

  @Test func `the strict rule touches everything`() throws {
    #expect(TouchPolicy(fence: .scope).touches("PUT", try Path("/notes/41")) == nil)
  }

  @Test(arguments: [
    ("/search", true), ("/search?q=tide", true), ("/tags/7/notes", true), ("/notes/41", true),
    ("/notes/41/history", true), ("/notes/7/history", false), ("/notes", false), ("/tags", false),
  ])
  func `a rule of the app's own takes the place of the usual one`(
    read: String,
    isTouched: Bool
  ) throws {
    let rule = try TouchRule("PATCH /notes/*: /search /tags/** /notes/*/history")
    let policy = TouchPolicy(rules: [rule])
    #expect(try covers(policy, "PATCH", "/notes/41", read) == isTouched)
  }

  @Test func `a rule speaks of its method and its pattern only`() throws {
    let policy = TouchPolicy(rules: [try TouchRule("PATCH /notes/*: /search")])
    #expect(try covers(policy, "PUT", "/notes/41", "/notes"))
    #expect(try covers(policy, "PATCH", "/notes/41/tags", "/notes"))
    #expect(try !covers(policy, "PATCH", "/notes/41", "/notes"))
  }

  @Test func `a rule can touch everything, for any method and any path below`() throws {
    let policy = TouchPolicy(rules: [try TouchRule("* /admin/**: **")])
    #expect(policy.touches("POST", try Path("/admin/users/7/roles")) == nil)
    #expect(policy.touches("POST", try Path("/notes")) != nil)
  }

  @Test(arguments: [
    "", "PATCH /notes", "PATCH: /notes", "/notes: /tags", "PATCH notes: /tags", "PATCH /notes:",
    "PATCH /notes: tags", "PATCH /**/notes: /tags",
  ])
  func `what is no rule is refused`(text: String) {
    #expect(throws: EntryError.self) { try TouchRule(text) }
  }

  private let list = "PATCH /notes/*: /notes /search /tags/** /notes/*/history"

  private func remarks(
    _ rules: [String],
    changes: [(String, String)],
    reads: [String]
  ) throws -> [String] {
    var use = TouchUse(of: TouchPolicy(rules: try rules.map { try TouchRule($0) }))
    for (method, path) in changes { use.change(method, try Path(path)) }
    for path in reads { use.read(try Path(path)) }
    return use.remarks
  }

  @Test func `a rule that finds everything it names is not remarked upon`() throws {
    let reads = ["/notes?page=2", "/search", "/tags/7", "/notes/41/history"]
    #expect(try remarks([list], changes: [("PATCH", "/notes/41")], reads: reads) == [])
  }

  @Test(arguments: ["PUT /notes/41", "PATCH /nots/41", "PATCH /notes/41/tags"])
  func `a rule that speaks of no change of the capture is remarked upon`(change: String) throws {
    let words = change.split(separator: " ").map(String.init)
    #expect(
      try remarks([list], changes: [(words[0], words[1])], reads: ["/notes"])
        == ["--touches '\(list)' speaks of no change of the capture"]
    )
  }

  @Test func `a rule behind one that always decides before it is remarked upon`() throws {
    #expect(
      try remarks(["* /**: **", list], changes: [("PATCH", "/notes/41")], reads: [])
        == ["--touches '\(list)' speaks of no change of the capture"]
    )
  }

  @Test func `a path that a rule names and nothing reads is remarked upon`() throws {
    let found = try remarks(
      [list],
      changes: [("PATCH", "/notes/41")],
      reads: ["/notes", "/notes/41", "/tags"]
    )
    #expect(
      found
        == ["/search", "/tags/**", "/notes/*/history"].map {
          "--touches '\(list)': no read of the capture is of \($0)"
        }
    )
  }
}
