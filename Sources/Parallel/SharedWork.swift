internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Pieces of work that do not depend on each other, shared by all processors.
///
/// Work begins at once on other threads. Whoever asks for the results takes part until all of them
/// are there, so that nothing waits for a thread that never comes.
package final class SharedWork<Item: Sendable, Made: Sendable>: Sendable {
  private struct State {
    var next = 0
    var made: [Made?]

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
  private let group = DispatchGroup()

  /// Begins to work on `items`.
  ///
  /// - Parameters:
  ///   - items: what is worked on; a single one waits for ``results()``.
  ///   - worker: makes what works on one item after the other, in one thread.
  package init(_ items: [Item], _ worker: @escaping @Sendable () -> (Item) -> Made) {
    self.items = items
    self.worker = worker
    state = Mutex(State(made: [Made?](repeating: nil, count: items.count)))
    for _ in 0..<max(0, min(items.count, Processors.count) - 1) {
      DispatchQueue.global(qos: .userInitiated).async(group: group) { self.work() }
    }
  }

  private func work() {
    let make = worker()
    while let index = state.withLock({ $0.claim() }) {
      let made = make(items[index])
      state.withLock { $0.made[index] = made }
    }
  }

  /// What came of the items, in their order.
  package func results() -> [Made] {
    work()
    group.wait()
    return state.withLock { $0.made.compactMap { $0 } }
  }
}

enum Processors {
  /// How many there are; at least one.
  static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
