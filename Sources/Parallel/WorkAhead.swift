internal import Dispatch
internal import Synchronization

/// Pieces of work that follow on one another: another thread makes the next while one is used.
///
/// Memory holds two of them. If no thread has begun the next one when it is asked for, it is made
/// then, so that nothing waits for a thread that never comes.
package final class WorkAhead<Made: Sendable>: Sendable {
  private struct State {
    let make: (_ isAwaited: () -> Bool) -> Made?
    var ready: Made?
    var isOver = false

    mutating func prepare(_ isAwaited: () -> Bool) {
      guard ready == nil, !isOver else { return }
      ready = make(isAwaited)
      isOver = ready == nil
    }
  }

  private let state: Mutex<State>

  /// Whether the next piece was asked for.
  private let isAwaited = Atomic(false)

  /// Begins with the first piece.
  ///
  /// - Parameter make: makes the next piece; nothing if there is none. It is not called twice at a
  ///   time, and not any more when there was none. What it is given tells whether somebody waits
  ///   for the piece: what can as well be done by who uses it may be left to him then.
  package init(_ make: sending @escaping (_ isAwaited: () -> Bool) -> Made?) {
    state = Mutex(State(make: make))
    begin()
  }

  /// The next piece; nothing behind the last.
  package func next() -> Made? {
    isAwaited.store(true, ordering: .relaxed)
    let made = state.withLock { state in
      prepare(&state)
      isAwaited.store(false, ordering: .relaxed)
      return state.ready.take()
    }
    if made != nil { begin() }
    return made
  }

  private func begin() {
    DispatchQueue.global(qos: .userInitiated).async { self.state.withLock { self.prepare(&$0) } }
  }

  private func prepare(_ state: inout State) {
    state.prepare { isAwaited.load(ordering: .relaxed) }
  }
}
