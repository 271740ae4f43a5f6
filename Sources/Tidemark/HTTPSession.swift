internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Makes exchanges by URLSession, each to one end: an answer that was read whole, or a reason.
///
/// What differs between Apple's URLSession and the one on Linux is settled here: see
/// ``HTTPExchange``.
final class HTTPSession: Sendable {
  enum Outcome: Sendable {
    case answered(HTTPAnswer)

    /// To an address, if it can be understood; nothing was followed.
    case redirected(HTTPAnswer, to: URL?)
  }

  private let session: URLSession
  private let exchanges = HTTPExchanges()
  private let bytesMax: Int
  private let totalSeconds: Int

  init(_ options: HTTPTransport.Options) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    // Alone it would count from the resume; on Linux it is not looked at.
    configuration.timeoutIntervalForResource = Double(options.totalSeconds)
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    bytesMax = options.answerBytesMax
    totalSeconds = options.totalSeconds
  }

  // A session holds its delegate, and itself, until it is told to end.
  deinit { session.finishTasksAndInvalidate() }

  func exchange(_ request: URLRequest) async throws(HTTPError) -> Outcome {
    guard !Task.isCancelled else { throw .cancelled }
    let exchange = HTTPExchange(session.dataTask(with: request), bytesMax)
    exchanges.add(exchange)
    defer { exchanges.remove(exchange) }
    let (total, waits) = (totalSeconds, ContinuousClock.Instant.now)
    let alarm = Task {
      try await Task.sleep(until: waits + .seconds(total), clock: .continuous)
      exchange.fail(.timeout)
    }
    defer { alarm.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { exchange.begin($0) }
    } onCancel: {
      exchange.fail(.cancelled)
    }
    return try result.get()
  }
}

/// The exchanges of a session that are under way.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: HTTPExchange]>([:])

  func add(_ exchange: HTTPExchange) {
    exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
  }

  func remove(_ exchange: HTTPExchange) {
    exchanges.withLock { $0[exchange.task.taskIdentifier] = nil }
  }

  private func exchange(of task: URLSessionTask) -> HTTPExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.take(data)
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // Never followed by the session: on Linux the content of the request would be left out.
    if exchange(of: task)?.redirect(response) == true { completionHandler(nil) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    exchange(of: task)?.complete(error)
  }
}

/// One request and what comes of it; it ends once, whatever is told later.
///
/// On Linux URLSession can deadlock if a task is cancelled while the runtime cancels ours, ends the
/// process if a redirect is decided on after a cancellation, and tells neither a cut answer nor a
/// refused connection apart from others reliably. Hence cancelling is done elsewhere and later, a
/// redirect is decided on only while the exchange is open, and lengths are counted here.
private final class HTTPExchange: Sendable {
  typealias End = Result<HTTPSession.Outcome, HTTPError>

  private struct State {
    var continuation: CheckedContinuation<End, Never>?
    var content: [UInt8] = []
    var end: End?
  }

  let task: URLSessionDataTask
  private let bytesMax: Int
  private let state = Mutex(State())

  init(_ task: URLSessionDataTask, _ bytesMax: Int) {
    self.task = task
    self.bytesMax = bytesMax
  }

  func begin(_ continuation: CheckedContinuation<End, Never>) {
    let end = state.withLock { state -> End? in
      if state.end == nil {
        state.continuation = continuation
        task.resume()
      }
      return state.end
    }
    if let end { continuation.resume(returning: end) }
  }

  /// Whether it was open until now.
  @discardableResult
  private func finish(_ end: End) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      guard state.end == nil else { return (false, nil as CheckedContinuation<End, Never>?) }
      state.end = end
      defer { state.continuation = nil }
      return (true, state.continuation)
    }
    continuation?.resume(returning: end)
    return isFirst
  }

  func fail(_ error: HTTPError) {
    guard finish(.failure(error)) else { return }
    DispatchQueue.global().async { [task] in task.cancel() }
  }

  func take(_ data: Data) {
    let isTooLong = state.withLock { state in
      guard state.end == nil else { return false }
      let announced = Int(clamping: task.response?.expectedContentLength ?? 0)
      guard max(state.content.count + data.count, announced) <= bytesMax else { return true }
      state.content += data
      return false
    }
    if isTooLong { fail(.oversized(bytesMax: bytesMax)) }
  }

  /// Whether the redirect is to be declined; if not, it is not to be answered at all.
  func redirect(_ response: HTTPURLResponse) -> Bool {
    let answer = answer(response, [])
    let target = answer.header("Location").flatMap { URL(string: $0, relativeTo: response.url) }
    return finish(.success(.redirected(answer, to: target?.absoluteURL)))
  }

  func complete(_ error: (any Error)?) {
    if let error {
      finish(.failure(failure(error)))
      return
    }
    guard let response = task.response as? HTTPURLResponse else {
      finish(.failure(.cut("no status came")))
      return
    }
    let answer = answer(response, state.withLock { $0.content })
    let isPlain =
      answer.header("Content-Encoding") == nil && task.originalRequest?.httpMethod != "HEAD"
    if isPlain, ![204, 304].contains(answer.status),
      let length = answer.header("Content-Length").flatMap({ Int($0) }),
      length != answer.content.count
    {
      finish(.failure(.cut("\(answer.content.count) of \(length) bytes came")))
    } else {
      finish(.success(.answered(answer)))
    }
  }

  private func answer(_ response: HTTPURLResponse, _ content: [UInt8]) -> HTTPAnswer {
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers[name.lowercased()] = value
    }
    return HTTPAnswer(
      status: UInt64(max(response.statusCode, 0)),
      content: content,
      headers: headers
    )
  }

  private func failure(_ error: any Error) -> HTTPError {
    guard let error = error as? URLError else { return .cut("\(error)") }
    let why = error.localizedDescription
    switch error.code {
    case .timedOut: return .timeout
    case .cancelled: return .cancelled
    case .cannotConnectToHost where !isRefusalCertain: return .cut(why)
    case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet,
      .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .unsupportedURL, .badURL:
      return task.response != nil || task.countOfBytesSent > 0 ? .cut(why) : .unreachable(why)
    default: return .cut(why)
    }
  }

  /// Whether *cannot connect* means that nothing was sent.
  ///
  /// On Linux it is said of every failure once one of several addresses of the host has refused,
  /// also when the next one took the request; only content that was sent gives that away. A read
  /// may be made again in any case.
  private var isRefusalCertain: Bool {
    #if canImport(FoundationNetworking)
      let request = task.originalRequest
      return request?.httpBody?.isEmpty == false || request?.httpMethod == "GET"
    #else
      return true
    #endif
  }
}
