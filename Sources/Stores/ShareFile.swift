internal import TidemarkEntries
internal import TidemarkHashing

/// One share in the inbox: a file that another process writes and the app reads.
///
/// ```
/// "TDSHARE1"
/// for each item:  length of its head (4 bytes, little-endian), head, content, files
/// length 0, length of the tail (4 bytes), tail: [id, time, count]
/// SHA-256 of all before
/// ```
///
/// Head: `[method, path, lane, label, link, content bytes or null, [[name, media type, bytes],
/// …]]`, deterministic CBOR. The name of the file is the id of the share and `.share`; what is
/// being written has another ending and is nobody's business yet.
enum ShareFile {
  static let magic = Array("TDSHARE1".utf8)
  static let ending = ".share"
  static let partEnding = ".part"

  /// The longest head or tail, in bytes.
  static let headBytesMax = 65_536

  /// The most items and the most bytes of one content.
  static let itemsMax = 10_000
  static let contentBytesMax = 256 << 20

  /// One item: what to do, without its contents, and where those stand.
  struct Item {
    var work: Outbox.Work
    var content: Range<Int>?
    var files: [(name: String, mediaType: String?, bytes: Range<Int>)]
  }

  /// What a share file holds.
  struct Share {
    var id: String
    var time: DeviceTime
    var items: [Item]
  }

  /// Why a file is no share.
  struct Malformed: Error {
    var detail: String

    init(_ detail: String) { self.detail = detail }
  }

  static func length(_ count: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) }
  }

  // MARK: Reading

  /// Reads a share whole: its digest first, so that nothing is taken from half a file.
  static func read(_ file: PlainFile) throws -> Share {
    let end = file.byteCount - Digest.byteCount
    guard end > magic.count else { throw Malformed("it is too short") }
    let digest = try digest(of: file, through: end)
    guard try file.read(Digest.byteCount, at: end) == digest.bytes else {
      throw Malformed("its digest is another one: it was cut or changed")
    }
    guard try file.read(magic.count, at: 0) == magic else {
      throw Malformed("it does not begin like a share")
    }
    var walk = Walk(file: file, offset: magic.count, end: end)
    var items: [Item] = []
    while let head = try walk.head() {
      guard items.count < itemsMax else { throw Malformed("more than \(itemsMax) items") }
      items.append(try item(head, &walk))
    }
    return try share(try walk.tail(), items)
  }

  /// SHA-256 of the bytes before `end`.
  static func digest(of file: PlainFile, through end: Int) throws(Platform.Failure) -> Digest {
    var hash = SHA256Hash()
    var offset = 0
    while offset < end {
      let part = try file.read(min(1 << 20, end - offset), at: offset)
      guard !part.isEmpty else { break }
      hash.update(part)
      offset += part.count
    }
    return Digest(words: hash.finish())
  }

  private static func item(_ head: [UInt8], _ walk: inout Walk) throws -> Item {
    var reader = CBORReader(head)
    guard try reader.array() == 7 else { throw Malformed("an item has seven parts") }
    let method = try reader.string()
    guard Outbox.Work.isMethod(method) else { throw Malformed(Outbox.Work.noMethod) }
    let path = try Path(try reader.string())
    var work = Outbox.Work(method, path)
    work.lane = try reader.optionalString()
    work.label = try reader.optionalString()
    work.link = try reader.optionalString()
    var content: Range<Int>?
    if !reader.takeNull() { content = try walk.take(try reader.unsigned()) }
    var files: [(name: String, mediaType: String?, bytes: Range<Int>)] = []
    for _ in 0..<(try reader.array()) {
      guard try reader.array() == 3 else { throw Malformed("a file has three parts") }
      let name = try reader.string()
      let mediaType = try reader.optionalString()
      files.append((name, mediaType, try walk.take(try reader.unsigned())))
    }
    guard reader.isAtEnd else { throw Malformed("bytes behind an item") }
    return Item(work: work, content: content, files: files)
  }

  private static func share(_ tail: [UInt8], _ items: [Item]) throws -> Share {
    var reader = CBORReader(tail)
    guard try reader.array() == 3 else { throw Malformed("a tail has three parts") }
    let share = Share(
      id: try reader.string(),
      time: DeviceTime(milliseconds: try reader.integer()),
      items: items
    )
    guard try reader.unsigned() == UInt64(items.count), reader.isAtEnd, !share.id.isEmpty else {
      throw Malformed("its tail does not fit its items")
    }
    return share
  }

  /// Goes through a file whose digest was compared.
  private struct Walk {
    let file: PlainFile
    var offset: Int
    let end: Int

    private mutating func length() throws -> Int {
      let bytes = try file.read(4, at: offset)
      guard bytes.count == 4, offset + 4 <= end else { throw Malformed("it is cut") }
      offset += 4
      let length = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
      guard length <= headBytesMax else { throw Malformed("a head is too long") }
      return length
    }

    private mutating func part(_ length: Int) throws -> [UInt8] {
      guard offset + length <= end else { throw Malformed("it is cut") }
      defer { offset += length }
      return try file.read(length, at: offset)
    }

    mutating func head() throws -> [UInt8]? {
      let length = try length()
      return length == 0 ? nil : try part(length)
    }

    mutating func tail() throws -> [UInt8] {
      let tail = try part(try length())
      guard offset == end else { throw Malformed("bytes behind the tail") }
      return tail
    }

    mutating func take(_ count: UInt64) throws -> Range<Int> {
      guard count <= UInt64(contentBytesMax), count <= UInt64(end - offset) else {
        throw Malformed("a content is longer than the file")
      }
      defer { offset += Int(count) }
      return offset..<(offset + Int(count))
    }
  }
}

extension CBORReader {
  fileprivate mutating func optionalString() throws(EntryError) -> String? {
    takeNull() ? nil : try string()
  }
}

extension CBORWriter {
  mutating func optionalText(_ value: String?) {
    if let value { text(value) } else { null() }
  }
}
