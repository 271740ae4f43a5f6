internal import Synchronization
package import TidemarkEntries
package import TidemarkJournalStore
package import TidemarkProjections

/// What everybody may read at any time: the states with all that is committed, and nothing else.
///
/// Reading takes a lock for as long as a value is looked up, never for as long as a disk takes.
package final class LiveView: Sendable {
  fileprivate struct Content {
    var states: States
    var position: Seq
    var watchers: [UInt64: Watcher] = [:]
    var nextWatcher: UInt64 = 0
    var saveFailure: JournalError?

    /// Paths whose last reply could not be written.
    var writeFailures: Set<RowKey> = []
    var isFinished = false
  }

  /// Somebody who wants to know of changes.
  fileprivate struct Watcher {
    /// Nothing: every projection.
    var projection: String?

    /// The one row that is watched; nothing: all of them.
    var key: RowKey?
    var wake: AsyncStream<Void>.Continuation
    var pending: Set<RowKey> = []
  }

  private let content: Mutex<Content>
  package let clock: DeviceClock

  package init(_ states: States, at position: Seq, _ clock: DeviceClock) {
    content = Mutex(Content(states: states, position: position))
    self.clock = clock
  }

  package var states: States { content.withLock { $0.states } }
  package var position: Seq { content.withLock { $0.position } }

  /// Why the projections file was not written the last time, if it was not.
  package var saveFailure: JournalError? { content.withLock { $0.saveFailure } }

  /// Looks something up in the states.
  package func read<Result>(_ body: (States) -> sending Result) -> sending Result {
    content.withLock { body($0.states) }
  }

  /// Looks something up in the states, and in the paths whose last reply could not be written.
  func readWithWriteFailures<Result>(
    _ body: (States, Set<RowKey>) -> sending Result
  ) -> sending Result {
    content.withLock { body($0.states, $0.writeFailures) }
  }

  /// Takes in what was committed, and tells whoever watches.
  func publish(_ entries: [Entry], _ changed: ChangedRows) {
    content.withLock { content in
      for entry in entries { _ = content.states.evolve(by: entry) }
      content.position = entries.last?.seq ?? content.position
      for entry in entries where !content.writeFailures.isEmpty { content.forgetFailures(entry) }
      for id in content.watchers.keys { content.watchers[id]?.note(changed) }
    }
  }

  func note(_ failure: JournalError?) { content.withLock { $0.saveFailure = failure } }

  /// Remembers that the reply to the read that began at `begin` could not be written.
  func noteWriteFailure(of begin: Seq) {
    content.withLock { content in
      guard let read = content.states.shelf.reads[begin] else { return }
      let path = content.states.shelf.path(of: read)
      content.writeFailures.insert(.item(UInt32(read.store), path.bytes))
    }
  }

  /// Whether the last reply of the path could not be written; until one of it is.
  func hasWriteFailure(_ key: RowKey) -> Bool {
    content.withLock { $0.writeFailures.contains(key) }
  }

  /// Nothing changes any more: whoever watches is told.
  func finish() {
    content.withLock { content in
      content.isFinished = true
      for watcher in content.watchers.values { watcher.wake.finish() }
    }
  }

  // MARK: Watching

  /// Begins to watch a projection, or one row of it; the number ends it again.
  func watch(_ projection: String?, _ key: RowKey?) -> (id: UInt64, wakes: AsyncStream<Void>) {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = content.withLock { content in
      content.nextWatcher += 1
      content.watchers[content.nextWatcher] = Watcher(projection: projection, key: key, wake: wake)
      if content.isFinished { wake.finish() }
      return content.nextWatcher
    }
    return (id, wakes)
  }

  /// What has changed since the last time it was asked.
  func takeChanges(_ id: UInt64) -> Set<RowKey> {
    content.withLock { content in
      let pending = content.watchers[id]?.pending ?? []
      content.watchers[id]?.pending = []
      return pending
    }
  }

  func unwatch(_ id: UInt64) { content.withLock { _ = $0.watchers.removeValue(forKey: id) } }
}

extension LiveView.Content {
  /// What is written now has not failed.
  fileprivate mutating func forgetFailures(_ entry: Entry) {
    guard let store = entry.store.flatMap({ states.shelf.incarnations[$0]?.store }) else { return }
    entry.forEachPathPlace { place in
      guard place.role == .write else { return }
      writeFailures.remove(.item(UInt32(store), Array(entry.storage[place.bytes])))
    }
  }
}

extension LiveView.Watcher {
  /// Changes that nobody has asked for yet are kept as a set: however many come, each row is there
  /// once.
  fileprivate mutating func note(_ changed: ChangedRows) {
    let keys =
      projection.map { changed.keys[$0] ?? [] }
      ?? changed.keys.values.reduce(into: Set<RowKey>()) { $0.formUnion($1) }
    if let key {
      guard keys.contains(key) else { return }
      pending.insert(key)
    } else {
      guard !keys.isEmpty else { return }
      pending.formUnion(keys)
    }
    wake.yield()
  }
}
