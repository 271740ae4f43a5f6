internal import Foundation
internal import Synchronization

/// An HTTP server on loopback that misbehaves on cue: for tests, and for the example.
///
/// Each connection has a thread. What it was asked is in its log, in the order in which it came.
package final class LoopbackServer: Sendable {
  package typealias Application = @Sendable (HTTPRequest) -> HTTPResponse

  private struct State {
    var log: [HTTPRequest] = []
    var cues: [(method: String, path: String, cue: Cue)] = []
    var connections: [Socket] = []
    var isStopped = false
  }

  private let listening: Socket
  private let application: Application
  private let state = Mutex(State())

  /// - Parameters:
  ///   - port: where it is; 0 is any port that is free.
  ///   - application: what answers; it may be asked from several threads at once.
  /// - Throws: ``SocketFailure`` if the port is not free.
  package init(
    port: UInt16 = 0,
    _ application: @escaping Application
  ) throws(SocketFailure) {
    listening = try Socket.listening(at: port)
    self.application = application
    Thread.detachNewThread { [listening, weak self] in
      while let connection = listening.accepted() {
        guard let self, self.admit(connection) else { return connection.shut() }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  deinit { listening.shut() }

  package var port: UInt16 { listening.port }
  package var address: String { "http://127.0.0.1:\(port)" }

  /// What it was asked so far.
  package var log: [HTTPRequest] { state.withLock { $0.log } }

  /// What it was asked so far, as `GET /notes?page=0`.
  package var lines: [String] { log.map { "\($0.method) \($0.target)" } }

  /// The next request of that method whose target begins with `path` goes as the cue says.
  package func cue(_ method: String, _ path: String, _ cue: Cue) {
    state.withLock { $0.cues.append((method, path, cue)) }
  }

  /// Takes no further connection.
  package func stopListening() { listening.shut() }

  /// Ends all connections; no further one is taken.
  package func stop() {
    stopListening()
    let connections = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    for connection in connections { connection.shut() }
  }

  private func admit(_ connection: Socket) -> Bool {
    state.withLock { state in
      if !state.isStopped { state.connections.append(connection) }
      return !state.isStopped
    }
  }

  private func serve(_ connection: Socket) {
    var requests = RequestReader(connection)
    while let request = requests.next(), answer(request, connection) {}
    connection.shut()
    state.withLock { $0.connections.removeAll { $0 === connection } }
  }

  /// Whether the connection goes on.
  private func answer(_ request: HTTPRequest, _ connection: Socket) -> Bool {
    let cue = note(request)
    cue.before(request)
    var answer = cue.answer ?? HTTPResponse(500)
    for _ in 0..<cue.handlings { answer = application(request) }
    cue.after()
    defer { cue.last() }
    switch cue.sent {
    case .nothing: return false
    case .part(let count):
      connection.write(answer.head + answer.framed.prefix(count))
      return false
    case .raw(let bytes):
      connection.write(bytes)
      return false
    case .whole:
      return connection.write(answer.head + answer.framed) && answer.framing != .close
        && !cue.closes
    }
  }

  private func note(_ request: HTTPRequest) -> Cue {
    state.withLock { state in
      state.log.append(request)
      let place = state.cues.firstIndex {
        $0.method == request.method && request.target.hasPrefix($0.path)
      }
      return place.map { state.cues.remove(at: $0).cue } ?? Cue()
    }
  }
}

/// Waiting where nothing tells when it is over.
enum Wait {
  static func shortly() { Thread.sleep(forTimeInterval: 0.002) }
}
