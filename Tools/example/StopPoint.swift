import Foundation
import Synchronization
import Tidemark

/// Where a test ends the process, as a person who pulls the battery: `NOTES_STOP_AT=3`.
///
/// That is the third moment before or behind a commit: the second one's beginning.
enum StopPoint {
  private static let momentsLeft = Mutex(
    ProcessInfo.processInfo.environment["NOTES_STOP_AT"].flatMap { Int($0) }
  )

  /// Asked before and behind each commit.
  static let faults: @Sendable (Stores.Options.FaultPoint) -> JournalError? = { _ in
    let isHere = momentsLeft.withLock { left in
      left = left.map { $0 - 1 }
      return left == 0
    }
    if isHere { kill(getpid(), SIGKILL) }
    return nil
  }
}
