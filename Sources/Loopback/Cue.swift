internal import Synchronization

/// What is to go otherwise with the next request that it is for.
package struct Cue: Sendable {
  /// How much of the answer goes out before the connection is closed.
  package enum Sent: Sendable {
    case whole
    case nothing

    /// The head, and so many bytes of the content.
    case part(Int)

    /// These bytes instead.
    case raw([UInt8])
  }

  /// Done when the request has come, before anything is made of it.
  package var before: @Sendable (HTTPRequest) -> Void = { _ in }

  /// How often the application is asked.
  package var handlings = 1

  /// The answer, instead of the application's.
  package var answer: HTTPResponse?

  /// Done when the application has answered, before the answer goes out.
  package var after: @Sendable () -> Void = {}

  /// What goes out of it.
  package var sent = Sent.whole

  /// Whether the connection ends with it.
  package var closes = false

  /// Done when that has gone out.
  package var last: @Sendable () -> Void = {}

  package init() {}

  /// The application is asked, and its answer waits at the gate.
  package static func hold(_ gate: Gate) -> Cue {
    var cue = Cue()
    cue.after = { gate.pass() }
    return cue
  }

  /// The request waits at the gate, before the application is asked.
  package static func holdRequest(_ gate: Gate) -> Cue {
    var cue = Cue()
    cue.before = { _ in gate.pass() }
    return cue
  }

  /// The application is asked, and its answer is lost.
  package static var drop: Cue {
    var cue = Cue()
    cue.sent = .nothing
    return cue
  }

  /// The connection closes before the application is asked.
  package static var lose: Cue {
    var cue = drop
    cue.handlings = 0
    return cue
  }

  /// The application is asked, and its answer breaks off.
  package static func cut(after bytes: Int) -> Cue {
    var cue = Cue()
    cue.sent = .part(bytes)
    return cue
  }

  /// The request comes to the application twice.
  package static var twice: Cue {
    var cue = Cue()
    cue.handlings = 2
    return cue
  }

  /// The application is not asked.
  package static func answer(_ answer: HTTPResponse) -> Cue {
    var cue = Cue()
    cue.handlings = 0
    cue.answer = answer
    return cue
  }
}

/// Where an answer waits until it is let through.
package final class Gate: Sendable {
  private let state = Mutex((hasArrived: false, isOpen: false))

  package init() {}

  /// Whether something has come to it.
  package var hasArrived: Bool { state.withLock { $0.hasArrived } }

  /// Lets through what waits, and what comes.
  package func open() { state.withLock { $0.isOpen = true } }

  func pass() {
    state.withLock { $0.hasArrived = true }
    while !state.withLock({ $0.isOpen }) { Wait.shortly() }
  }
}
