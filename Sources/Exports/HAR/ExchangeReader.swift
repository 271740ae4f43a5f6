internal import TidemarkEntries
internal import TidemarkJSON

/// Reads elements again: first all of one but its answer's text, and later the text.
struct ExchangeReader {
  private let file: InputFile
  private let bodies: BodyReader
  private var scopes = ScopeCache()
  private var text: [UInt8] = []

  init(_ file: InputFile, limits: HARLimits) {
    self.file = file
    bodies = BodyReader(byteCountMax: limits.bodyBytesMax)
  }

  /// The exchange, with an answer whose bytes are not read yet.
  mutating func begin(_ element: HARElement) throws(HARError) -> OpenExchange {
    var scanner = JSONScanner(try withoutText(element))
    let entry: EntryReading
    do throws(JSONError) {
      entry = try EntryReading(from: &scanner)
    } catch {
      throw .changed("entry \(element.index): \(error.message)")
    }
    let exchange = exchange(of: element, entry)
    return OpenExchange(element: element, exchange: exchange, content: entry.response.content)
  }

  /// The exchange with the bytes of its answer.
  mutating func end(_ open: OpenExchange) throws(HARError) -> Exchange {
    let range = open.element.text
    try load(range, into: &text, from: 0)
    var exchange = open.exchange
    exchange.responseBody = bodies.answer(
      text.span.bytes.extracting(0..<range.count),
      hasEscapes: open.element.textHasEscapes,
      open.content,
      coding: exchange.responseHeaders.first("content-encoding"),
      cannotHaveContent: exchange.cannotBeAnsweredWithContent
    )
    return exchange
  }

  /// The bytes of an element with an empty string where the text of its answer stands.
  private func withoutText(_ element: HARElement) throws(HARError) -> [UInt8] {
    let text = element.text
    let count = Int(element.byteCount) - text.count
    var bytes = [UInt8](repeating: 0, count: count)
    let head = element.offset..<text.lowerBound
    try load(head, into: &bytes, from: 0)
    try load(text.upperBound..<element.range.upperBound, into: &bytes, from: head.count)
    return bytes
  }

  private func load(
    _ range: Range<Int>,
    into buffer: inout [UInt8],
    from start: Int
  ) throws(HARError) {
    do { try file.load(range, into: &buffer, from: start) } catch {
      throw .changed(error.description)
    }
  }

  private mutating func exchange(of element: HARElement, _ entry: EntryReading) -> Exchange {
    let request = entry.request
    let response = entry.response
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
      wasCached: entry.isFromCache || response.isFromCache || response.status == 304
    )
    exchange.endedMicroseconds = element.missingEnd == nil ? element.ended : nil
    exchange.missingEnd = element.missingEnd
    exchange.gaveUpMicroseconds =
      element.missingEnd != nil && element.ended > element.began ? element.ended : nil
    exchange.failure = response.failure
    exchange.resourceType = entry.purpose
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
  var byteCount: Int { Int(element.byteCount) - element.text.count }
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
