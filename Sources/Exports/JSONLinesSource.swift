internal import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkJSON
internal import TidemarkJournalStore

/// Reads what ``JSONLinesExport`` wrote, and judges that nothing is missing and nothing was edited.
///
/// Every byte comes from outside: lengths have limits, no name is followed, and what is read counts
/// only when the trailer at the end agrees with all of it.
struct JSONLinesSource {
  /// What the first line says of the rest.
  struct Header {
    var journal: [UInt8]
    var writer: [UInt8]
    var term: UInt64
    var count: UInt64
    var hasBodies: Bool
  }

  /// A content that goes along.
  struct Body {
    var id: UInt64
    var salt: [UInt8]
    var content: [UInt8]

    /// The entry behind it, which must name it.
    var seq: Seq
    var line: Int
  }

  struct Record {
    var seq: Seq
    var bytes: [UInt8]
    var line: Int
  }

  /// What was handed on of a content whose entry has not come yet.
  private struct Pending {
    var id: UInt64
    var commitment: Digest
  }

  let header: Header

  private var lines: LineReader
  private var hash = SHA256Hash()
  private var range = CompactRange()
  private var pending: [Pending] = []
  private var bodyCount: UInt64 = 0

  /// How many bytes of the file were read.
  var offset: Int { lines.offset }

  /// - Throws: ``JSONLinesError``, or ``InputError`` if the file cannot be read.
  init(_ file: InputFile, lineBytesMax: Int = JSONLines.lineBytesMax) throws {
    lines = LineReader(file, lineBytesMax: lineBytesMax)
    guard let first = try lines.next() else {
      throw JSONLinesError(.inputMalformed, "the file is empty", line: 1)
    }
    header = try Header(ParsedLine(first))
    take(first)
  }

  private mutating func take(_ line: LineReader.Line) {
    hash.update(line.bytes)
    hash.update(UInt8(ascii: "\n"))
  }

  /// Hands on entry after entry, in order, and before each the contents that it is the first to
  /// name; memory holds one of all these.
  ///
  /// - Parameters:
  ///   - body: takes a content.
  ///   - record: takes an entry. Nothing of all this counts until this call returns.
  /// - Returns: the root over all of them, which is the one that the trailer names.
  /// - Throws: what `body` and `record` throw, ``JSONLinesError``, or ``InputError``.
  mutating func read(
    body: (Body) throws -> Void,
    record: (Record) throws -> Void
  ) throws -> Digest {
    while let line = try lines.next() {
      let parsed = try ParsedLine(line)
      if parsed.schema == JSONLines.trailer { return try end(with: parsed) }
      take(line)
      switch parsed.schema {
      case JSONLines.body: try body(try self.body(parsed))
      case EntryJSON.schema: try record(try self.record(parsed))
      default: throw parsed.malformed("\(parsed.schema) is nothing that stands in an export")
      }
    }
    throw JSONLinesError(
      .bundleIncomplete,
      "the trailer is missing: the file was cut",
      line: lines.number + 1
    )
  }

  private mutating func body(_ line: ParsedLine) throws(JSONLinesError) -> Body {
    guard let id = line.object.number("id"), let salt = line.object.bytes("salt"),
      let content = line.object.bytes("content"), salt.count == Limits.saltBytes,
      content.count <= Limits.bodyBytesMax
    else { throw line.malformed("a content has an id, a salt and its bytes in base64") }
    guard pending.count < JSONLinesSource.pendingMax else {
      throw line.malformed("more contents than an entry can name")
    }
    bodyCount += 1
    let next = Seq(range.end + 1)
    let body = Body(id: id, salt: salt, content: content, seq: next, line: line.number)
    pending.append(Pending(id: id, commitment: JSONLinesSource.commitment(body)))
    return body
  }

  /// An entry: it names each content before it, or they do not belong there.
  private mutating func record(_ line: ParsedLine) throws(JSONLinesError) -> Record {
    let expected = Seq(range.end + 1)
    guard let seq = line.object.number("seq"), let bytes = line.object.bytes("raw") else {
      throw line.malformed("an entry has a seq and its bytes in base64, under raw")
    }
    guard seq == expected.value else {
      throw line.incomplete("entry \(seq) comes where entry \(expected) belongs")
    }
    let entry: Entry
    do throws(EntryError) {
      entry = try Entry(bytes, in: 0..<bytes.count, at: expected)
      try entry.checkCanonical()
    } catch { throw line.malformed("entry \(seq) is none: \(error.message)") }
    let named = entry.readableBodies
    for body in pending {
      guard
        let reference = named.first(where: { $0.id == body.id }),
        reference.commitment == body.commitment
      else { throw line.incomplete("content \(body.id) is not what entry \(seq) names") }
    }
    range.append(Tree.leaf(of: entry))
    pending = []
    return Record(seq: expected, bytes: bytes, line: line.number)
  }

  /// As many as fit into the bytes of an entry.
  private static let pendingMax = Entry.bytesMax / Digest.byteCount

  private static func commitment(_ body: Body) -> Digest {
    var hash = SHA256Hash()
    hash.update(body.salt)
    hash.update(body.content)
    return Digest(words: hash.finish())
  }

  private mutating func end(with trailer: ParsedLine) throws -> Digest {
    let root = range.root
    let digest = Digest(words: hash.finish())
    hash = SHA256Hash()
    let count = range.end
    for announced in [header.count, trailer.object.number("count")] where announced != count {
      let other = announced.map { "\($0)" } ?? "nothing"
      throw trailer.incomplete("\(count) entries are there, announced is \(other)")
    }
    guard pending.isEmpty, trailer.object.number("bodies") == bodyCount else {
      throw trailer.incomplete("\(bodyCount) contents are there, the trailer counts others")
    }
    guard trailer.object.text("root") == root.description else {
      throw trailer.incomplete("the entries give another root than the trailer names")
    }
    guard trailer.object.text("digest") == digest.description else {
      throw trailer.incomplete("the lines are not those that were written: their digest differs")
    }
    if let more = try lines.next() {
      throw JSONLinesError(.bundleIncomplete, "something follows the trailer", line: more.number)
    }
    return root
  }
}

extension JSONLinesSource.Header {
  fileprivate init(_ line: ParsedLine) throws(JSONLinesError) {
    let object = line.object
    guard line.schema == JSONLines.header else {
      if line.schema.hasPrefix("tidemark.export/") {
        throw JSONLinesError(.newerFormat, "this build does not read \(line.schema)", line: 1)
      }
      throw line.malformed("the file is no export: it begins with \(line.schema)")
    }
    guard let journal = object.hex("journal"), let writer = object.hex("writer"),
      let term = object.number("term"), let format = object.number("format")
    else { throw line.malformed("the header names no journal") }
    guard format <= UInt64(Libraries.formatVersion) else {
      throw JSONLinesError(.newerFormat, "this build does not read format \(format)", line: 1)
    }
    guard object.isTrue("whole"), let count = object.number("count") else {
      throw line.incomplete("this is a part of a journal; only a whole export can be imported")
    }
    self.init(
      journal: journal,
      writer: writer,
      term: term,
      count: count,
      hasBodies: object.isTrue("bodies")
    )
  }
}

/// A line that names its schema, and what it says.
private struct ParsedLine {
  let object: JSONLine
  let schema: String
  let number: Int

  private static let members = [
    "schema", "journal", "writer", "term", "format", "count", "whole", "bodies", "seq", "raw", "id",
    "salt", "content", "root", "digest",
  ]

  init(_ line: LineReader.Line) throws(JSONLinesError) {
    number = line.number
    guard !line.isTooLong else {
      let message = "more bytes in one line than the longest content takes"
      throw JSONLinesError(.inputMalformed, message, line: line.number)
    }
    do throws(JSONError) {
      object = try JSONLine(line.bytes, members: ParsedLine.members)
    } catch {
      let code: FindingCode = line.isCut ? .bundleIncomplete : .inputMalformed
      let message = line.isCut ? "the file ends within the line" : error.description
      throw JSONLinesError(code, message, line: line.number)
    }
    guard let schema = object.text("schema") else {
      throw JSONLinesError(.inputMalformed, "the line names no schema", line: line.number)
    }
    self.schema = schema
  }

  func malformed(_ message: String) -> JSONLinesError {
    JSONLinesError(.inputMalformed, message, line: number)
  }

  func incomplete(_ message: String) -> JSONLinesError {
    JSONLinesError(.bundleIncomplete, message, line: number)
  }
}
