internal import TidemarkCompression
internal import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkSQLite

/// The rows of `bodies`: content that stands apart from entries, each content once.
///
/// See `Journal/FORMAT.md`, Body.
final class BodyTable {
  private let selection: Statement
  private let insertion: Statement?
  private let decompressor = Decompressor()
  private let compressor = Compressor()
  private(set) var nextID: UInt64

  init(_ database: Database, writable: Bool) throws(SQLiteError) {
    selection = try database.prepare(
      "SELECT salt, codec, base, raw_bytes, content FROM bodies WHERE id = ?"
    )
    insertion =
      writable
      ? try database.prepare(
        """
        INSERT INTO bodies(id, salt, fingerprint, codec, raw_bytes, content)
        VALUES (?, ?, ?, ?, ?, ?)
        """
      ) : nil
    // An id that no writer gives is found by `verify`; it must not keep anybody from reading.
    let last = writable ? try database.integer("SELECT max(id) FROM bodies") : nil
    nextID = UInt64(clamping: last ?? 0) + 1
  }

  /// SHA-256 of the salt and the content.
  static func commitment(salt: [UInt8], _ content: [UInt8]) -> Digest {
    var hash = SHA256Hash()
    hash.update(salt)
    hash.update(content)
    return Digest(words: hash.finish())
  }

  /// A new salt.
  static func salt(_ chance: inout some RandomNumberGenerator) -> [UInt8] {
    // Two draws: asking the system for each byte takes longer than hashing the content.
    let draws = (chance.next().littleEndian, chance.next().littleEndian)
    return withUnsafeBytes(of: draws) { Array($0) }
  }

  func insert(_ body: Staging.Body) throws(SQLiteError) {
    guard let insertion else { preconditionFailure("the journal is open for reading only") }
    let packed = body.packed ?? PackedContent(body.content, compressor)
    insertion.bind(1, Int64(clamping: body.id))
    insertion.bind(2, body.salt)
    insertion.bind(3, Int64(bitPattern: body.fingerprint))
    insertion.bind(4, packed.codec.number)
    insertion.bind(5, Int64(body.content.count))
    insertion.bind(6, packed.stored)
    try insertion.run()
    nextID = max(nextID, body.id + 1)
  }

  /// A body as its row holds it.
  struct Row {
    var salt: [UInt8]
    var content: [UInt8]
  }

  /// What can be said of a body.
  enum Lookup {
    case found(Row)

    /// There is no row, or its content was erased.
    case absent
    case faulty(FindingCode, String)
  }

  /// - Throws: ``SQLiteError``; content that does not unpack is a result, not an error.
  func row(_ id: UInt64) throws(SQLiteError) -> Lookup {
    defer { selection.reset() }
    selection.bind(1, Int64(clamping: id))
    guard try selection.step(), !selection.isNull(0), !selection.isNull(4) else { return .absent }
    let byteCount = Int(selection.integer(3))
    guard (0...Limits.bodyBytesMax).contains(byteCount),
      selection.byteCount(4) <= Limits.bodyBytesMax, selection.byteCount(0) == Limits.saltBytes
    else {
      let stored = "\(selection.byteCount(4)) stored, with a salt of \(selection.byteCount(0))"
      return .faulty(.bodyDiffers, "a body of \(byteCount) bytes, \(stored)")
    }
    let salt = selection.bytes(0)
    switch Codec(number: selection.integer(1)) {
    case _ where !selection.isNull(2):
      return .faulty(.newerFormat, "the body is a difference to body \(selection.integer(2))")
    case .stored:
      let content = selection.bytes(4)
      guard content.count == byteCount else {
        return .faulty(.bodyDiffers, "\(content.count) bytes are stored, \(byteCount) announced")
      }
      return .found(Row(salt: salt, content: content))
    case .zstd:
      do throws(CompressionError) {
        let content = try selection.withBytes(4) { bytes throws(CompressionError) in
          try decompressor.decompress(bytes, byteCount: byteCount)
        }
        return .found(Row(salt: salt, content: content))
      } catch { return .faulty(.bodyDiffers, error.description) }
    case nil:
      return .faulty(.newerFormat, "the body is packed by codec \(selection.integer(1))")
    }
  }
}
