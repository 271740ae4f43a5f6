internal import Synchronization
public import TidemarkEntries

/// What the stores ask for the time, so that a test can say what it is.
public struct DeviceClock: Sendable {
  /// The time now.
  public let now: @Sendable () -> DeviceTime

  /// Waits until that time, or until the task is cancelled.
  public let sleep: @Sendable (_ until: DeviceTime) async throws(CancellationError) -> Void

  public init(
    now: @escaping @Sendable () -> DeviceTime,
    sleep: @escaping @Sendable (_ until: DeviceTime) async throws(CancellationError) -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The clock of the device.
  public static let system = DeviceClock(
    now: { DeviceTime(milliseconds: Platform.milliseconds) },
    sleep: { until throws(CancellationError) in
      while true {
        let now = DeviceTime(milliseconds: Platform.milliseconds)
        let rest = min(until.milliseconds(since: now), sleepMax)
        guard rest > 0 else { return }
        do { try await Task.sleep(for: .milliseconds(rest)) } catch { throw CancellationError() }
      }
    }
  )

  /// How long it sleeps at most before it looks again: the clock may have been set, and the runtime
  /// counts nanoseconds, of which there are not enough for any time.
  private static let sleepMax: Int64 = 3_600_000
}

/// A clock that stands until it is told to go on: for tests and scenarios.
public final class ManualClock: Sendable {
  private struct State {
    var now: DeviceTime
    var sleepers: [(until: Int64, wake: CheckedContinuation<Void, Never>, id: UInt64)] = []
    var nextID: UInt64 = 0
    var cancelled: Set<UInt64> = []
  }

  private let state: Mutex<State>

  /// A clock that stands at `now`.
  public init(_ now: DeviceTime) {
    state = Mutex(State(now: now))
  }

  /// What it says.
  public var now: DeviceTime { state.withLock { $0.now } }

  /// How many wait for it.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Goes on, and wakes whoever waited for a time up to that.
  public func advance(milliseconds: Int64) {
    let due = state.withLock { state in
      state.now = state.now.adding(milliseconds: milliseconds)
      let now = state.now.milliseconds
      let due = state.sleepers.filter { $0.until <= now }.map(\.wake)
      state.sleepers.removeAll { $0.until <= now }
      return due
    }
    for wake in due { wake.resume() }
  }

  /// The clock as the stores take it.
  public var clock: DeviceClock {
    DeviceClock(
      now: { self.now },
      sleep: { until throws(CancellationError) in
        try await self.sleep(until)
      }
    )
  }

  private func sleep(_ until: DeviceTime) async throws(CancellationError) {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let isDue = state.withLock { state in
          guard until.milliseconds > state.now.milliseconds,
            state.cancelled.remove(id) == nil
          else { return true }
          state.sleepers.append((until.milliseconds, wake, id))
          return false
        }
        if isDue { wake.resume() }
      }
    } onCancel: {
      cancel(id)
    }
    _ = state.withLock { $0.cancelled.remove(id) }
    if Task.isCancelled { throw CancellationError() }
  }

  private func cancel(_ id: UInt64) {
    let wake = state.withLock { state in
      guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.sleepers.remove(at: place).wake
    }
    wake?.resume()
  }
}
