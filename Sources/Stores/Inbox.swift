internal import TidemarkEntries
internal import TidemarkJournalStore
internal import TidemarkProjections

/// The door for what other processes share with the app.
///
/// Importing is done when the app comes to the front, and may be done again at any time: each item
/// is taken once, whatever ended the process in between.
public struct Inbox: Sendable {
  /// The store whose outbox the items go to.
  public let shelf: Shelf

  /// The folder of the shares.
  public let folder: String

  init(_ shelf: Shelf, _ folder: String) {
    self.shelf = shelf
    self.folder = folder
  }

  /// What came of an import.
  public struct Imported: Sendable, Hashable {
    /// The shares whose items are all in the outbox now.
    public var shares: [String] = []

    /// How many items those have.
    public var items = 0

    /// The names of files that cannot be read; they are kept until somebody discards them.
    public var unreadable: [String] = []

    /// The names of files that are taken and that the device did not let be removed.
    ///
    /// The next import tries again, and takes nothing twice.
    public var left: [String] = []

    public init(
      shares: [String] = [],
      items: Int = 0,
      unreadable: [String] = [],
      left: [String] = []
    ) {
      self.shares = shares
      self.items = items
      self.unreadable = unreadable
      self.left = left
    }
  }

  /// A file in the inbox that cannot be read.
  public struct Unreadable: Sendable, Hashable {
    /// The name of the file.
    public let name: String

    /// What is wrong with it, for people.
    public let detail: String
  }

  /// The files that could not be read and were not discarded.
  public var unreadable: [Unreadable] {
    shelf.stores.live.view.read { states in
      states.inbox.unreadable.sorted { $0.key < $1.key }.map {
        Unreadable(
          name: String(decoding: $0.key.bytes, as: UTF8.self),
          detail: $0.value.detail
        )
      }
    }
  }

  /// Takes all shares that are there into the outbox, each item with the time of its share.
  ///
  /// The first item has the share's own id for a key, the others that and their number.
  ///
  /// - Throws: ``StoreError/journal(_:)`` if something could not be written: what was taken stays
  ///   taken, the rest comes with the next import. ``StoreError/over(_:)``, and
  ///   ``StoreError/invalid(_:)`` if the folder cannot be listed.
  @discardableResult
  public func importAll() async throws(StoreError) -> Imported {
    var imported = Imported()
    let names: [String]
    do throws(Platform.Failure) { names = try Platform.names(in: folder) } catch {
      throw .invalid(error.description)
    }
    for name in names where name.hasSuffix(ShareFile.ending) {
      let path = folder + "/" + name
      let share: ShareFile.Share
      let file: PlainFile
      do {
        file = try PlainFile(reading: path)
        share = try ShareFile.read(file)
      } catch {
        try await note(name, path, "\((error as? ShareFile.Malformed)?.detail ?? "\(error)")")
        imported.unreadable.append(name)
        continue
      }
      do throws(StoreError) { try await take(share, of: file) } catch {
        // Its ids were used for something else before, or it is beyond what a journal holds: a
        // person must look at it, and those behind it are taken.
        guard error.isOfShare else { throw error }
        try await note(name, path, error.description)
        imported.unreadable.append(name)
        continue
      }
      // The journal has all of it: what the file is needed for is over.
      if (try? Platform.remove(path)) == nil { imported.left.append(name) }
      imported.shares.append(share.id)
      imported.items += share.items.count
    }
    return imported
  }

  private func take(_ share: ShareFile.Share, of file: PlainFile) async throws(StoreError) {
    let (id, count, time) = (share.id, UInt64(share.items.count), share.time)
    try await append("share/\(id)") { ShareReceived(share: id, count: count) }
    for (index, item) in share.items.enumerated() {
      var work = item.work
      do throws(Platform.Failure) {
        work.content = try item.content.map { (place) throws(Platform.Failure) in
          try file.read(place.count, at: place.lowerBound)
        }
        for part in item.files {
          let content = try file.read(part.bytes.count, at: part.bytes.lowerBound)
          work.files.append(Outbox.File(part.name, mediaType: part.mediaType, content))
        }
      } catch { throw .invalid(error.description) }
      let key = try Inbox.key(of: id, index)
      let whole = work
      try await shelf.submit(.authored) { (turn, store) throws(StoreError) in
        _ = try turn.enqueue(whole, key: key, at: time, in: store, share: id)
      }
    }
    try await append("share/\(id)/imported") { ShareImported(share: id) }
  }

  /// The key of an item of a share.
  static func key(of share: String, _ index: Int) throws(StoreError) -> IdempotencyKey {
    do throws(EntryError) {
      return try IdempotencyKey(index == 0 ? share : "\(share)/\(index)")
    } catch { throw .invalid(error.message) }
  }

  private func note(_ name: String, _ path: String, _ detail: String) async throws(StoreError) {
    let digest = (try? PlainFile(reading: path)).flatMap {
      try? ShareFile.digest(of: $0, through: $0.byteCount)
    }
    let content = digest ?? Digest(words: (0, 0, 0, 0))
    try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      guard turn.states.inbox.unreadable[ItemID(name)]?.content != content else { return }
      try turn.add([
        Draft(
          ShareUnreadable(share: name, detail: detail, content: content),
          key: turn.freshKey("share"),
          store: .journal,
          time: turn.now
        )
      ])
    }
  }

  /// A person gives up a file that cannot be read: it is removed.
  ///
  /// - Throws: ``StoreError/unknown(_:)`` if there is none of the name, ``StoreError/invalid(_:)``,
  ///   ``StoreError/journal(_:)``.
  public func discard(_ name: String) async throws(StoreError) {
    guard unreadable.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw .unknown("no unreadable share is called \(name)")
    }
    do throws(Platform.Failure) { try Platform.remove(folder + "/" + name) } catch {
      throw .invalid(error.description)
    }
    try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      try turn.add([
        Draft(
          ShareDiscarded(share: name),
          key: turn.freshKey("share"),
          store: .journal,
          time: turn.now
        )
      ])
    }
  }

  private func append(
    _ key: String,
    _ kind: @escaping @Sendable () -> some EntryKind
  ) async throws(StoreError) {
    let name: IdempotencyKey
    do throws(EntryError) { name = try IdempotencyKey(key) } catch {
      throw .invalid(error.message)
    }
    try await shelf.stores.submit(.authored) { (turn) throws(StoreError) in
      try turn.add([Draft(kind(), key: name, store: .journal, time: turn.now)])
    }
  }
}

extension StoreError {
  /// Whether it says something of the share that was to be taken, and nothing of the device.
  fileprivate var isOfShare: Bool {
    switch self {
    case .keyReused, .invalid: true
    case .journal(let error): error.code == .invalid
    default: false
    }
  }
}

extension Shelf {
  /// The inbox at `folder`, whose items go to the outbox of this store.
  public func inbox(_ folder: String) -> Inbox { Inbox(self, folder) }
}
