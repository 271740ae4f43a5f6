import Foundation
import Synchronization

/// Work on a thread of its own, for the other end of a pipe.
///
/// A task would need a thread of the pool that runs the tests; on two cores two tests that wait for
/// such tasks wait for ever.
package final class OtherThread<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  package init(_ work: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      let outcome = Result { try work() }
      result.withLock { $0 = outcome }
      isDone.signal()
    }
  }

  /// Waits for the work, and gives what came of it.
  package func value() throws -> Value {
    isDone.wait()
    guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
    return try outcome.get()
  }
}
