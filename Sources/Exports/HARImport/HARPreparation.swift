internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkJournalStore

/// One event of a capture, made ready to become entries.
///
/// It holds no more of the exchange than that takes.
struct HARStep: Sendable {
  enum Moment: Sendable { case began, ended }

  var moment: Moment
  var traffic: HARTraffic

  /// What the exchange is known by, as the keys of its entries have it.
  var id: [UInt8]

  /// The place in `log.entries`, and in the file.
  var index: Int
  var offset: Int
  var time: DeviceTime
  var method: String
  var status: Int

  /// What was sent, if it began, or answered, if it ended; nothing if it had none, or it is not
  /// looked at.
  var content: HARContent?

  /// What the answer to a change says.
  var answer: HARAnswer?

  init(_ moment: Moment, _ exchange: Exchange, _ traffic: HARTraffic, _ id: [UInt8]) {
    self.moment = moment
    self.traffic = traffic
    self.id = id
    index = exchange.index
    offset = exchange.offset
    time = moment == .ended ? exchange.ended ?? exchange.began : exchange.began
    method = exchange.method
    status = exchange.status
  }

  /// The key of one of its entries.
  func key(_ part: StaticString) -> IdempotencyKey {
    var key = Array(HARImport.keyPrefix.utf8)
    key.reserveCapacity(key.count + id.count + 1 + part.utf8CodeUnitCount)
    key += id
    key.append(UInt8(ascii: "/"))
    part.withUTF8Buffer { key.append(contentsOf: $0) }
    return IdempotencyKey(unchecked: key)
  }
}

/// A content of a capture.
struct HARContent: Sendable {
  /// The bytes; nothing if none are known, and there were some.
  var bytes: [UInt8]?

  /// The bytes as a journal keeps them, if that was made ahead.
  private(set) var packed: PackedContent?
  var isWhole: Bool
  var toldByteCount: Int?
  var mediaType: String?

  init(_ body: CapturedBody) {
    bytes = body.isWhole || !body.bytes.isEmpty ? body.bytes : nil
    isWhole = body.isWhole
    toldByteCount = body.toldByteCount
    mediaType = body.mediaType
  }

  mutating func pack(_ compressor: Compressor) {
    packed = bytes.map { PackedContent($0, compressor) }
  }
}

/// Makes of the events of a capture what the import takes, without looking at a journal.
struct HARPreparation {
  private(set) var events: HAREvents

  /// How many events are through, those of exchanges that are left out as well.
  private(set) var eventCount = 0
  private var occurrences: [Digest: Int] = [:]
  private var open: [Int: (traffic: HARTraffic, id: [UInt8])] = [:]

  init(_ events: HAREvents) {
    self.events = events
  }

  /// The step that the next event makes; nothing when all are through.
  ///
  /// Of an exchange that is left out there is no end.
  mutating func next() throws(HARError) -> HARStep? {
    while let event = try events.next() {
      eventCount += 1
      switch event {
      case .began(let exchange): return begin(exchange)
      case .ended(let exchange):
        if let (traffic, id) = open.removeValue(forKey: exchange.index) {
          return end(exchange, traffic, id)
        }
      }
    }
    return nil
  }

  private mutating func begin(_ exchange: Exchange) -> HARStep {
    let traffic = HARTraffic(exchange)
    var step = HARStep(.began, exchange, traffic, identifier(of: exchange))
    if case .left = traffic { return step }
    if exchange.endedMicroseconds != nil { open[exchange.index] = (traffic, step.id) }
    if case .change = traffic { step.content = exchange.requestBody.map { HARContent($0) } }
    return step
  }

  private mutating func end(
    _ exchange: Exchange,
    _ traffic: HARTraffic,
    _ id: [UInt8]
  ) -> HARStep {
    var step = HARStep(.ended, exchange, traffic, id)
    switch traffic {
    case .left: return step
    case .immutable:
      let body = exchange.responseBody
      guard exchange.status == 200, body.isWhole, !body.bytes.isEmpty else { return step }
    case .read: break
    case .change: step.answer = HARAnswer(exchange)
    }
    step.content = HARContent(exchange.responseBody)
    return step
  }

  /// What an exchange is known by: when it began, what it asked, and the how-manieth of these.
  private mutating func identifier(of exchange: Exchange) -> [UInt8] {
    var text = Array(String(exchange.beganMicroseconds).utf8)
    text += " \(exchange.method) ".utf8
    if case .server(let url) = exchange.url {
      text += url.scope.description.utf8
      text += url.receivedPath.bytes
    }
    if let operation = exchange.operation { text += " \(operation.digest)".utf8 }
    var hash = SHA256Hash()
    hash.update(text)
    let digest = Digest(words: hash.finish())
    let occurrence = occurrences[digest, default: 0]
    occurrences[digest] = occurrence + 1
    let id = Hex.digits(Array(digest.bytes.prefix(12)))
    return occurrence == 0 ? id : id + Array("-\(occurrence)".utf8)
  }
}
