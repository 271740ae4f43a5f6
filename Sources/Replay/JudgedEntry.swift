package import TidemarkEntries

/// One entry as the checks see it: read once, its store and paths numbered.
///
/// One value is used for all entries in turn, so that an entry costs no memory of its own.
package struct JudgedEntry {
  /// What happened, for the kinds that the rules speak of.
  package enum Content {
    case opened(StoreOpened)
    case retired
    case began(ReadBegan)
    case landed(Landing)
    case page(PageReceived)
    case refused(ReadRefused)
    case sent(MutationSent)
    case answered(MutationAnswered)
    case suppressed(MutationSuppressed)
    case failed(MutationFailed)
    case bumped(GenerationBumped)
    case stored
    case removed
    case copied(OutboxCopied)
    case outbox(OutboxEvent)
    case pins(PinsEvent)
    case syncBegan

    /// A kind that no rule speaks of.
    case other

    /// A kind that this build does not know.
    case unknown
  }

  /// A read brought the copy of its path: in one reply, or page by page.
  package struct Landing {
    package var begin: Seq
    package var revision: UInt64?

    /// What the copy is made of, if it is a list.
    package var list: ListAssembled?
  }

  /// A path that the entry names.
  package struct Link {
    /// Its number among the paths of the scope.
    package var path: Int
    package var role: PathLink.Role
    package var previous: Seq?
    package var previousMention: Seq?

    /// What is written there carries this revision.
    package var revision: UInt64?

    /// The copy of the path goes away.
    package var isRemoval = false
  }

  package private(set) var entry: Entry
  package private(set) var content = Content.other

  /// The number of its store; nothing for an entry of the journal, or of a store that is not known.
  package private(set) var store: Int?

  package private(set) var links: [Link] = []

  /// The read or change in flight that the entry ends.
  package private(set) var ticket: OpenTicket?

  /// The first entry of the answer that this one is part of, where it is not itself the first.
  package private(set) var answer: Seq?

  package var seq: Seq { entry.seq }

  /// The item of the outbox that the entry says something of, by its `outbox-enqueued` entry.
  package var item: Seq? {
    switch content {
    case .outbox(let event): event.item
    case .copied(let copied): copied.enqueued
    default: nil
    }
  }

  init(_ entry: Entry) {
    self.entry = entry
  }

  /// Turns to another entry, whose store and paths get their numbers in `facts`.
  ///
  /// - Throws: ``EntryError`` if the payload is not that of the kind, or does not fit the paths.
  ///   What the envelope says is read all the same.
  mutating func read(_ entry: Entry, _ facts: inout JournalFacts) throws(EntryError) {
    self.entry = entry
    content = .unknown
    ticket = nil
    answer = nil
    links.removeAll(keepingCapacity: true)
    let content = Result { () throws(EntryError) in try Content(of: entry) }
    var opening = entry.store
    if case .success(.opened(let opened)) = content {
      facts.admit(opened, at: entry.seq)
      opening = entry.seq
    }
    store = opening.flatMap { facts.store(openedAt: $0) }
    if let store {
      let scope = facts.stores[store].scope
      entry.forEachPathPlace { place in
        links.append(
          Link(
            path: facts.paths.number(of: entry.storage, place.bytes, in: scope),
            role: place.role,
            previous: place.previous,
            previousMention: place.previousMention
          )
        )
      }
    }
    let known = try content.get()
    if store != nil { try fit(known) }
    self.content = known
    facts.resolve(known, of: entry, in: store, links.first, &ticket, &answer)
  }

  /// Compares the roles of the paths with the kind, and marks what is written.
  private mutating func fit(_ content: Content) throws(EntryError) {
    switch content {
    case .began: try require(.begin)
    case .landed(let landed):
      try require(.write)
      links[0].revision = landed.revision
    case .refused, .sent, .failed, .stored, .removed, .suppressed, .page, .outbox:
      try require(.mention)
    case .answered(let answered): try fit(answered.copies, answered.removals)
    case .copied(let copied): try fit(copied.copies ?? [], [])
    case .opened, .retired, .bumped, .pins, .syncBegan, .other, .unknown: break
    }
  }

  private func require(_ role: PathLink.Role) throws(EntryError) {
    guard let link = links.first, links.allSatisfy({ $0.role == link.role }), link.role == role
    else {
      throw EntryError(.malformed, "a \(entry.kindName) names its paths with another role")
    }
  }

  private mutating func fit(
    _ copies: [MutationAnswered.Copy],
    _ removals: [UInt64]
  ) throws(EntryError) {
    let writes = copies.map(\.path) + removals
    guard writes.allSatisfy({ $0 < UInt64(links.count) && links[Int($0)].role == .write }),
      Set(writes).count == links.count(where: { $0.role != .mention })
    else {
      throw EntryError(.malformed, "the copies of an answer are not the paths that it writes")
    }
    for copy in copies { links[Int(copy.path)].revision = copy.revision }
    for index in removals { links[Int(index)].isRemoval = true }
  }
}

extension JudgedEntry.Content {
  init(of entry: Entry) throws(EntryError) {
    self =
      switch entry.kind {
      case ReadBegan.number: .began(try .reading(entry))
      case ReadLanded.number: .landed(.init(try .reading(entry)))
      case ListAssembled.number: .landed(.init(list: try .reading(entry)))
      case PageReceived.number: .page(try .reading(entry))
      case ReadRefused.number: .refused(try .reading(entry))
      case MutationSent.number: .sent(try .reading(entry))
      case MutationAnswered.number: .answered(try .reading(entry))
      case MutationSuppressed.number: .suppressed(try .reading(entry))
      case MutationFailed.number: .failed(try .reading(entry))
      case GenerationBumped.number: .bumped(try .reading(entry))
      case StoreOpened.number: .opened(try .reading(entry))
      case StoreRetired.number: .retired
      case CopyStored.number: .stored
      case CopyRemoved.number: .removed
      case OutboxCopied.number: .copied(try .reading(entry))
      case SyncBegan.number: .syncBegan
      case let number: try Self(ofStores: entry, number)
      }
  }

  /// Kinds of the stores beside the shelf.
  private init(ofStores entry: Entry, _ number: UInt16) throws(EntryError) {
    if let event = try JudgedEntry.OutboxEvent(of: entry) {
      self = .outbox(event)
    } else if let event = try JudgedEntry.PinsEvent(of: entry) {
      self = .pins(event)
    } else {
      self = KindRegistry.name(of: number) == nil ? .unknown : .other
    }
  }
}

extension JudgedEntry.Landing {
  fileprivate init(_ landed: ReadLanded) {
    self.init(begin: landed.begin, revision: landed.revision)
  }

  fileprivate init(list: ListAssembled) {
    self.init(begin: list.begin, revision: list.revision, list: list)
  }
}

extension EntryKind {
  static func reading(_ entry: Entry) throws(EntryError) -> Self {
    var payload = try PayloadReader(entry.storage, in: entry.payloadRange)
    return try Self(from: &payload)
  }
}
