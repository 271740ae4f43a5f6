internal import Dispatch
internal import Synchronization

/// Pieces of work that follow on one another: another thread makes the next while one is used.
///
/// Memory holds two of them. If no thread has begun the next one when it is asked for, it is made
/// then, so that nothing waits for a thread that never comes.
package final class WorkAhead<Made: Sendable>: Sendable {
  private struct State {
    let make: () -> Made?
    var ready: Made?
    var isOver = false

    mutating func prepare() {
      guard ready == nil, !isOver else { return }
      ready = make()
      isOver = ready == nil
    }
  }

  private let state: Mutex<State>

  /// Begins with the first piece.
  ///
  /// - Parameter make: makes the next piece; nothing if there is none. It is not called twice at a
  ///   time, and not any more when there was none.
  package init(_ make: sending @escaping () -> Made?) {
    state = Mutex(State(make: make))
    begin()
  }

  /// The next piece; nothing behind the last.
  package func next() -> Made? {
    let made = state.withLock { state in
      state.prepare()
      return state.ready.take()
    }
    if made != nil { begin() }
    return made
  }

  private func begin() {
    DispatchQueue.global(qos: .userInitiated).async { self.state.withLock { $0.prepare() } }
  }
}
