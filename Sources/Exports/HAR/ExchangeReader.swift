internal import TidemarkEntries
internal import TidemarkJSON

/// Reads elements again: first all of one but its answer's text, and later the text.
struct ExchangeReader {
  private var file: NearbyReader
  private let bodies: BodyReader
  private let resourceTypes: [String]
  private var scopes = ScopeCache()

  init(_ capture: HARCapture) {
    file = NearbyReader(capture.file)
    bodies = BodyReader(byteCountMax: capture.limits.bodyBytesMax)
    resourceTypes = capture.resourceTypes
  }

  /// The exchange, with an answer whose bytes are not read yet.
  mutating func begin(_ element: HARElement) throws(HARError) -> OpenExchange {
    var scanner = JSONScanner(try head(of: element))
    var request = RequestReading()
    var response = ResponseReading()
    do throws(JSONError) {
      request = try RequestReading(from: &scanner)
      if element.response.byteCount > 0 { response = try ResponseReading(from: &scanner) }
    } catch {
      throw .changed("entry \(element.index): \(error.message)")
    }
    let exchange = exchange(of: element, request, response)
    return OpenExchange(element: element, exchange: exchange, content: response.content)
  }

  /// The exchange with the bytes of its answer.
  mutating func end(_ open: OpenExchange) throws(HARError) -> Exchange {
    let bodies = bodies
    var exchange = open.exchange
    let coding = exchange.responseHeaders.first("content-encoding")
    exchange.responseBody = try lend(open.element.range(of: open.element.text)) { text in
      bodies.answer(
        text,
        hasEscapes: open.element.textHasEscapes,
        open.content,
        coding: coding,
        cannotHaveContent: open.exchange.cannotBeAnsweredWithContent
      )
    }
    return exchange
  }

  /// The request and the response, one behind the other, with an empty string for the text.
  private mutating func head(of element: HARElement) throws(HARError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(element.headByteCount)
    let response = element.range(of: element.response)
    let text = element.range(of: element.text)
    try append(element.range(of: element.request), to: &bytes)
    if text.isEmpty {
      try append(response, to: &bytes)
    } else {
      try append(response.lowerBound..<text.lowerBound, to: &bytes)
      try append(text.upperBound..<response.upperBound, to: &bytes)
    }
    return bytes
  }

  private mutating func append(
    _ range: Range<Int>,
    to bytes: inout [UInt8]
  ) throws(HARError) {
    try lend(range) { part in part.withUnsafeBytes { bytes.append(contentsOf: $0) } }
  }

  private mutating func lend<Result>(
    _ range: Range<Int>,
    _ body: (RawSpan) -> Result
  ) throws(HARError) -> Result {
    do { return try file.lend(range, body) } catch {
      throw error.isStop ? .unreadable(error) : .changed(error.description)
    }
  }

  private mutating func exchange(
    of element: HARElement,
    _ request: RequestReading,
    _ response: ResponseReading
  ) -> Exchange {
    let coding = request.headers.first("content-encoding")
    var exchange = Exchange(
      index: Int(element.index),
      offset: element.offset,
      beganMicroseconds: element.began,
      method: request.method,
      url: CapturedURL(request.url, scopes: &scopes),
      status: response.status,
      requestHeaders: request.headers,
      responseHeaders: response.headers,
      requestBody: bodies.request(request.content, coding: coding),
      responseBody: BodyReader.unread(response.content),
      wasCached: element.isFromCache || response.isFromCache || response.status == 304
    )
    exchange.endedMicroseconds = element.missingEnd == nil ? element.ended : nil
    exchange.missingEnd = element.missingEnd
    exchange.gaveUpMicroseconds =
      element.missingEnd != nil && element.ended > element.began ? element.ended : nil
    exchange.failure = response.failure
    exchange.resourceType = resourceTypes[Int(element.resourceType)]
    if exchange.resourceType?.isEmpty == true { exchange.resourceType = request.destination }
    exchange.operation = exchange.toldOperation
    return exchange
  }
}

/// An exchange that has begun, with what is needed to read its end.
struct OpenExchange {
  var element: HARElement
  var exchange: Exchange
  var content: ContentFacts

  /// About how much memory it takes.
  var byteCount: Int { element.headByteCount }
}

extension Exchange {
  /// Whether HTTP has no content in the answer (RFC 9110, section 6.4.1).
  fileprivate var cannotBeAnsweredWithContent: Bool {
    method == "HEAD" || status < 200 || [204, 205, 304].contains(status)
  }

  /// The GraphQL operation that the content or the query holds.
  fileprivate var toldOperation: GraphQLOperation? {
    if method == "POST", let body = requestBody, body.isWhole {
      let type = body.mediaType ?? requestHeaders.first("content-type") ?? ""
      return GraphQLOperation(body: body.bytes, mediaType: type)
    }
    guard method == "GET", case .server(let url) = url,
      let mark = url.receivedPath.bytes.firstIndex(of: UInt8(ascii: "?"))
    else { return nil }
    return GraphQLOperation(query: url.receivedPath.bytes[(mark + 1)...])
  }
}
