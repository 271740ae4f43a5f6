import TestSupport
import Testing
import TidemarkEntries

/// The canonical form of a path (RFC 3986, sections 3.3, 3.4 and 6.2.2).
@Suite struct PathTests {
  @Test(arguments: [
    ("/", "/"), ("/a", "/a"), ("/a/b", "/a/b"), ("/A", "/A"),
    // Escapes.
    ("/%7Ea%2d%2E%5f%41", "/~a-._A"), ("/a%2fb", "/a%2Fb"), ("/%c3%a9", "/%C3%A9"),
    ("/é", "/%C3%A9"), ("/a b", "/a%20b"), ("/%3f%23", "/%3F%23"), ("/%zz", "/%25zz"),
    ("/%", "/%25"), ("/%4", "/%254"), ("/%25zz", "/%25zz"), ("/!$&'()*+,;=:@", "/!$&'()*+,;=:@"),
    ("/[\"<>^`{|}\\]", "/%5B%22%3C%3E%5E%60%7B%7C%7D%5C%5D"), ("/\u{0}\u{7f}", "/%00%7F"),
    // Segments of dots.
    ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/../../a", "/a"), ("/a/b/..", "/a"), ("/a/.", "/a"),
    ("/..", "/"), ("/a/%2e%2E/b", "/b"), ("/a/...", "/a/..."), ("/.a/b.", "/.a/b."),
    // Slashes.
    ("/a/", "/a"), ("/a//b", "/a//b"), ("//a", "//a"), ("//", "/"), ("/a/?q", "/a?q"),
    // Queries and fragments.
    ("/a?b=c&d", "/a?b=c&d"), ("/a?", "/a?"), ("/a?%7e/%2f?", "/a?~/%2F?"),
    ("/a?b/../c", "/a?b/../c"),
    ("/a#b", "/a"), ("/a#b?c", "/a"), ("/a?b#c", "/a?b"), ("/a?é", "/a?%C3%A9"), ("/?q/", "/?q/"),
  ])
  func `a path has one canonical form`(text: String, canonical: String) throws {
    let path = try Path(text)
    #expect(path.description == canonical)
    #expect(try Path(canonical) == path)
  }

  @Test func `the canonical form of a canonical form is itself`() throws {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    let parts = ["/", "/", ".", "..", "a", "%", "%2", "2e", "%2f", "?", "#", "é", "~", " ", "//"]
    for _ in 0..<5000 {
      let count = Int.random(in: 0...9, using: &chance)
      let text = "/" + (0..<count).map { _ in parts.randomElement(using: &chance) ?? "" }.joined()
      let path = try Path(text)
      #expect(try Path(path.description) == path, "\(text) (seed \(seed))")
    }
  }

  @Test func `two spellings of one text are two paths`() throws {
    let (composed, decomposed) = ("/caf\u{e9}", "/cafe\u{301}")
    #expect(composed == decomposed, "Swift takes them for equal")
    #expect(try Path(composed) != Path(decomposed))
    #expect(try Path(composed).description == "/caf%C3%A9")
    #expect(try Path(decomposed).description == "/cafe%CC%81")
  }

  @Test(arguments: ["", "a", "a/b", "?a", "#a", "https://a.example/", " /a", "%2Fa"])
  func `what does not begin with a slash is refused`(text: String) {
    let error = #expect(throws: EntryError.self) { try Path(text) }
    #expect(error?.code == .address)
  }

  @Test func `the canonical form has at most 8192 bytes`() throws {
    let longest = "/" + String(repeating: "a", count: 8191)
    #expect(try Path(longest).bytes.count == 8192)
    #expect(try Path(longest + "/").bytes.count == 8192)
    #expect(try Path("/" + String(repeating: "%61", count: 8191)).bytes.count == 8192)
    for text in [longest + "a", longest + "?", "/" + String(repeating: "é", count: 1366)] {
      let error = #expect(throws: EntryError.self) { try Path(text) }
      #expect(error?.code == .limit)
    }
  }

  @Test func `a path that is no printable text is told in hexadecimal digits`() {
    for (bytes, text) in [
      ([0x2f, 0xff], "0x2fff"), ([0x2f, 0x1b], "0x2f1b"), ([0x2f, 0x61], "/a"),
    ] as [([UInt8], String)] {
      #expect(Path(canonical: bytes).description == text)
    }
  }

  @Test(arguments: [
    ("/", nil), ("/notes", "notes"), ("/notes/41?x=/y", "41"), ("/notes/a%20b", "a b"),
    ("/notes/caf%C3%A9", "café"), ("/notes/50%25", "50%"), ("/notes/a%2Fb", "a/b"),
    ("/notes/%FF", nil),
  ])
  func `the last segment is what an app calls it`(text: String, segment: String?) throws {
    #expect(try Path(text).lastSegment == segment)
  }
}
