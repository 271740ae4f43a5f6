/// An entry that is about to be appended: all but its place and what follows from the place.
public struct Draft: Sendable {
  /// What an entry follows from.
  public enum Cause: Sendable, Hashable {
    /// An entry that stands in the journal.
    case entry(Seq)

    /// The entry so many drafts before this one, in the same batch.
    case earlierInBatch(Int)
  }

  /// Which store an entry belongs to.
  public enum Store: Sendable, Hashable {
    /// The journal itself.
    case journal

    /// The store that this entry opens.
    case opening

    /// The store that was opened at a seq.
    case opened(Seq)

    /// The store that is opened so many drafts before this one, in the same batch.
    case openedInBatch(Int)
  }

  /// The name of the entry, by which a second append of it is known.
  public var key: IdempotencyKey

  /// The number of the kind.
  public var kind: UInt16

  /// The store that it belongs to, as far as it is known before the append.
  public var store: Store

  /// When it happened, by the clock of the device.
  public var time: DeviceTime

  /// What it follows from, if it follows from something.
  public var cause: Cause?

  /// The paths that it is about, with what it does at each.
  public var paths: [(path: Path, role: PathLink.Role)]

  /// The fields of the kind, as deterministic CBOR; empty if there are none.
  package var payload: [UInt8]

  /// Drafts `kind` under `key`.
  public init(
    _ kind: some EntryKind,
    key: IdempotencyKey,
    store: Store,
    time: DeviceTime,
    cause: Cause? = nil,
    paths: [(path: Path, role: PathLink.Role)] = []
  ) {
    self.init(
      number: type(of: kind).number,
      payload: Draft.payload(of: kind),
      key: key,
      store: store,
      time: time,
      cause: cause,
      paths: paths
    )
  }

  package init(
    number: UInt16,
    payload: [UInt8],
    key: IdempotencyKey,
    store: Store,
    time: DeviceTime,
    cause: Cause? = nil,
    paths: [(path: Path, role: PathLink.Role)] = []
  ) {
    self.kind = number
    self.payload = payload
    self.key = key
    self.store = store
    self.time = time
    self.cause = cause
    self.paths = paths
  }

  private static func payload(of kind: some EntryKind) -> [UInt8] {
    var writer = PayloadWriter()
    kind.write(to: &writer)
    return writer.isEmpty ? [] : writer.encoded
  }
}

/// What follows from the place of an entry, and is added when it is given one.
package struct Placement {
  package var store: Seq?
  package var cause: Seq?
  package var previousFence: Seq?

  /// One for each path of the draft, in its order.
  package var links: [(previous: Seq?, previousMention: Seq?)]

  package init(
    store: Seq?,
    cause: Seq?,
    previousFence: Seq?,
    links: [(previous: Seq?, previousMention: Seq?)]
  ) {
    self.store = store
    self.cause = cause
    self.previousFence = previousFence
    self.links = links
  }
}

extension Draft {
  /// Writes the entry that this draft becomes at its place, and returns its bytes.
  package func encoded(at place: Placement, into writer: inout CBORWriter) {
    precondition(place.links.count == paths.count, "one link a path")
    var count = 3 + (payload.isEmpty ? 0 : 1) + (paths.isEmpty ? 0 : 1)
    if place.store != nil { count += 1 }
    if place.cause != nil { count += 1 }
    if place.previousFence != nil { count += 1 }
    writer.map(count: count)
    writer.unsigned(Entry.Field.kind)
    writer.unsigned(UInt64(kind))
    writer.unsigned(Entry.Field.key)
    writer.byteString(key.bytes)
    writer.field(Entry.Field.store, place.store)
    writer.unsigned(Entry.Field.time)
    writer.integer(time.milliseconds)
    writer.field(Entry.Field.cause, place.cause)
    writer.field(Entry.Field.fence, place.previousFence)
    if !paths.isEmpty {
      writer.unsigned(Entry.Field.paths)
      writer.array(count: paths.count)
      for index in paths.indices {
        writer.link(paths[index].path, paths[index].role, place.links[index])
      }
    }
    if !payload.isEmpty {
      writer.unsigned(Entry.Field.payload)
      writer.encoded(payload)
    }
  }
}

extension CBORWriter {
  fileprivate mutating func field(_ number: UInt64, _ value: Seq?) {
    guard let value else { return }
    unsigned(number)
    unsigned(value.value)
  }
}
