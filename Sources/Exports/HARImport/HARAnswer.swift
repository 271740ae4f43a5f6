internal import TidemarkEntries
internal import TidemarkJSON

/// What the answer to a change of a capture says about device copies.
///
/// HTTP says when an answer is the new state of a path (RFC 9110, sections 8.7, 9.3 and 15.3.2):
/// when it names the path, by Content-Location or by Location with status 201. Many servers do not
/// say it and answer a PUT or a PATCH with the thing itself; that shows in its id.
struct HARAnswer {
  /// The path that the answer is the copy of, if it is one.
  private(set) var copy: Path?

  /// Whether the path of the change has nothing any more.
  private(set) var isRemoval = false

  init(_ exchange: Exchange, _ url: URLParts) {
    guard (200..<300).contains(exchange.status) else { return }
    if exchange.method == "DELETE" {
      isRemoval = true
      return
    }
    guard exchange.operation == nil, exchange.responseBody.isWhole,
      let answer = JSONValue(exchange.responseBody.bytes), case .object = answer
    else { return }
    switch exchange.method {
    case "PUT", "PATCH":
      let isNamed =
        HARAnswer.path(exchange.responseHeaders.first("content-location"), url) == url.path
      if isNamed || HARAnswer.hasID(of: url.path, answer) { copy = url.path }
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

  private static func hasID(of path: Path, _ answer: JSONValue) -> Bool {
    guard let last = path.resource.split(separator: UInt8(ascii: "/")).last else { return false }
    let segment = String(decoding: last, as: UTF8.self)
    return ["id", "_id", "uuid", "guid", "key", "slug"].contains { name in
      switch answer[name] {
      case .string(let text)?: text.utf8.elementsEqual(segment.utf8)
      case .number?: answer[name]?.summary == segment
      default: false
      }
    }
  }
}
