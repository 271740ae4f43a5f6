import Dispatch
import Foundation
import Synchronization

/// What 300 callers get, more than threads will ever be there for them: none is left to help.
///
/// In a process of its own, which ends after a minute: callers that wait for each other never do.
func crowd(_ call: @escaping @Sendable (Int) -> Int) async -> [Int] {
  alarm(60)
  return await withCheckedContinuation { done in
    let results = Mutex<[Int]>([])
    for caller in 0..<300 {
      DispatchQueue.global(qos: .userInitiated).async {
        let result = call(caller)
        let all = results.withLock {
          $0.append(result)
          return $0
        }
        if all.count == 300 { done.resume(returning: all) }
      }
    }
  }
}
