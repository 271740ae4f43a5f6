/// One entry as it stands in a journal: its envelope is read, its bytes are kept as they are.
///
/// What this build does not know (a kind, a field) stays in the bytes and is carried along.
/// See `Journal/FORMAT.md`, Entry.
public struct Entry: Sendable {
  /// The bytes that hold the entry, perhaps among others.
  @usableFromInline package let storage: [UInt8]

  /// Where in ``storage`` the entry stands.
  package let range: Range<Int>

  /// Where the entry stands; not part of its bytes.
  public let seq: Seq

  /// The number of the kind; `kindName` is its name if this build knows it.
  public let kind: UInt16

  /// The seq of the `store-opened` entry of its store; none for an entry of the journal itself.
  public let store: Seq?

  /// What the clock of the device said; a label, never an order.
  public let time: DeviceTime

  /// The entry that this one follows from, if it follows from one.
  public let cause: Seq?

  /// The last fence of the store before this entry, if there was one.
  public let previousFence: Seq?

  package let keyRange: Range<Int>
  package let pathsStart: Int
  @usableFromInline package let payloadRange: Range<Int>

  /// The most bytes that one entry may have; its length is written in two bytes.
  public static let bytesMax = 65_535

  /// The most paths that one entry may name.
  public static let pathsMax = 1024

  /// The name of the entry, for good.
  public var key: IdempotencyKey { IdempotencyKey(unchecked: Array(storage[keyRange])) }

  /// The bytes of the entry: its leaf in the tree is made of these.
  public var bytes: ArraySlice<UInt8> { storage[range] }

  /// The name of the kind, or `kind-` and its number if this build does not know it.
  public var kindName: String { KindRegistry.name(of: kind) ?? "kind-\(kind)" }

  /// The paths that the entry names, with their pointers.
  public var paths: [PathLink] {
    get throws(EntryError) {
      guard pathsStart >= 0 else { return [] }
      var reader = CBORReader(storage, in: pathsStart..<range.upperBound)
      var links: [PathLink] = []
      for _ in 0..<(try reader.array()) { links.append(try PathLink(from: &reader, storage)) }
      return links
    }
  }

  /// The first path, still in the bytes of the entry.
  package func firstPathPlace() throws(EntryError) -> PathPlace? {
    guard pathsStart >= 0 else { return nil }
    var reader = CBORReader(storage, in: pathsStart..<range.upperBound)
    guard try reader.array() > 0 else { return nil }
    return try PathPlace(from: &reader)
  }

  /// All paths, still in the bytes of the entry.
  package func forEachPathPlace<Failure: Error>(
    _ body: (PathPlace) throws(Failure) -> Void
  ) throws(Failure) {
    // `init` has read every place once, so what cannot be read here is a mistake of ours.
    guard pathsStart >= 0 else { return }
    var reader = CBORReader(storage, in: pathsStart..<range.upperBound)
    guard let count = try? reader.array() else { preconditionFailure("paths were checked") }
    for _ in 0..<count {
      guard let place = try? PathPlace(from: &reader) else {
        preconditionFailure("paths were checked")
      }
      try body(place)
    }
  }

  /// The entry as `Kind`, or nothing if it is of another kind.
  ///
  /// - Throws: ``EntryError`` with code `malformed` if its payload is not what the kind has.
  @inlinable
  public func decode<Kind: EntryKind>(_ type: Kind.Type = Kind.self) throws(EntryError) -> Kind? {
    guard kind == Kind.number else { return nil }
    var payload = try PayloadReader(storage, in: payloadRange)
    return try Kind(from: &payload)
  }
}

extension Entry {
  /// The numbers of the envelope's fields.
  ///
  /// Those between 6 and 15 are free for later ones.
  enum Field {
    static let kind: UInt64 = 0
    static let key: UInt64 = 1
    static let store: UInt64 = 2
    static let time: UInt64 = 3
    static let cause: UInt64 = 4
    static let fence: UInt64 = 5
    static let paths: UInt64 = 6
    static let payload: UInt64 = 15
  }

  /// Reads the envelope of the entry that takes up `range` of `storage`.
  ///
  /// The payload is left as it is: ``checkCanonical()`` looks into it.
  ///
  /// - Throws: ``EntryError`` with code `malformed` or `limit`.
  package init(_ storage: [UInt8], in range: Range<Int>, at seq: Seq) throws(EntryError) {
    guard range.count <= Entry.bytesMax else {
      throw EntryError(.limit, "an entry has at most \(Entry.bytesMax) bytes")
    }
    var reader = CBORReader(storage, in: range)
    var remaining = try reader.map()
    guard remaining >= 3 else { throw EntryError(.malformed, "kind, key and time are required") }

    guard try reader.unsigned() == Field.kind else { throw .missing("kind") }
    guard let kind = UInt16(exactly: try reader.unsigned()) else {
      throw EntryError(.limit, "a kind is at most 65535")
    }
    guard try reader.unsigned() == Field.key else { throw .missing("key") }
    let key = try reader.byteString()
    guard !key.isEmpty, key.count <= IdempotencyKey.bytesMax else {
      throw EntryError(.limit, "a key has 1 to \(IdempotencyKey.bytesMax) bytes")
    }
    remaining -= 2

    var store: UInt64 = 0
    var time: Int64?
    var cause: UInt64 = 0
    var fence: UInt64 = 0
    var pathsStart = -1
    var payload = range.upperBound..<range.upperBound
    var previousField = Field.key
    while remaining > 0 {
      remaining -= 1
      let field = try reader.unsigned()
      guard field > previousField else { throw .notDeterministic("map keys out of order") }
      previousField = field
      switch field {
      case Field.store: store = try reader.unsigned()
      case Field.time: time = try reader.integer()
      case Field.cause: cause = try reader.unsigned()
      case Field.fence: fence = try reader.unsigned()
      case Field.paths:
        pathsStart = reader.position
        try Entry.checkPaths(&reader, of: seq)
      case Field.payload where remaining == 0:
        // The last field: the frame says where it ends, so it need not be walked to be passed.
        payload = reader.position..<range.upperBound
        reader.position = range.upperBound
      case Field.payload:
        let start = reader.position
        try reader.skip()
        payload = start..<reader.position
      default: try reader.skip()
      }
    }
    guard reader.isAtEnd else { throw EntryError(.malformed, "bytes behind the entry") }
    guard let time else { throw .missing("time") }
    guard max(cause, fence) < seq.value, store <= seq.value else {
      throw EntryError(.malformed, "an entry points at what comes after it")
    }
    self.storage = storage
    self.range = range
    self.seq = seq
    self.kind = kind
    self.store = store == 0 ? nil : Seq(store)
    self.time = DeviceTime(milliseconds: time)
    self.cause = cause == 0 ? nil : Seq(cause)
    previousFence = fence == 0 ? nil : Seq(fence)
    keyRange = key
    self.pathsStart = pathsStart
    payloadRange = payload
  }

  private static func checkPaths(_ reader: inout CBORReader, of seq: Seq) throws(EntryError) {
    let count = try reader.array()
    guard (1...pathsMax).contains(count) else {
      throw EntryError(.limit, "an entry names 1 to \(pathsMax) paths, or leaves the field out")
    }
    for _ in 0..<count {
      let place = try PathPlace(from: &reader)
      // The later of the two pointers. That each goes back is what makes a walk end.
      guard place.previousMention ?? Seq(0) < seq else {
        throw EntryError(.malformed, "a path points at what comes after its entry")
      }
    }
  }

  /// Throws at the first byte of the entry that is not deterministic CBOR.
  ///
  /// What `init` has read of the envelope is; the payload is walked here.
  package func checkCanonical() throws(EntryError) {
    guard !payloadRange.isEmpty else { return }
    var reader = CBORReader(storage, in: payloadRange)
    try reader.skip()
    guard reader.isAtEnd else { throw EntryError(.malformed, "bytes behind the payload") }
    reader.position = payloadRange.lowerBound
    guard try reader.head().major == 5 else { throw .unexpected("a map of fields") }
  }

  /// Throws if the entry is not deterministic CBOR, or not what this build knows of its kind.
  ///
  /// Reading the fields of a kind looks at every byte of them: what this build knows is not walked.
  package func check() throws(EntryError) {
    guard let type = KindRegistry.type(of: kind) else { return try checkCanonical() }
    var payload = try PayloadReader(storage, in: payloadRange)
    try type.check(&payload)
  }
}

extension EntryError {
  fileprivate static func missing(_ field: String) -> EntryError {
    EntryError(.malformed, "the \(field) of the envelope is missing")
  }
}
