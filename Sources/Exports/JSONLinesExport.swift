package import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkJSON
package import TidemarkJournalStore

/// Writes entries as JSON Lines: readable, and with their bytes, so that nothing is lost.
///
/// A header, a line an entry, and a trailer with count, root and digest. A content that goes along
/// stands before the first entry that names it. Only a whole export, from the first entry on and
/// without filters, gives a journal with an equal root again; the header says whether it is one.
package struct JSONLinesExport {
  /// What was written.
  package struct Summary: Sendable {
    package var entries: UInt64 = 0
    package var bodies: UInt64 = 0

    /// The root over what was written, if that is the journal from its first entry on.
    package var root: Digest?

    /// What could not be read.
    package var findings: [Finding] = []
  }

  private let reader: JournalReader
  private let context: EntryContext
  private var selection: EntrySelection
  private let withBodies: Bool
  private let end: Seq

  /// Whether a journal with an equal root can be made of it: all entries, or the first so many.
  package let isWhole: Bool

  /// - Throws: ``JournalError`` with code `storage`.
  package init(
    _ reader: JournalReader,
    _ selection: EntrySelection,
    bodies: Bool
  ) throws(JournalError) {
    self.reader = reader
    context = EntryContext(reader)
    self.selection = selection
    withBodies = bodies
    // What is known to lack its end is the whole of nothing, unless its end was asked for.
    let isDamaged = try !reader.findings().allSatisfy(\.code.isNote)
    let isCut = isDamaged && selection.last == nil
    isWhole = selection.first == Seq(1) && selection.isWholeRange && !isCut
    end = min(selection.last ?? reader.last, reader.last)
    self.selection.last = end
  }

  /// Hands on line after line; memory holds one of them, and one block.
  ///
  /// - Parameters:
  ///   - write: takes the bytes of a line.
  ///   - batch: is told now and then up to where entries were written, and whether to go on.
  /// - Returns: what was written.
  /// - Throws: what `write` throws, and ``JournalError``.
  package func run(
    _ write: ([UInt8]) throws -> Void,
    batch: (Seq) throws -> Void
  ) throws -> Summary {
    var lines = LineWriter()
    var summary = Summary()
    var met = NumberSet()
    var range = CompactRange()
    try lines.line(to: write, header)
    let entries = EntryJSON(context)
    let done = try reader.forEach(
      of: selection,
      context,
      { entry in
        if withBodies {
          try writeBodies(of: entry, &met, &summary, &lines, to: write)
        }
        range.append(Tree.leaf(of: entry))
        try lines.line(to: write) { json in
          entries.write(entry, to: &json) { $0.field("raw", Base64Text(entry.bytes)) }
        }
      },
      batch: { seq in
        try batch(seq)
        return true
      },
      mapping: { $0 }
    )
    summary.entries = done.count
    summary.findings += done.findings
    summary.root = isWhole && summary.findings.isEmpty ? range.root : nil
    try lines.end(summary, to: write)
    return summary
  }

  private func header(_ json: inout JSONWriter) {
    json.object { json in
      json.field("schema", JSONLines.header)
      json.field("journal", Hex.encode(reader.identity.journal))
      json.field("writer", Hex.encode(reader.identity.writer))
      json.field("term", reader.identity.term)
      json.field("format", Int(Libraries.formatVersion))
      json.field("from", selection.first)
      json.field("to", end)
      json.field("count", isWhole ? end.value : nil)
      json.field("whole", isWhole)
      json.field("bodies", withBodies)
    }
  }

  private func writeBodies(
    of entry: Entry,
    _ met: inout NumberSet,
    _ summary: inout Summary,
    _ lines: inout LineWriter,
    to write: ([UInt8]) throws -> Void
  ) throws {
    for reference in entry.readableBodies where reference.id > 0 && met.insert(reference.id) {
      let (state, salt) = try reader.saltedBody(reference, of: entry.seq)
      switch state {
      case .absent: continue
      case .differs(let finding): summary.findings.append(finding)
      case .kept(let content):
        summary.bodies += 1
        try lines.line(to: write) { json in
          json.object { json in
            json.field("schema", JSONLines.body)
            json.field("id", reference.id)
            json.field("salt", Base64Text(salt))
            json.field("content", Base64Text(content))
          }
        }
      }
    }
  }
}

/// Makes lines, and the digest over them.
private struct LineWriter {
  private var json = JSONWriter(pretty: false)
  private var hash = SHA256Hash()

  mutating func line(
    to write: ([UInt8]) throws -> Void,
    _ body: (inout JSONWriter) -> Void
  ) throws {
    body(&json)
    let line = json.drain() + [UInt8(ascii: "\n")]
    hash.update(line)
    try write(line)
  }

  /// Writes the trailer, which names all that stands before it.
  consuming func end(
    _ summary: JSONLinesExport.Summary,
    to write: ([UInt8]) throws -> Void
  ) throws {
    let digest = Digest(words: hash.finish())
    var json = json
    json.object { json in
      json.field("schema", JSONLines.trailer)
      json.field("count", summary.entries)
      json.field("bodies", summary.bodies)
      json.field("root", summary.root?.description)
      json.field("digest", digest.description)
    }
    try write(json.drain() + [UInt8(ascii: "\n")])
  }
}
