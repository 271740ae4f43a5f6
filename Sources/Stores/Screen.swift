public import TidemarkEntries
internal import TidemarkProjections

/// What a screen has to show of one path, online or not.
public struct Screen: Sendable {
  /// What stands behind what is shown.
  public enum Source: Sendable, Hashable {
    /// There is no copy, and nothing of the user's.
    case nothing

    /// A copy that was saved at a time; for *saved on this device*.
    case copy(savedAt: DeviceTime)

    /// A copy that may be older than what the server has: a later answer could not be written.
    case suspectCopy(savedAt: DeviceTime)
  }

  /// The copy, if there is one.
  public let copy: Copy?

  /// What stands behind it.
  public let source: Source

  /// Whether a read of the path is under way.
  public let isLoading: Bool

  /// Whether the last reply could not be written down.
  public let hasWriteFailure: Bool

  /// What the user did that the server is still to be told and that changes what is shown here, in
  /// the order of authoring: what has this path, and what declares that it touches it.
  ///
  /// What declares nothing is on the screen of its own path alone.
  public let unsent: [OutboxItem]
}

extension Shelf {
  /// What a screen has to show of a path now, all of it as of the same entry.
  ///
  /// - Complexity: O(*n*) in what is under way and what waits in the outbox.
  public func screen(_ path: Path) -> Screen {
    let (store, scope, key) = (store, scope, rowKey(of: path))
    return stores.live.view.readWithWriteFailures { states, failures in
      let copy = states.shelf.copy(of: path, in: store)
      return Screen(
        copy: copy,
        source: copy.map {
          $0.isSuspect ? .suspectCopy(savedAt: $0.saved) : .copy(savedAt: $0.saved)
        } ?? .nothing,
        isLoading: states.shelf.reads.values.contains { read in
          read.incarnation == store && states.shelf.path(of: read) == path
        },
        hasWriteFailure: failures.contains(key),
        unsent: states.outbox.queue.filter { $0.item.scope == scope && $0.item.changes(path) }
          .map { OutboxItem($0.seq, $0.item) }
      )
    }
  }

  /// What a screen has to show of a path: now, and each time that it may have changed.
  public func screens(_ path: Path) -> Changes<Screen> {
    Changes(stores.live.view, nil, nil, beginsNow: true) { _ in screen(path) }
  }
}

extension OutboxState.Item {
  /// Whether what is shown at `path` will be another one when the server has the item.
  fileprivate func changes(_ path: Path) -> Bool {
    self.path == path || (touches ?? []).contains { $0.covers(path) }
  }
}
