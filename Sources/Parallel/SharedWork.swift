internal import Dispatch
internal import Synchronization

/// Pieces of work that do not depend on each other, shared by all processors.
///
/// Work begins at once on other threads. Whoever asks for the results takes part, and waits only
/// for pieces that a thread has begun: nothing waits for a thread that never comes.
package final class SharedWork<Item: Sendable, Made: Sendable>: Sendable {
  private struct State {
    var next = 0
    var made: [Made?]
    var unfinished: Int

    /// The number of an item that nobody works on yet.
    mutating func claim() -> Int? {
      guard next < made.count else { return nil }
      next += 1
      return next - 1
    }
  }

  private let items: [Item]
  private let worker: @Sendable () -> (Item) -> Made
  private let state: Mutex<State>

  /// Signalled when the last piece is finished.
  private let isFinished = DispatchSemaphore(value: 0)

  /// Begins to work on `items`.
  ///
  /// - Parameters:
  ///   - items: what is worked on; a single one waits for ``results()``.
  ///   - worker: makes what works on one item after the other, in one thread.
  package init(_ items: [Item], _ worker: @escaping @Sendable () -> (Item) -> Made) {
    self.items = items
    self.worker = worker
    state = Mutex(
      State(made: [Made?](repeating: nil, count: items.count), unfinished: items.count)
    )
    for _ in 0..<max(0, min(items.count, Processors.count) - 1) {
      DispatchQueue.global(qos: .userInitiated).async { self.work() }
    }
  }

  private func work() {
    // A thread that comes too late makes no worker.
    guard var index = state.withLock({ $0.claim() }) else { return }
    let make = worker()
    while true {
      let made = make(items[index])
      let unfinished = state.withLock { state in
        state.made[index] = made
        state.unfinished -= 1
        return state.unfinished
      }
      if unfinished == 0 { isFinished.signal() }
      guard let next = state.withLock({ $0.claim() }) else { return }
      index = next
    }
  }

  /// What came of the items, in their order.
  package func results() -> [Made] {
    guard !items.isEmpty else { return [] }
    work()
    isFinished.wait()
    isFinished.signal()
    return state.withLock { $0.made.compactMap { $0 } }
  }

  /// Begins no other item: nobody asks for the results.
  package func cancel() { state.withLock { $0.next = $0.made.count } }
}
