import Foundation
import Synchronization
import Tidemark

/// Where a test ends the process, as a person who pulls the battery: `NOTES_STOP_AT_COMMIT=3`.
enum StopPoint {
  private static let commitsLeft = Mutex(
    ProcessInfo.processInfo.environment["NOTES_STOP_AT_COMMIT"].flatMap { Int($0) }
  )

  /// Asked before each commit.
  static let faults: @Sendable () -> JournalError? = {
    let isHere = commitsLeft.withLock { left in
      left = left.map { $0 - 1 }
      return left == 0
    }
    if isHere { kill(getpid(), SIGKILL) }
    return nil
  }
}
