import Testing
import TidemarkEntries

/// The canonical form of an address.
@Suite struct ScopeTests {
  @Test(arguments: [
    ("https://a.example", "https://a.example"), ("HTTPS://A.Example", "https://a.example"),
    ("https://a.example/", "https://a.example"),
    ("https://a.example/API/", "https://a.example/API"),
    ("https://a.example/%7eb/../c", "https://a.example/c"),
    // Ports.
    ("https://a.example:443", "https://a.example"), ("http://a.example:80/", "http://a.example"),
    ("wss://a.example:443", "wss://a.example"), ("ws://a.example:80", "ws://a.example"),
    ("http://a.example:443", "http://a.example:443"), ("https://a.example:", "https://a.example"),
    ("https://a.example:8443", "https://a.example:8443"),
    ("https://a.example:0443", "https://a.example"), ("ftp://a.example:21", "ftp://a.example:21"),
    ("https://a.example:65535", "https://a.example:65535"),
    // Addresses in numbers.
    ("http://[2001:DB8::1]", "http://[2001:db8::1]"), ("http://[::1]:80", "http://[::1]"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://127.0.0.1:1", "http://127.0.0.1:1"),
    ("http://xn--bcher-kva.example", "http://xn--bcher-kva.example"),
  ])
  func `an address has one canonical form`(text: String, canonical: String) throws {
    let scope = try Scope(text)
    #expect(scope.address == canonical)
    #expect(try Scope(canonical) == scope)
  }

  @Test(arguments: [
    "", "a.example", "//a.example", "://a.example", "https:/a.example", "https://", "https:///a",
    "https://:443", "ht tp://a.example", "hé://a.example",
    // User names, queries, fragments.
    "https://anna@a.example", "https://anna:pw@a.example", "https://@a.example",
    "https://a.example?q", "https://a.example/#f",
    // Ports.
    "https://a.example:65536", "https://a.example:x", "https://a.example:-1",
    "https://a.example:+443", "https://a.example: 443", "https://a.example:４４３",
    // Hosts.
    "https://bücher.example", "https://a b", "https://a%41.example", "https://a\\b",
    "https://a:b:80", "https://::1", "https://[::1", "https://::1]", "https://[::1]x:80",
    "https://[]", "https://a[::1]",
  ])
  func `what is not the address of a host is refused`(text: String) {
    let error = #expect(throws: EntryError.self) { try Scope(text) }
    #expect(error?.code == .address)
  }

  @Test func `the account is part of the scope, as bytes`() throws {
    let address = "https://a.example"
    let scopes = try [
      Scope(address), Scope(address, account: ""), Scope(address, account: "anna"),
      Scope(address, account: "Anna"), Scope(address, account: "caf\u{e9}"),
      Scope(address, account: "cafe\u{301}"), Scope("https://b.example", account: "anna"),
    ]
    #expect(Set(scopes).count == scopes.count)
    #expect(try scopes[2] == Scope("HTTPS://A.EXAMPLE:443/", account: "anna"))
    #expect(scopes[2].description == "https://a.example#anna")
    #expect(scopes[0].description == address)
  }
}
