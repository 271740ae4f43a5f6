/// What happens in a capture.
package enum HAREvent: Sendable {
  /// A request began; the bytes of its answer are not read.
  case began(Exchange)

  /// Its answer had come whole.
  case ended(Exchange)

  package var exchange: Exchange {
    switch self {
    case .began(let exchange), .ended(let exchange): exchange
    }
  }
}

/// Walks through a capture in order of time.
///
/// Events of one microsecond stand in the order of the file; an end never stands before its own
/// beginning.
package struct HAREvents {
  /// What could not be taken of the entries that were walked through.
  package private(set) var problems = HARProblems()

  private let elements: [HARElement]
  private var reader: ExchangeReader

  /// Twice the place in `elements`, and one more for an end.
  private let order: [UInt32]
  private var position = 0

  // Exchanges that have begun are held until they end, so that they are read once; if they become
  // too many, they are read again.
  private var open: [UInt32: OpenExchange] = [:]
  private var openBytes = 0
  private let openBytesMax: Int

  init(of capture: HARCapture) {
    elements = capture.elements
    reader = ExchangeReader(capture)
    openBytesMax = capture.limits.openBytesMax
    order = HAREvents.order(of: capture.elements)
  }

  private static func order(of elements: [HARElement]) -> [UInt32] {
    var order: [UInt32] = []
    for (place, element) in elements.enumerated() {
      order.append(UInt32(place) * 2)
      if element.missingEnd == nil { order.append(UInt32(place) * 2 + 1) }
    }
    func time(_ event: UInt32) -> Int64 {
      let element = elements[Int(event / 2)]
      return event % 2 == 0 ? element.began : element.ended
    }
    order.sort { left, right in
      let times = (time(left), time(right))
      return times.0 == times.1 ? left < right : times.0 < times.1
    }
    return order
  }

  /// The next event; nothing when all are through.
  ///
  /// - Throws: ``HARError`` if the file is another one than it was.
  package mutating func next() throws(HARError) -> HAREvent? {
    guard position < order.count else { return nil }
    let event = order[position]
    position += 1
    return event % 2 == 0 ? try begin(event / 2) : try end(event / 2)
  }

  private mutating func begin(_ place: UInt32) throws(HARError) -> HAREvent {
    let begun = try reader.begin(elements[Int(place)])
    report(begun.exchange.requestBody, "request", of: begun.exchange)
    if case .malformed(let reason) = begun.exchange.url { report(reason, begun.exchange) }
    if begun.element.missingEnd == nil,
      openBytes + begun.byteCount <= openBytesMax
    {
      openBytes += begun.byteCount
      open[place] = begun
    }
    return .began(begun.exchange)
  }

  private mutating func end(_ place: UInt32) throws(HARError) -> HAREvent {
    let begun: OpenExchange
    if let held = open.removeValue(forKey: place) {
      begun = held
      openBytes -= held.byteCount
    } else {
      begun = try reader.begin(elements[Int(place)])
    }
    let exchange = try reader.end(begun)
    report(exchange.responseBody, "answer", of: exchange)
    return .ended(exchange)
  }

  private mutating func report(_ body: CapturedBody?, _ what: String, of exchange: Exchange) {
    switch body?.gap {
    case .tooLong:
      report("the content of the \(what) is too long, or unpacks to too much; left out", exchange)
    case .malformed: report("the content of the \(what) is not base64; left out", exchange)
    default: break
    }
  }

  private mutating func report(_ reason: String, _ exchange: Exchange) {
    problems.add(reason, at: exchange.offset, index: exchange.index)
  }
}
