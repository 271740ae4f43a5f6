/// Writes the fields of one kind, in ascending order of their numbers.
public struct PayloadWriter {
  private var fields = CBORWriter(capacity: 96)
  private var count = 0
  private var last: UInt64?

  package init() {}

  /// The CBOR map of what was written.
  package var encoded: [UInt8] {
    var map = CBORWriter(capacity: fields.bytes.count + 3)
    map.map(count: count)
    return map.bytes + fields.bytes
  }

  package var isEmpty: Bool { count == 0 }

  private mutating func begin(_ field: UInt64) {
    precondition(last.map { $0 < field } ?? true, "fields are written in ascending order")
    last = field
    count += 1
    fields.unsigned(field)
  }

  package mutating func integer(_ field: UInt64, _ value: UInt64?) {
    guard let value else { return }
    begin(field)
    fields.unsigned(value)
  }

  package mutating func seq(_ field: UInt64, _ value: Seq?) {
    integer(field, value?.value)
  }

  package mutating func time(_ field: UInt64, _ value: DeviceTime?) {
    guard let value else { return }
    begin(field)
    fields.integer(value.milliseconds)
  }

  package mutating func text(_ field: UInt64, _ value: String?) {
    guard let value else { return }
    begin(field)
    fields.text(value)
  }

  package mutating func bytes(_ field: UInt64, _ value: [UInt8]?) {
    guard let value else { return }
    begin(field)
    fields.byteString(value)
  }

  package mutating func digest(_ field: UInt64, _ value: Digest?) {
    bytes(field, value?.bytes)
  }

  package mutating func flag(_ field: UInt64, _ value: Bool) {
    guard value else { return }
    begin(field)
    fields.bool(true)
  }

  package mutating func body(_ field: UInt64, _ value: BodyReference?) {
    guard let value else { return }
    begin(field)
    value.write(to: &fields)
  }

  /// A list; an absent one and an empty one are two things.
  package mutating func list<Item>(
    _ field: UInt64,
    _ items: [Item]?,
    _ write: (Item, inout CBORWriter) -> Void
  ) {
    guard let items else { return }
    begin(field)
    fields.array(count: items.count)
    for item in items { write(item, &fields) }
  }
}

/// Reads the fields of one kind, in ascending order; those it is not asked for are passed over.
public struct PayloadReader {
  private var fields: CBORReader
  private var remaining: Int
  private var next: UInt64?

  /// Reads the map at `range`; an empty range is a payload without fields.
  @usableFromInline
  package init(_ storage: [UInt8], in range: Range<Int>) throws(EntryError) {
    fields = CBORReader(storage, in: range)
    remaining = range.isEmpty ? 0 : try fields.map()
    try advance()
  }

  private mutating func advance() throws(EntryError) {
    guard remaining > 0 else { return next = nil }
    remaining -= 1
    let number = try fields.unsigned()
    if let next, number <= next { throw .notDeterministic("map keys out of order") }
    next = number
  }

  /// Passes what nobody asked for, to the end of the payload.
  ///
  /// - Throws: ``EntryError`` with code `malformed` if it is not deterministic, or goes on behind.
  mutating func finish() throws(EntryError) {
    while next != nil {
      try fields.skip()
      try advance()
    }
    guard fields.isAtEnd else { throw EntryError(.malformed, "bytes behind the payload") }
  }

  /// Whether `field` is there; if so, the reader stands on its value.
  private mutating func find(_ field: UInt64) throws(EntryError) -> Bool {
    while let number = next, number < field {
      try fields.skip()
      try advance()
    }
    return next == field
  }

  private mutating func required<Value>(
    _ field: UInt64,
    _ value: Value?
  ) throws(EntryError) -> Value {
    guard let value else { throw EntryError(.malformed, "field \(field) is missing") }
    return value
  }

  package mutating func optionalInteger(_ field: UInt64) throws(EntryError) -> UInt64? {
    guard try find(field) else { return nil }
    let value = try fields.unsigned()
    try advance()
    return value
  }

  package mutating func integer(_ field: UInt64) throws(EntryError) -> UInt64 {
    try required(field, try optionalInteger(field))
  }

  package mutating func optionalSeq(_ field: UInt64) throws(EntryError) -> Seq? {
    try optionalInteger(field).map { Seq($0) }
  }

  package mutating func seq(_ field: UInt64) throws(EntryError) -> Seq {
    Seq(try integer(field))
  }

  package mutating func optionalTime(_ field: UInt64) throws(EntryError) -> DeviceTime? {
    guard try find(field) else { return nil }
    let value = try fields.integer()
    try advance()
    return DeviceTime(milliseconds: value)
  }

  package mutating func optionalText(_ field: UInt64) throws(EntryError) -> String? {
    guard try find(field) else { return nil }
    let value = try fields.string()
    try advance()
    return value
  }

  package mutating func text(_ field: UInt64) throws(EntryError) -> String {
    try required(field, try optionalText(field))
  }

  /// A text that an earlier shape of the kind does not have, and what was meant then.
  ///
  /// So an old entry is lifted to the shape of today wherever it is read; its bytes stay.
  package mutating func text(
    _ field: UInt64,
    lifted old: String
  ) throws(EntryError) -> String {
    guard StoreRule.entryUpcast.isOn else { return try text(field) }
    return try optionalText(field) ?? old
  }

  /// One of the words that `Word` lists.
  package mutating func word<Word: RawRepresentable<String>>(
    _ field: UInt64
  ) throws(EntryError) -> Word {
    let text = try text(field)
    guard let word = Word(rawValue: text) else {
      throw EntryError(.malformed, "field \(field) is '\(text.prefix(40))', a word unknown here")
    }
    return word
  }

  package mutating func optionalBytes(_ field: UInt64) throws(EntryError) -> [UInt8]? {
    guard try find(field) else { return nil }
    let value = Array(fields.storage[try fields.byteString()])
    try advance()
    return value
  }

  package mutating func bytes(_ field: UInt64) throws(EntryError) -> [UInt8] {
    try required(field, try optionalBytes(field))
  }

  package mutating func optionalDigest(_ field: UInt64) throws(EntryError) -> Digest? {
    guard try find(field) else { return nil }
    let place = try fields.byteString()
    guard place.count == Digest.byteCount else {
      throw EntryError(.malformed, "field \(field) is no digest of \(Digest.byteCount) bytes")
    }
    let value = Digest(fields.storage, at: place.lowerBound)
    try advance()
    return value
  }

  package mutating func digest(_ field: UInt64) throws(EntryError) -> Digest {
    try required(field, try optionalDigest(field))
  }

  package mutating func flag(_ field: UInt64) throws(EntryError) -> Bool {
    guard try find(field) else { return false }
    guard try fields.bool() else { throw EntryError(.malformed, "a false flag is left out") }
    try advance()
    return true
  }

  package mutating func optionalBody(_ field: UInt64) throws(EntryError) -> BodyReference? {
    guard try find(field) else { return nil }
    let storage = fields.storage
    let value = try BodyReference(from: &fields, storage)
    try advance()
    return value
  }

  package mutating func body(_ field: UInt64) throws(EntryError) -> BodyReference {
    try required(field, try optionalBody(field))
  }

  package mutating func optionalList<Item>(
    _ field: UInt64,
    _ read: (inout CBORReader, [UInt8]) throws(EntryError) -> Item
  ) throws(EntryError) -> [Item]? {
    guard try find(field) else { return nil }
    let storage = fields.storage
    var items: [Item] = []
    for _ in 0..<(try fields.array()) { items.append(try read(&fields, storage)) }
    try advance()
    return items
  }

  package mutating func list<Item>(
    _ field: UInt64,
    _ read: (inout CBORReader, [UInt8]) throws(EntryError) -> Item
  ) throws(EntryError) -> [Item] {
    try required(field, try optionalList(field, read))
  }
}
