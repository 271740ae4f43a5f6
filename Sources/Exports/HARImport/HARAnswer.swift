internal import TidemarkEntries
internal import TidemarkJSON

/// What the answer to a change of a capture says about device copies.
///
/// HTTP says when an answer is the new state of a path (RFC 9110, sections 8.7, 9.3 and 15.3.2):
/// when it names the path, by Content-Location or by Location with status 201. Many servers do not
/// say it and answer a PUT or a PATCH with the thing itself; that shows in its id.
struct HARAnswer: Sendable {
  /// The path that the answer is the copy of, if it is one.
  private(set) var copy: Path?

  /// Whether the path of the change has nothing any more.
  private(set) var isRemoval = false

  init(_ exchange: Exchange) {
    guard (200..<300).contains(exchange.status), case .server(let url) = exchange.url else {
      return
    }
    if exchange.method == "DELETE" {
      isRemoval = true
      return
    }
    guard exchange.operation == nil, exchange.responseBody.isWhole,
      let names = HARAnswer.names(in: exchange.responseBody.bytes)
    else { return }
    switch exchange.method {
    case "PUT", "PATCH":
      let isNamed =
        HARAnswer.path(exchange.responseHeaders.first("content-location"), url) == url.path
      if isNamed || url.path.lastSegment.map(names.contains) ?? false {
        copy = url.path
      }
    case "POST" where exchange.status == 201:
      copy = HARAnswer.path(exchange.responseHeaders.first("location"), url)
    default: return
    }
  }

  /// The path on the same server that a header names, absolute or from the root.
  private static func path(_ location: String?, _ url: URLParts) -> Path? {
    guard let location else { return nil }
    let address = url.scope.address
    let text = location.hasPrefix(address) ? String(location.dropFirst(address.count)) : location
    return text.hasPrefix("/") && !text.hasPrefix("//") ? try? Path(text) : nil
  }

  /// What an object calls itself, under the names that are usual for it; nothing if it is none.
  ///
  /// What stands deeper is passed and not built. Of one name the last member counts, as in a
  /// browser.
  private static func names(in bytes: [UInt8]) -> [String]? {
    var scanner = JSONScanner(bytes)
    var found = [String?](repeating: nil, count: IdentityFields.names.count)
    do throws(JSONError) {
      guard try scanner.enter(.object) else { return nil }
      while try scanner.nextMember() {
        if let place = IdentityFields.names.firstIndex(where: { scanner.isNamed($0) }) {
          found[place] = try scanner.segment()
        } else {
          try scanner.skip()
        }
      }
      try scanner.finish()
    } catch { return nil }
    return found.compactMap { $0 }
  }
}

extension JSONScanner {
  /// The text or number that comes next, as it would stand in a path; any other value is passed.
  fileprivate mutating func segment() throws(JSONError) -> String? {
    switch try kind() {
    case .string: return try string()?.description
    case .number: return try number().map { JSONValue.number($0).summary }
    default:
      try skip()
      return nil
    }
  }
}
