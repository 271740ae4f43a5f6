internal import TidemarkEntries
internal import TidemarkJournalStore

/// A content, which is taken apart at most once.
final class Document {
  let bytes: [UInt8]
  private(set) lazy var rows = Rows(bytes)

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Reads contents, and keeps those that were asked for last: many late replies missed one change.
struct DocumentCache {
  private let reader: JournalReader
  private var kept: [BodyReference: Document] = [:]

  /// What was kept before that; it goes when there is enough again.
  private var before: [BodyReference: Document] = [:]
  private var keptBytes = 0

  /// What is not as its entry says, each content once.
  private(set) var findings: [Finding] = []
  private var faulty: Set<UInt64> = []

  private static let bytesMax = 2 << 20

  init(_ reader: JournalReader) { self.reader = reader }

  /// The content, if it is known whole; one that is gone, or is not what the entry at `seq` says,
  /// is told.
  mutating func document(
    _ body: BodyReference?,
    of seq: Seq?
  ) throws(JournalError) -> Document? {
    guard let body, body.isWhole else { return nil }
    if let known = kept[body] { return known }
    if let known = before[body] {
      keep(known, body)
      return known
    }
    switch try reader.body(body, of: seq) {
    case .kept(let bytes):
      let document = Document(bytes)
      keep(document, body)
      return document
    case .absent: return nil
    case .differs(let finding):
      if faulty.insert(body.id).inserted { findings.append(finding) }
      return nil
    }
  }

  private mutating func keep(_ document: Document, _ body: BodyReference) {
    if keptBytes > DocumentCache.bytesMax {
      (before, kept, keptBytes) = (kept, [:], 0)
    }
    kept[body] = document
    keptBytes += document.bytes.count
  }
}
