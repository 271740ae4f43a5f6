import Synchronization
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay
import TidemarkStores

/// A device in a test: a journal in a folder of its own, a clock that stands, chance from a seed.
final class Device {
  let place: TemporaryJournal
  let clock = ManualClock(DeviceTime(milliseconds: 1_000_000_000))
  private(set) var stores: Stores?
  private var hasCrashed = false
  var options = Stores.Options()

  init() throws {
    place = try TemporaryJournal()
    options.clock = clock.clock
    options.chance = UpperEnd()
  }

  func start() async throws -> Stores {
    if let stores { return stores }
    let opened = try await open(place.path)
    stores = opened
    return opened
  }

  /// Who has crashed may be on the way out still, with the lock in hand.
  private func open(_ path: String) async throws -> Stores {
    while true {
      do throws(StoreError) { return try await Stores.open(path, options) } catch {
        guard case .journal(let cause) = error, cause.code == .busy, hasCrashed else { throw error }
        await Task.yield()
      }
    }
  }

  func open(_ address: String, account: String? = nil) async throws -> Shelf {
    try await start().open(Scope(address, account: account))
  }

  /// The process ends: nothing is closed, nothing more is written.
  func crash() {
    stores = nil
    hasCrashed = true
  }

  /// Closes the stores and opens them again.
  @discardableResult
  func reopen() async throws -> Stores {
    try await stores?.close()
    stores = nil
    return try await start()
  }

  /// The judge objects to nothing.
  func check(_ location: SourceLocation = #_sourceLocation) async throws {
    try await stores?.close()
    stores = nil
    let report = try Judge.judge(try JournalReader(place.path))
    #expect(report.findings == [], sourceLocation: location)
  }
}

/// Chance whose waits are the longest, and whose keys differ.
///
/// One for all openings of a device: keys must not come again.
final class UpperEnd: RandomNumberGenerator, Sendable {
  private let below = Mutex<UInt64>(0)

  func next() -> UInt64 {
    below.withLock { below in
      below += 1
      return .max - below
    }
  }
}

/// A disk that fails when it is told to.
final class Faults: Sendable {
  private let commitsLeft = Mutex<Int?>(nil)
  private let point: Stores.Options.FaultPoint

  init(_ point: Stores.Options.FaultPoint = .beforeCommit) {
    self.point = point
  }

  func fail(afterCommits count: Int) { commitsLeft.withLock { $0 = count } }
  func heal() { commitsLeft.withLock { $0 = nil } }

  /// What the stores ask before each commit.
  var check: @Sendable (Stores.Options.FaultPoint) -> JournalError? {
    { point in
      guard point == self.point else { return nil }
      return self.commitsLeft.withLock { left in
        guard let count = left else { return nil }
        left = count - 1
        return count > 0 ? nil : JournalError(.storage, "the disk is full")
      }
    }
  }
}

extension Shelf.Reply {
  init(_ text: String, revision: UInt64? = nil) {
    self.init(Array(text.utf8), revision: revision)
  }
}

extension Shelf {
  /// The content of the copy of a path, as text.
  func text(_ path: String) throws -> String? {
    try copy(of: Path(path)).flatMap { try content(of: $0) }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Lets others go on until something holds; says no if it does not come to hold.
func eventually(_ holds: () async throws -> Bool) async rethrows -> Bool {
  for _ in 0..<100_000 {
    if try await holds() { return true }
    await Task.yield()
  }
  return false
}
