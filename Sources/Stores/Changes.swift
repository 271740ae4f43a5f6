internal import TidemarkProjections

/// What has changed since the last time, for as long as somebody asks.
///
/// Changes that come while nobody asks are put together: the next element holds all of them, so a
/// slow reader misses no change and keeps nothing waiting. The sequence ends when the stores close.
public struct Changes<Element: Sendable>: AsyncSequence, Sendable {
  private let view: LiveView
  private let projection: String?
  private let key: RowKey?
  private let beginsNow: Bool
  private let element: @Sendable (Set<RowKey>) -> Element?

  /// - Parameters:
  ///   - view: what is watched.
  ///   - projection: the one that is watched; nothing: all of them.
  ///   - key: the one row that is watched; nothing: all of them.
  ///   - beginsNow: whether the first element is what stands, without a change.
  ///   - element: what is told of the rows that have changed; nothing: it is passed over.
  init(
    _ view: LiveView,
    _ projection: String?,
    _ key: RowKey?,
    beginsNow: Bool = false,
    _ element: @escaping @Sendable (Set<RowKey>) -> Element?
  ) {
    self.view = view
    self.projection = projection
    self.key = key
    self.beginsNow = beginsNow
    self.element = element
  }

  /// Watches from here on.
  public func makeAsyncIterator() -> Iterator {
    let (id, wakes) = view.watch(projection, key)
    return Iterator(Watch(view, id), wakes.makeAsyncIterator(), beginsNow, element)
  }

  /// Ends the watching when nobody holds it any more.
  fileprivate final class Watch: Sendable {
    let view: LiveView
    let id: UInt64

    init(_ view: LiveView, _ id: UInt64) {
      self.view = view
      self.id = id
    }

    deinit { view.unwatch(id) }
  }

  /// Waits for changes, one reader at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let watch: Watch
    private var wakes: AsyncStream<Void>.Iterator
    private var isFirst: Bool
    private let element: @Sendable (Set<RowKey>) -> Element?

    fileprivate init(
      _ watch: Watch,
      _ wakes: AsyncStream<Void>.Iterator,
      _ isFirst: Bool,
      _ element: @escaping @Sendable (Set<RowKey>) -> Element?
    ) {
      self.watch = watch
      self.wakes = wakes
      self.isFirst = isFirst
      self.element = element
    }

    public mutating func next() async -> Element? {
      if isFirst {
        isFirst = false
        if let element = element([]) { return element }
      }
      while await wakes.next() != nil {
        let changed = watch.view.takeChanges(watch.id)
        guard !changed.isEmpty, let element = element(changed) else { continue }
        return element
      }
      return nil
    }
  }
}
