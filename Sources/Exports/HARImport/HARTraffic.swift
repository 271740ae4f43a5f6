internal import TidemarkEntries

/// What an exchange is to a journal.
enum HARTraffic {
  /// A read of a path that may change.
  case read(Scope, Path, label: String?)

  /// A change.
  case change(Scope, Path, label: String?)

  /// A read of bytes that never change under their path.
  case immutable(Scope, Path)

  /// Nothing: why.
  case left(HARLeftOut)
}

/// Why an exchange did not become entries.
package enum HARLeftOut: String, Sendable, Hashable, CaseIterable {
  case notHTTP = "not by HTTP (data:, blob:, WebSocket, extensions)"
  case malformedURL = "the URL cannot be read"
  case asksOnly = "HEAD, OPTIONS and the like: nothing is read or changed"
  case beacon = "beacons, reports and preflights: nothing that is shown changes"
  case stream = "event streams and sockets"
  case redirect = "redirects: the answer is elsewhere"
  case givenUp = "given up by the page before an answer came"
  case unknownMethod = "a method that is not known"
  case otherServer = "images, scripts, styles and fonts of servers without data"
  case withoutContent = "images, scripts, styles and fonts without an answer or content"
}

extension HARTraffic {
  /// - Parameter exchange: as it begins; its status is known, its content need not be.
  init(_ exchange: Exchange) {
    switch exchange.url {
    case .elsewhere: self = .left(.notHTTP)
    case .malformed: self = .left(.malformedURL)
    case .server(let url): self = HARTraffic.classify(exchange, url)
    }
  }

  private static let beacons: Set<String> = [
    "ping", "beacon", "csp-report", "cspviolationreport", "preflight",
  ]

  private static func classify(_ exchange: Exchange, _ url: URLParts) -> HARTraffic {
    let type = exchange.resourceType ?? ""
    if beacons.contains(type) { return .left(.beacon) }
    if type == "websocket" || type == "eventsource" || exchange.isEventStream {
      return .left(.stream)
    }
    if exchange.missingEnd == .aborted || exchange.failure != nil { return .left(.givenUp) }
    // Methods mind case, but browsers send `get` as `GET` and some exporters write it as it was
    // said.
    switch exchange.method.uppercased() {
    case "GET": return read(exchange, url)
    case "HEAD", "OPTIONS", "TRACE", "CONNECT": return .left(.asksOnly)
    case "POST", "PUT", "PATCH", "DELETE", "MOVE", "COPY", "MKCOL", "PROPPATCH", "LOCK", "UNLOCK":
      return change(exchange, url)
    case "PROPFIND", "REPORT", "SEARCH", "QUERY":
      return .read(url.scope, url.path.with(exchange.method, nil), label: exchange.method)
    default: return .left(.unknownMethod)
    }
  }

  private static func read(_ exchange: Exchange, _ url: URLParts) -> HARTraffic {
    if (300..<400).contains(exchange.status), exchange.status != 304 { return .left(.redirect) }
    if let operation = exchange.operation {
      return .read(url.scope, url.path.with(operation), label: operation.name)
    }
    return exchange.isImmutable
      ? .immutable(url.scope, url.path) : .read(url.scope, url.path, label: nil)
  }

  private static func change(_ exchange: Exchange, _ url: URLParts) -> HARTraffic {
    // These send the same request to another address, where it is told again.
    if exchange.status == 307 || exchange.status == 308 { return .left(.redirect) }
    if exchange.method == "POST", let operation = exchange.operation {
      switch operation.kind {
      case .query: return .read(url.scope, url.path.with(operation), label: operation.name)
      case .subscription: return .left(.stream)
      case .mutation, .unknown: return .change(url.scope, url.path, label: operation.name)
      }
    }
    return .change(url.scope, url.path, label: nil)
  }
}

extension Exchange {
  fileprivate var isEventStream: Bool {
    mediaType.hasPrefix("text/event-stream")
  }

  private var mediaType: String {
    (responseHeaders.first("content-type") ?? responseBody.mediaType ?? "").lowercased()
  }

  /// Whether it is of bytes that never change: an image, a script, a style, a font, a film.
  fileprivate var isImmutable: Bool {
    let whole = mediaType
    let type = whole.utf8.firstIndex(of: UInt8(ascii: ";")).map { String(whole[..<$0]) } ?? whole
    if type.hasPrefix("application/json") || type.hasSuffix("+json") { return false }
    if let resourceType, HARTraffic.immutableResources.contains(resourceType) { return true }
    return HARTraffic.immutableFamilies.contains { type.hasPrefix($0) }
      || HARTraffic.immutableTypes.contains(type)
  }
}

extension HARTraffic {
  /// What a browser asks for as a part of a page.
  fileprivate static let immutableResources: Set<String> = [
    "image", "script", "stylesheet", "font", "media", "manifest", "texttrack",
  ]

  fileprivate static let immutableFamilies = [
    "image/", "font/", "video/", "audio/", "application/font", "application/x-font",
  ]

  fileprivate static let immutableTypes: Set<String> = [
    "text/css", "text/javascript", "application/javascript", "application/x-javascript",
    "application/wasm", "application/vnd.ms-fontobject", "application/manifest+json",
  ]
}

extension Path {
  /// The path of one operation below the one path that all operations share.
  ///
  /// What tells operations apart goes into the query: a change to the path itself covers them all.
  fileprivate func with(_ operation: GraphQLOperation) -> Path {
    let name = operation.name ?? "unnamed"
    return with(name, operation.digest.short)
  }

  fileprivate func with(_ name: String, _ digest: String?) -> Path {
    let mark = bytes.contains(UInt8(ascii: "?")) ? "&" : "?"
    let digest = digest.map { "-\($0)" } ?? ""
    // Names of operations are letters, digits and underscores; what is not is left to be escaped.
    let text = String(decoding: bytes, as: UTF8.self) + mark + "operation=" + name + digest
    do throws(EntryError) { return try Path(text) } catch { return self }
  }
}
