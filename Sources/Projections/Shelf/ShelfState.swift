package import TidemarkEntries

/// What the shelf keeps: for each scope its copies, and what decides whether a reply may land.
package struct ShelfState: Sendable {
  /// One scope, with its present incarnation.
  package struct Store: Sendable {
    package var scope: Scope

    /// The seq of the opening: the name of the incarnation.
    package var opening: Seq

    /// The entry that ended the incarnation, if it is over.
    package var retired: Seq?

    package var generation: UInt64 = 0

    /// The last fence that makes every read in flight late.
    package var wholeFence: Seq

    /// The last answer to a change: it may go on in further entries, which reach as far.
    package var lastAnswer: (mutation: Seq, touches: [Touch]?)?

    /// The fences that bound themselves to what a change declared, since the oldest open read.
    package var boundFences: [BoundFence] = []

    package var paths = PathTable()

    /// What is known of each path, by its number in ``paths``.
    package var records: [PathRecord] = []

    /// How many reads of the present incarnation have begun and not ended.
    package var openReads = 0
  }

  /// A fence that counts for some paths only.
  package struct BoundFence: Sendable {
    package var seq: Seq
    package var touches: [Touch]
  }

  /// What is known of one path of a scope.
  package struct PathRecord: Sendable {
    /// The last read that began, in this incarnation if it is behind its opening.
    package var latestBegin = Seq(0)

    /// The last write, and the revision that it carried.
    package var lastWrite = Seq(0)
    package var lastRevision: UInt64?

    /// The highest revision that was written, and where.
    ///
    /// Kept over writes without one.
    package var floor: (revision: UInt64, seq: Seq)?

    package var copy: Copy?

    /// The answer that could not be written here: the copy may be older than the server's.
    package var suspect: Seq?
  }

  /// A device copy of what a server said.
  package struct Copy: Sendable {
    /// The entry that gave it.
    package var seq: Seq

    /// When it was saved, as the device's clock says.
    package var saved: DeviceTime
    package var body: BodyReference
    package var status: UInt64
    package var revision: UInt64?

    /// Whether it is of bytes that never change.
    package var isImmutable = false
  }

  /// A read in flight.
  package struct OpenRead: Sendable {
    /// The opening of its incarnation, which may be over.
    package var incarnation: Seq

    /// The place of its scope in ``ShelfState/stores``, and of its path there.
    package var store: Int
    package var path: Int
    package var generation: UInt64

    /// The pages of a list that have come so far.
    package var pages: [Page] = []
  }

  /// A page of a list that is being read.
  package struct Page: Sendable {
    package var seq: Seq

    /// How many rows came with it.
    package var count: UInt64

    /// The rows that no page before had.
    package var rowKeys: [UInt8]
  }

  /// A change in flight.
  package struct OpenMutation: Sendable {
    /// The opening of its incarnation, which may be over.
    package var incarnation: Seq
    package var path: Path
    package var method: String
    package var touches: [Touch]?
  }

  /// One a scope, in the order of their first opening.
  package var stores: [Store] = []

  /// The place of each scope in ``stores``.
  package var places: [Scope: Int] = [:]

  /// The reads that have begun and not ended, by their begin.
  ///
  /// Those of an incarnation that is over stay until they are refused.
  package var reads: [Seq: OpenRead] = [:]

  /// The changes that were sent and not answered, by their sending; dead ones stay likewise.
  package var mutations: [Seq: OpenMutation] = [:]

  /// Every incarnation: which store it belongs to, and what ended it.
  package var incarnations: [Seq: Incarnation] = [:]

  /// One opening of a scope.
  package struct Incarnation: Sendable {
    /// The place of its scope in ``ShelfState/stores``.
    package var store: Int

    /// The retirement, or the next opening of the scope.
    package var end: Seq?
  }
}

extension ShelfState {
  /// The store of a scope, if it was ever opened.
  package func store(of scope: Scope) -> Store? { places[scope].map { stores[$0] } }

  /// Whether nothing of the incarnation can be written any more.
  package func isOver(_ incarnation: Seq) -> Bool { incarnations[incarnation]?.end != nil }

  /// The path of a read in flight.
  package func path(of read: OpenRead) -> Path { stores[read.store].paths.path(read.path) }

  /// The store whose present incarnation was opened at `opening`.
  package func present(_ opening: Seq) -> Store? {
    guard let incarnation = incarnations[opening] else { return nil }
    let store = stores[incarnation.store]
    return store.opening == opening ? store : nil
  }
}

extension ShelfState.Store {
  package func record(of path: Path) -> ShelfState.PathRecord? {
    paths.number(of: path).map { records[$0] }
  }

  package func copy(of path: Path) -> ShelfState.Copy? { record(of: path)?.copy }

  /// A fence behind `begin` that covers `path`, if there is one.
  ///
  /// - Complexity: O(*f*) in the bounded fences behind `begin`.
  package func fence(after begin: Seq, covering path: Path) -> Seq? {
    let bound = boundFences[boundFences.firstPlace { $0.seq > begin }...].first { fence in
      fence.touches.contains { $0.covers(path) }
    }
    let whole = wholeFence > begin ? wholeFence : nil
    guard let bound, let whole else { return bound?.seq ?? whole }
    return min(bound.seq, whole)
  }
}
