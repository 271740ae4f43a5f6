/// Whose copies these are: one server address and, if there is one, one account on it.
public struct Scope: Sendable, Hashable, CustomStringConvertible {
  /// The canonical address: `https://api.example.org`, without a trailing slash.
  public let address: String

  /// The account, as the app names it; part of the scope, never interpreted.
  public let account: String?

  /// Takes an address to its canonical form.
  ///
  /// Scheme and host become lower-case, a default port and a trailing slash are dropped, and the
  /// path, if there is one, is brought to the form of ``Path``.
  ///
  /// - Throws: ``EntryError`` with code `address` if there is no host, a user name, a query, a port
  ///   that is no number up to 65535, or a host that is not ASCII (give its `xn--` form).
  public init(_ address: String, account: String? = nil) throws(EntryError) {
    self.address = StoreRule.keyCanonical.isOn ? try Address(parsing: address).canonical : address
    self.account = account
  }

  package init(canonical address: String, account: String?) {
    self.address = address
    self.account = account
  }

  public var description: String { account.map { "\(address)#\($0)" } ?? address }

  // Compared as bytes: Swift's `==` takes two spellings of one text for equal.
  public static func == (left: Scope, right: Scope) -> Bool {
    guard left.address.utf8.elementsEqual(right.address.utf8) else { return false }
    guard let mine = left.account, let other = right.account else {
      return left.account == nil && right.account == nil
    }
    return mine.utf8.elementsEqual(other.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in address.utf8 { hasher.combine(byte) }
    for byte in (account ?? "").utf8 { hasher.combine(byte) }
  }
}

/// The parts of an address that a scope is made of.
private struct Address {
  let canonical: String

  init(parsing text: String) throws(EntryError) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
      text.utf8[colon...].starts(with: "://".utf8)
    else { throw EntryError(.address, "no scheme in '\(text.prefix(80))'; write https://host") }
    let scheme = text[..<colon].lowercased()
    guard Address.isScheme(scheme) else {
      throw EntryError(.address, "'\(scheme.prefix(80))' is not the scheme of an address")
    }
    let rest = text[text.utf8.index(colon, offsetBy: 3)...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let below = rest[authority.endIndex...]
    guard !below.contains(where: { $0 == "?" || $0 == "#" }) else {
      throw EntryError(.address, "an address has no query and no fragment: '\(text.prefix(80))'")
    }
    guard !authority.contains("@") else {
      throw EntryError(.address, "an address holds no user name; name the account apart")
    }
    let host = try Address.host(authority, scheme: scheme)
    let path = below.isEmpty ? "" : try Path(String(below)).description
    canonical = "\(scheme)://\(host)\(path == "/" ? "" : path)"
  }

  private static func isScheme(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.utf8.contains { ":[]".utf8.contains($0) }
  }

  /// Whether this is an address of IPv6 as it stands in a URL: `[2001:db8::1]`.
  private static func isNumberInBrackets(_ text: Substring) -> Bool {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return false }
    let inside = text.utf8.dropFirst().dropLast()
    return inside.contains(UInt8(ascii: ":"))
      && inside.allSatisfy { Hex.value(of: $0) != nil || ":.".utf8.contains($0) }
  }

  private static func host(_ authority: Substring, scheme: String) throws(EntryError) -> String {
    var name = authority
    var port: Substring?
    let bracketEnd = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[bracketEnd...].lastIndex(of: ":") {
      name = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    guard !name.isEmpty else { throw EntryError(.address, "no host in '\(authority.prefix(80))'") }
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"<>\"\\^`{|}%".utf8.contains($0) })
    else {
      throw EntryError(.address, "the host '\(name.prefix(80))' is not ASCII; give its xn-- form")
    }
    guard isName(name) || isNumberInBrackets(name) else {
      throw EntryError(.address, "'\(name.prefix(80))' is not a host")
    }
    let host = name.lowercased()
    guard let port, !port.isEmpty else { return host }
    // `UInt16` takes a sign, which is no part of a port.
    guard port.utf8.first != UInt8(ascii: "+"), let number = UInt16(port) else {
      throw EntryError(.address, "'\(port.prefix(20))' is not a port")
    }
    let usual: UInt16? =
      switch scheme {
      case "http", "ws": 80
      case "https", "wss": 443
      default: nil
      }
    return number == usual ? host : "\(host):\(number)"
  }
}
