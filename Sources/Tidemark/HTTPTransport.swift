internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Carries an app's outbox to its server and copies back, over HTTP: one server and account.
///
/// Paths stand below the address of the scope. A send carries the key of its item in the header
/// `Idempotency-Key`, as text between quotes, and has a connection of its own; reads share
/// connections and are answered by no cache. Redirects are followed within the scheme, host and
/// port of the scope alone, and a send is never made into another method by one. An answer counts
/// when it was read to its end.
public final class HTTPTransport: Sendable {
  /// The server and account that it speaks to.
  public let scope: Scope
  private let options: Options
  private let reads: HTTPSession

  /// How many redirects of one request are followed.
  private static let redirectsMax = 5

  /// Speaks to the server of `scope`; nothing is sent yet.
  public init(_ scope: Scope, _ options: Options = Options()) {
    self.scope = scope
    self.options = options
    reads = HTTPSession(options)
  }

  private func request(_ method: String, _ path: Path) async -> URLRequest? {
    // Bytes of a canonical path are ASCII, and so is an address.
    let address = scope.address + String(decoding: path.bytes, as: UTF8.self)
    guard let url = URL(string: address) else { return nil }
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.timeoutInterval = Double(max(options.idleSeconds, 1))
    request.httpMethod = method
    for (name, value) in await options.headers() {
      request.setValue(value, forHTTPHeaderField: name)
    }
    return request
  }

  /// Makes an exchange, and follows where it may be led.
  private func answer(
    to request: URLRequest,
    by session: HTTPSession
  ) async throws(HTTPError) -> HTTPAnswer {
    var request = request
    var hops = 0
    while true {
      let outcome: HTTPSession.Outcome
      do throws(HTTPError) { outcome = try await session.exchange(request) } catch {
        // Where it was led from, something had been sent.
        if case .unreachable(let why) = error, hops > 0 { throw .cut(why) }
        throw error
      }
      switch outcome {
      case .answered(let answer):
        guard options.isOurs(answer) else { throw .foreign(scope.address) }
        return answer
      case .redirected(let answer, let target):
        guard let target, HTTPOrigin(target) == HTTPOrigin(request.url) else {
          throw .foreign(target?.absoluteString ?? "nowhere")
        }
        let keepsMethod = [307, 308].contains(answer.status) || request.httpMethod == "GET"
        guard keepsMethod, hops < Self.redirectsMax else { return answer }
        request.url = target
        hops += 1
      }
    }
  }
}

extension HTTPTransport: ReadTransport {
  /// GETs a path, or a page of a list as ``Options/page`` says, past all caches.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` if the task is cancelled.
  public func get(_ path: Path, page: Int? = nil) async throws -> Shelf.Reply {
    let target = try page.map { try options.page(path, $0) } ?? path
    guard var request = await request("GET", target) else {
      throw HTTPError.invalid("no address comes of \(target)")
    }
    request.setValue("no-cache, no-store", forHTTPHeaderField: "Cache-Control")
    do throws(HTTPError) {
      let answer = try await answer(to: request, by: reads)
      guard (200..<300).contains(answer.status) else {
        throw .status(answer.status, retryAfter: answer.retryAfter(options.clock))
      }
      guard answer.status != 206 else { throw .cut("the answer is a part of what was asked for") }
      return Shelf.Reply(
        answer.content,
        status: answer.status,
        revision: options.revision(answer)
      )
    } catch {
      if case .cancelled = error { throw CancellationError() }
      throw error
    }
  }
}

extension HTTPTransport: OutboxTransport {
  public func send(_ attempt: OutboxRequest) async -> OutboxReply {
    precondition(attempt.item.scope == scope, "work goes to the server that it was authored under")
    guard Outbox.Work.isMethod(attempt.item.method),
      let target = try? options.target(attempt.item),
      var request = await request(attempt.item.method, target)
    else { return .lost(.unreachable) }
    let key = HTTPBody.quoted(attempt.item.key)
    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    if let body = HTTPBody(attempt, contentType: options.contentType) {
      request.setValue(body.type, forHTTPHeaderField: "Content-Type")
      request.httpBody = body.content
    }
    do throws(HTTPError) {
      // On a connection that was used before, a lost request is repeated beneath us, and then
      // *cannot connect* would not mean that nothing was sent.
      let answer = try await answer(to: request, by: HTTPSession(options))
      return .answer(
        status: answer.status,
        content: answer.content,
        retryAfter: answer.retryAfter(options.clock),
        isDuplicate: options.isDuplicate(answer)
      )
    } catch { return .lost(error.doubt) }
  }

  public func copies(
    of item: OutboxItem,
    status: UInt64,
    content: [UInt8]
  ) throws -> [(path: Path, reply: Shelf.Reply)] {
    try options.copies(item, status, content)
  }
}

/// What two addresses must share for one to answer for the other.
private struct HTTPOrigin: Equatable {
  let scheme: String
  let host: String
  let port: Int

  init?(_ url: URL?) {
    guard let url, let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased() else {
      return nil
    }
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }
}
