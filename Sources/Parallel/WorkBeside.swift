internal import Dispatch
internal import Synchronization

/// One piece of work that another thread does while its caller is at something else.
///
/// If no thread has begun it when its result is asked for, the caller does it then, so that nothing
/// waits for a thread that never comes.
package final class WorkBeside<Made: Sendable>: Sendable {
  private struct State {
    let make: () -> Made
    var made: Made?

    mutating func finish() -> Made {
      let made = self.made ?? make()
      self.made = made
      return made
    }
  }

  private let state: Mutex<State>

  /// Begins at once.
  package init(_ make: sending @escaping () -> Made) {
    state = Mutex(State(make: make))
    DispatchQueue.global(qos: .userInitiated).async { self.state.withLock { _ = $0.finish() } }
  }

  /// What came of it; it is made once, however often it is asked for.
  package func result() -> Made { state.withLock { $0.finish() } }
}
