package import TidemarkEntries

/// One request and its answer, as a capture tells it.
package struct Exchange: Sendable {
  /// The place in `log.entries`, from 0.
  package var index: Int

  /// Where the element begins in the file, in bytes.
  package var offset: Int

  /// When the request began, in microseconds since 1970 in UTC.
  package var beganMicroseconds: Int64

  /// When the answer had come whole, in microseconds since 1970; nothing if that is not told.
  package var endedMicroseconds: Int64?

  /// Why no end is told; nothing if one is.
  package var missingEnd: MissingEnd?

  /// When the exchange was given up, if it has no end and the capture tells that.
  package var gaveUpMicroseconds: Int64?

  /// What the capture says of a failure, such as `net::ERR_ABORTED`.
  package var failure: String?

  package var method: String
  package var url: CapturedURL

  /// The status of the answer; 0 if there was none.
  package var status: Int

  package var requestHeaders: CapturedHeaders
  package var responseHeaders: CapturedHeaders

  /// What was sent; nothing if there was no content.
  package var requestBody: CapturedBody?

  /// What was answered; read for the end of an exchange only, without its bytes before.
  package var responseBody: CapturedBody

  /// What it was for: `document`, `fetch`, `xhr`, `image`, `script`, `websocket` …, in lower case.
  package var resourceType: String?

  /// Whether the answer came from a cache, or confirmed what was in one (304).
  package var wasCached: Bool

  /// The GraphQL operation, if it is one.
  package var operation: GraphQLOperation?

  package var began: DeviceTime { DeviceTime(microseconds: beganMicroseconds) }

  package var ended: DeviceTime? { endedMicroseconds.map { DeviceTime(microseconds: $0) } }

  package var gaveUp: DeviceTime? { gaveUpMicroseconds.map { DeviceTime(microseconds: $0) } }
}

extension DeviceTime {
  fileprivate init(microseconds: Int64) {
    let (milliseconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
    self.init(milliseconds: rest < 0 ? milliseconds - 1 : milliseconds)
  }
}
