internal import Synchronization
internal import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkStores

/// The device of a story: its files, its clock, its disk.
final class SimulatedDevice {
  private static let journalName = "journal.tidemark"

  /// The files that make up a journal and its projections; the marker is in no backup.
  private static let parts = ["", "-wal", "-anchor", "-projections", "-projections-wal"]
  private static let marker = "-marker"

  private var folder: Folder
  let clock = ManualClock(DeviceTime(milliseconds: 1_000_000_000))
  let disk = SimulatedDisk()

  let chance = UpperEnd()

  /// How much of the write-ahead log was on the medium when it was looked at last.
  private var syncedLogBytes = 0

  /// Damage that a running process would not see: it is done when the process ends.
  private var damage: [(Folder) throws -> Void] = []
  private var backups: [String: Folder] = [:]
  private var export: Folder?

  init() throws(ScenarioError) {
    folder = try Folder()
    disk.watch(folder)
  }

  var journal: String { SimulatedDevice.journal(in: folder) }

  static func journal(in folder: Folder) -> String { "\(folder.path)/\(journalName)" }

  var options: Stores.Options {
    var options = Stores.Options()
    let (clock, disk) = (clock, disk)
    options.clock = DeviceClock(
      now: { clock.now.adding(milliseconds: disk.clockOffset) },
      sleep: clock.clock.sleep
    )
    options.chance = chance
    options.faults = { point in disk.fault(point) }
    return options
  }

  /// The same without a disk that fails.
  var quietOptions: Stores.Options {
    var quiet = options
    quiet.faults = { _ in nil }
    return quiet
  }

  // MARK: Files

  /// Copies what a process that ends now leaves behind.
  static func copy(_ folder: Folder, withMarker: Bool = true) throws(ScenarioError) -> Folder {
    let copy = try Folder()
    for part in parts + (withMarker ? [marker] : []) {
      guard let bytes = Folder.read(journal(in: folder) + part) else { continue }
      Folder.write(bytes, to: journal(in: copy) + part)
    }
    return copy
  }

  /// Remembers how much is on the medium.
  func noteSync() { syncedLogBytes = Folder.byteCount(of: journal + "-wal") }

  /// The process ends: what it has in memory is gone, and what it left on the medium stays.
  ///
  /// The stores of the old process are to be let go behind this; they write to files that nobody
  /// looks at any more.
  func endProcess(losesUnsynced: Bool = false) throws {
    let left = try SimulatedDevice.copy(folder)
    if losesUnsynced, let log = Folder.read(journal + "-wal") {
      Folder.write(log.prefix(syncedLogBytes), to: SimulatedDevice.journal(in: left) + "-wal")
    }
    try turn(to: left)
  }

  private func turn(to other: Folder) throws {
    for work in damage { try work(other) }
    damage = []
    folder = other
    disk.watch(other)
  }

  // MARK: Damage

  /// Damages files that nobody has open: now, or when the process ends.
  func damage(isRunning: Bool, _ work: @escaping (Folder) throws -> Void) throws {
    if isRunning { damage.append(work) } else { try work(folder) }
  }

  /// Makes the content of a body unreadable, whoever has the journal open.
  func breakBody(_ id: UInt64) throws {
    try Tampering.run(journal, "UPDATE bodies SET content = x'00' WHERE id = \(id)")
  }

  // MARK: Copies

  func prepareExport() throws(ScenarioError) -> String {
    let folder = try Folder()
    export = folder
    return SimulatedDevice.journal(in: folder)
  }

  /// Puts the export in the place of the journal; the device stays the same one.
  func useExport() throws {
    guard let export else { return }
    let other = try Folder()
    if let bytes = Folder.read(SimulatedDevice.journal(in: export)) {
      Folder.write(bytes, to: SimulatedDevice.journal(in: other))
    }
    if let marker = Folder.read(journal + SimulatedDevice.marker) {
      Folder.write(marker, to: SimulatedDevice.journal(in: other) + SimulatedDevice.marker)
    }
    try turn(to: other)
  }

  func backUp(_ mark: String) throws(ScenarioError) {
    backups[mark] = try SimulatedDevice.copy(folder, withMarker: false)
  }

  func restore(_ mark: String) throws {
    guard let backup = backups[mark] else {
      throw ScenarioError("there is no backup '\(mark)'")
    }
    try turn(to: SimulatedDevice.copy(backup))
  }
}

/// What the disk of a story does: it is full, it fails once, and each state that a process could
/// leave behind is kept if somebody wants to look at them.
final class SimulatedDisk: Sendable {
  private struct State: Sendable {
    var folder: Folder?
    var isFull = false
    var clockOffset: Int64 = 0
    var commits = 0
    var failing: (commit: Int, point: Stores.Options.FaultPoint)?
    var keepsCrashes = false
    var crashes: [Folder] = []
  }

  private let state = Mutex(State())

  func watch(_ folder: Folder) { state.withLock { $0.folder = folder } }
  func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

  /// By how much the clock of the device is wrong, in milliseconds.
  var clockOffset: Int64 { state.withLock { $0.clockOffset } }
  func setClockOffset(_ offset: Int64) { state.withLock { $0.clockOffset = offset } }

  /// How many commits were asked for.
  var commits: Int { state.withLock { $0.commits } }

  /// Lets the commit with this number fail, counted from 0.
  func fail(at commit: Int, _ point: Stores.Options.FaultPoint) {
    state.withLock { $0.failing = (commit, point) }
  }

  func keepCrashes() { state.withLock { $0.keepsCrashes = true } }

  /// What the process would have left behind before each commit.
  func takeCrashes() -> [Folder] {
    state.withLock { state in
      defer { state.crashes = [] }
      return state.crashes
    }
  }

  /// Asked around each commit.
  func fault(_ point: Stores.Options.FaultPoint) -> JournalError? {
    state.withLock { state in
      let isFailing = state.failing.map { $0 == (state.commits, point) } ?? false
      guard point == .beforeCommit else {
        state.commits += 1
        return isFailing ? JournalError(.storage, "the disk failed") : nil
      }
      if state.keepsCrashes, let folder = state.folder,
        let crash = try? SimulatedDevice.copy(folder)
      {
        state.crashes.append(crash)
      }
      guard state.isFull || isFailing else { return nil }
      // A commit that was refused is one as well.
      state.commits += 1
      return JournalError(.storage, "the disk is full")
    }
  }
}

/// Chance that gives the longest wait, and a key that nobody has, each time.
final class UpperEnd: RandomNumberGenerator, Sendable {
  private let below = Mutex<UInt64>(0)

  func next() -> UInt64 {
    below.withLock { below in
      below += 1
      return .max - below
    }
  }
}
