import Testing
import TidemarkEntries

/// One canonical form of addresses and paths.
@Suite struct AddressTests {
  // MARK: Paths

  @Test(arguments: [
    ("/", "/"), ("/notes", "/notes"), ("/notes/", "/notes"), ("//", "/"), ("//a", "//a"),
    ("/a//b", "/a//b"), ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/..", "/"), ("/../../a", "/a"),
    ("/a/..", "/"), ("/a/b/..", "/a"), ("/.", "/"), ("/a/.", "/a"), ("/%7ejo", "/~jo"),
    ("/%7Ejo/%41", "/~jo/A"), ("/caf%c3%a9", "/caf%C3%A9"), ("/caf\u{e9}", "/caf%C3%A9"),
    ("/cafe\u{301}", "/cafe%CC%81"), ("/a b", "/a%20b"), ("/a%20b", "/a%20b"), ("/a%2fb", "/a%2Fb"),
    ("/%", "/%25"), ("/%4", "/%254"), ("/%zz", "/%25zz"), ("/%%41", "/%25A"),
    ("/a%2e%2e/b", "/a../b"),
    ("/%2e%2e/b", "/b"), ("/a#part", "/a"), ("/a?b=1#part", "/a?b=1"), ("/a/?b", "/a?b"),
    ("/a?", "/a?"), ("/a??", "/a??"), ("/a?b/../c", "/a?b/../c"),
    ("/a?x=%7e&y=a b", "/a?x=~&y=a%20b"),
    ("/a?x=[1]", "/a?x=%5B1%5D"), ("/\u{0}", "/%00"),
    ("/\"<>\\^`{|}", "/%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ("/!$&'()*+,;=:@-._~", "/!$&'()*+,;=:@-._~"),
  ])
  func `a path has one form`(text: String, canonical: String) throws {
    let path = try Path(text)
    #expect(path.description == canonical)
    // What is canonical stays as it is.
    #expect(try Path(canonical) == path)
  }

  @Test(arguments: ["", "notes", "?a", "#", " /a", "https://a.example/"])
  func `what does not begin at the root is no path`(text: String) {
    let error = #expect(throws: EntryError.self) { try Path(text) }
    #expect(error?.code == .address)
  }

  @Test func `a path has at most 8,192 bytes`() throws {
    #expect(try Path("/" + String(repeating: "a", count: 8191)).bytes.count == 8192)
    for text in [
      "/" + String(repeating: "a", count: 8192), "/" + String(repeating: "\u{e9}", count: 2000),
    ] {
      let error = #expect(throws: EntryError.self) { try Path(text) }
      #expect(error?.code == .limit)
    }
  }

  @Test func `the order of a query is kept, and two orders are two paths`() throws {
    #expect(try Path("/a?x=1&y=2") != Path("/a?y=2&x=1"))
    #expect(try Path("/a?x=1") != Path("/a"))
  }

  // MARK: Scopes

  @Test(arguments: [
    ("https://a.example", "https://a.example"), ("HTTPS://A.Example/", "https://a.example"),
    ("https://a.example:443", "https://a.example"), ("http://a.example:80/", "http://a.example"),
    ("https://a.example:80", "https://a.example:80"), ("https://a.example:", "https://a.example"),
    ("ws://a.example:80", "ws://a.example"), ("wss://a.example:443", "wss://a.example"),
    ("https://a.example:0443", "https://a.example"),
    ("https://a.example/base/", "https://a.example/base"),
    ("https://a.example/a/../b", "https://a.example/b"),
    ("https://[::1]:8080", "https://[::1]:8080"),
    ("https://[::1]", "https://[::1]"), ("https://127.0.0.1:65535", "https://127.0.0.1:65535"),
    ("app+x.y-z://host", "app+x.y-z://host"),
    ("https://xn--caf-dma.example", "https://xn--caf-dma.example"),
  ])
  func `an address has one form`(text: String, canonical: String) throws {
    let scope = try Scope(text)
    #expect(scope.address == canonical)
    #expect(try Scope(canonical) == scope)
  }

  @Test(arguments: [
    "", "a.example", "://a.example", "https://", "https:///path", "https://:80",
    "h ttps://a.example",
    "https://user@a.example", "https://user:secret@a.example", "https://a.example?q",
    "https://a.example/#f",
    "https://a.example/p?q", "https://a.example:65536", "https://a.example:x",
    "https://a.example:-1",
    "https://caf\u{e9}.example", "https://a b", "https://a%20b", "https://a\\b", "/only/a/path",
  ])
  func `what is no address is refused by name`(text: String) {
    let error = #expect(throws: EntryError.self) { try Scope(text) }
    #expect(error?.code == .address && error?.message.isEmpty == false)
  }

  @Test func `scopes are compared as bytes, with their accounts`() throws {
    let bare = try Scope("https://a.example")
    let empty = try Scope("https://a.example", account: "")
    let composed = try Scope("https://a.example", account: "\u{e9}")
    let decomposed = try Scope("https://a.example", account: "e\u{301}")
    #expect(Set([bare, empty, composed, decomposed]).count == 4)
    #expect(try Scope("https://a.example", account: "\u{e9}") == composed)
  }

  // MARK: Others

  @Test func `a ticket is written and read`() {
    let ticket = Ticket(incarnation: Seq(3), generation: 7, begin: Seq(211))
    #expect("\(ticket)" == "3.7.211" && Ticket("3.7.211") == ticket)
    for text in ["", "3.7", "3.7.211.1", "3..211", "a.7.1", "-3.7.1", "3.7.211 "] {
      #expect(Ticket(text) == nil)
    }
  }

  @Test func `hexadecimal digits come in pairs`() {
    #expect(Hex.encode([0, 15, 255]) == "000fff")
    #expect(Hex.decode("000FfF") == [0, 15, 255] && Hex.decode("") == [])
    for text in ["0", "000", "0g", " 00", "0x00"] { #expect(Hex.decode(text) == nil) }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_778_594_587_912, "2026-05-12T14:03:07.912Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, String)]
  )
  func `a time is written in UTC`(milliseconds: Int64, text: String) {
    #expect(DeviceTime(milliseconds: milliseconds).description == text)
  }

  @Test func `any time is written without ending the process`() {
    for milliseconds in [Int64.min, .max] {
      #expect(!DeviceTime(milliseconds: milliseconds).description.isEmpty)
    }
  }

  @Test func `a key is printed as text where it is text`() throws {
    #expect("\(try IdempotencyKey("m-88"))" == "m-88")
    #expect("\(try IdempotencyKey([0xff, 0]))" == "0xff00")
    #expect("\(try IdempotencyKey("0xff00"))" == "0x" + Hex.encode("0xff00".utf8))
    #expect("\(try IdempotencyKey("a\u{1b}[0m"))".hasPrefix("0x"))
  }
}
