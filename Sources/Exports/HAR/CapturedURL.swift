package import TidemarkEntries

/// Where a request went, in the terms of a journal.
package enum CapturedURL: Sendable, Hashable {
  /// To a server, by HTTP.
  case server(URLParts)

  /// Not to a server, or not by HTTP: `data`, `blob`, `about`, `ws`, `chrome-extension`, `file`, …
  case elsewhere(scheme: String)

  /// It cannot be told; why.
  case malformed(String)
}

/// The parts of an HTTP address.
package struct URLParts: Sendable, Hashable {
  /// `http` or `https`.
  package var scheme: String

  /// The server, canonical, without a user name and without an account.
  package var scope: Scope

  /// The path, canonical, with the parameters of the query sorted by name.
  ///
  /// Parameters of one name keep their order, because that may mean something.
  package var path: Path

  /// The path with the query in the order in which it was sent.
  package var receivedPath: Path
}

extension CapturedURL {
  /// Takes a URL apart.
  init(_ url: [UInt8], scopes: inout ScopeCache) {
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")), CapturedURL.isScheme(url[..<colon])
    else {
      self = .malformed("the URL has no scheme")
      return
    }
    let scheme = String(decoding: url[..<colon], as: UTF8.self).lowercased()
    guard scheme == "http" || scheme == "https" else {
      self = .elsewhere(scheme: scheme)
      return
    }
    let rest = url[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else {
      self = .malformed("the URL has no host")
      return
    }
    do throws(EntryError) {
      self = .server(try URLParts(scheme: scheme, rest: rest.dropFirst(2), scopes: &scopes))
    } catch {
      self = .malformed("the URL has no canonical form: \(error.message)")
    }
  }

  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, bytes.count <= 32 else { return false }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return letters.contains(first | 0x20)
      && bytes.allSatisfy {
        letters.contains($0 | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || "+-.".utf8.contains($0)
      }
  }
}

extension URLParts {
  /// Takes apart what stands behind `https://`.
  fileprivate init(
    scheme: String,
    rest: ArraySlice<UInt8>,
    scopes: inout ScopeCache
  ) throws(EntryError) {
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    var authority = rest[..<end]
    if let user = authority.lastIndex(of: UInt8(ascii: "@")) {
      authority = authority[(user + 1)...]
    }
    let below = rest[end...]
    let text = String(decoding: below, as: UTF8.self)
    self.scheme = scheme
    scope = try scopes.scope(scheme, authority)
    receivedPath = try Path(below.first == UInt8(ascii: "/") ? text : "/" + text)
    path = receivedPath.sortingParameters
  }
}

extension Path {
  /// The path with the parameters of its query sorted by name; empty parameters go.
  fileprivate var sortingParameters: Path {
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return self }
    let parameters = bytes[(mark + 1)...].split(separator: UInt8(ascii: "&")).enumerated()
    let sorted = parameters.sorted { left, right in
      let names = (left.element.parameterName, right.element.parameterName)
      if names.0.elementsEqual(names.1) { return left.offset < right.offset }
      return names.0.lexicographicallyPrecedes(names.1)
    }
    guard !sorted.isEmpty else { return Path(canonical: Array(bytes[..<mark])) }
    let query = sorted.map(\.element).joined(separator: CollectionOfOne(UInt8(ascii: "&")))
    return Path(canonical: Array(bytes[...mark]) + Array(query))
  }
}

extension ArraySlice<UInt8> {
  fileprivate var parameterName: ArraySlice<UInt8> {
    prefix { $0 != UInt8(ascii: "=") }
  }
}

/// The scopes of the servers met so far: a capture has many requests and few servers.
struct ScopeCache {
  private var scopes: [[UInt8]: Scope] = [:]

  private static let countMax = 1024

  mutating func scope(
    _ scheme: String,
    _ authority: ArraySlice<UInt8>
  ) throws(EntryError) -> Scope {
    let key = Array(scheme.utf8) + [0] + authority
    if let known = scopes[key] { return known }
    let scope = try Scope("\(scheme)://\(String(decoding: authority, as: UTF8.self))")
    if scopes.count == ScopeCache.countMax { scopes.removeAll() }
    scopes[key] = scope
    return scope
  }
}
