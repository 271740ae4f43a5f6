import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore
import TidemarkProjections

/// `tidemark info [JOURNAL] [--header]` tells what a file is.
///
/// Adds the exit code 4.
struct Info: Command {
  static let name = "info"
  static let summary = "what this file is, and how it stands"
  static let group = Group.look
  static let details = [
    "Reads the index, and of the entries only those that it does not hold yet. The sizes take a "
      + "look at every row, and at every entry if no contents are kept; --header leaves them out, "
      + "and takes the same time for any journal.",
    "The anchor beside the journal names the last head that was acknowledged. If it is ahead, the "
      + "journal has lost its tail.",
    "Derived is what an app keeps of the journal to be quick, in JOURNAL-projections. What is "
      + "missing or damaged there, of another version or behind, it makes anew or folds on when it "
      + "opens: that is no finding. `tidemark rebuild` says whether the rest is right.",
  ]
  static let operands: [Operand] = [.journal]
  static let options: [Option] = [
    .flag("--header", "leave out the sizes"), .format(.text, .json), .out,
  ]
  static let exits: [ExitCode] = [.done, .bytes]
  static let examples = [
    Example("tidemark info phone.tidemark", "identity, sizes, head, scopes"),
    Example("tidemark info phone.tidemark --header --format json", "the same for a script"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let facts = try JournalFacts(
      input.reader(),
      at: input.journalPath,
      withSizes: !input.has("--header")
    )
    switch output.format {
    case .json, .jsonl: try output.json { facts.write(to: &$0) }
    case .text, .table: for line in facts.lines { try output.line(line) }
    }
    output.tell(facts.findings)
    return FindingText.exit(facts.findings.map(\.code))
  }
}

/// What `info` says of a journal.
private struct JournalFacts {
  struct Scope {
    var head: JournalReader.StoreHead
    var generation: UInt64?
    var isRetired: Bool
  }

  let reader: JournalReader
  let sizes: JournalReader.Inventory?
  let head: JournalReader.StoredHead?
  let standing: Anchor.Standing
  let scopes: [Scope]
  let setAside: [JournalReader.SetAside]
  let findings: [Finding]
  let projections: [FoundProjection]

  /// How many contents entries name, if none is kept: a copy may have come without them.
  let namedBodies: Int?

  let last: Seq
  let times: (first: DeviceTime, last: DeviceTime)?

  init(_ reader: JournalReader, at path: String, withSizes: Bool) throws {
    self.reader = reader
    projections = try FoundProjection.all(beside: path, reader, withRows: withSizes)
    sizes = withSizes ? try reader.inventory() : nil
    namedBodies = sizes?.bodies == 0 ? try JournalFacts.namedBodies(reader) : nil
    head = try reader.head()
    standing = try reader.anchorStanding()
    setAside = try reader.setAside()
    let context = EntryContext(reader)
    var newest: [TidemarkEntries.Scope: JournalReader.StoreHead] = [:]
    for head in try reader.stores() { newest[head.scope] = head }
    scopes = newest.values.sorted { $0.opening < $1.opening }.map {
      JournalFacts.scope($0, context)
    }
    last = reader.last
    if let first = context.entry(at: Seq(1)), let last = context.entry(at: last) {
      times = (first.time, last.time)
    } else {
      times = nil
    }
    findings = try reader.findings()
  }

  private static func namedBodies(_ reader: JournalReader) throws(JournalError) -> Int {
    var ids: Set<UInt64> = []
    try reader.forEach { (entry) throws(JournalError) in
      for body in entry.readableBodies where body.id > 0 { ids.insert(body.id) }
      return true
    } mapping: {
      $0
    }
    return ids.count
  }

  /// The generation is told by the last bump: a few steps back along the fences.
  private static func scope(_ head: JournalReader.StoreHead, _ context: EntryContext) -> Scope {
    var fence = context.entry(at: head.lastFence)
    let isRetired = fence?.kind == StoreRetired.number
    while let entry = fence {
      if let bumped = entry.decoded(GenerationBumped.self) {
        return Scope(head: head, generation: bumped.to, isRetired: isRetired)
      }
      if entry.kind == StoreOpened.number {
        return Scope(head: head, generation: 0, isRetired: isRetired)
      }
      fence = entry.previousFence.flatMap { context.entry(at: $0) }
    }
    return Scope(head: head, generation: nil, isRetired: isRetired)
  }

  /// Whether nothing waits in the write-ahead log: the last writer has closed the journal.
  var isClosed: Bool { reader.logBytes == 0 }
}

extension Anchor.Standing {
  fileprivate var meaning: String {
    switch self {
    case .equal: "acknowledged"
    case .behind: "the anchor is behind, nothing is lost"
    case .missing: "no anchor"
    case .ahead: "the anchor is ahead: the tail is lost"
    case .foreign: "the anchor is another journal's"
    case .diverged: "the anchor names another history"
    }
  }
}

extension ProjectionsFile.Loaded {
  fileprivate var word: String {
    switch self {
    case .whole: "whole"
    case .missing: "missing"
    case .outdated: "outdated"
    case .damaged: "damaged"
    }
  }
}

// For people.

extension JournalFacts {
  var lines: [Line] {
    [identityLine, entriesLine] + scopeLines + sizeLines + [headLine, closedLine] + setAsideLines
      + projectionLines + [libraryLine]
  }

  private func line(_ title: String, _ text: String) -> Line {
    "\(title + String(repeating: " ", count: 10 - title.count), .bold)\(text)"
  }

  private var identityLine: Line {
    let identity = reader.identity
    return line(
      "journal",
      "\(Hex.encode(identity.journal))  writer \(Hex.encode(identity.writer))  "
        + "term \(identity.term)  format \(Libraries.formatVersion)"
    )
  }

  private var entriesLine: Line {
    let range = last.value == 0 ? "" : "  seq 1–\(last)"
    let span = times.map { "  \($0.first) to \($0.last) (device time)" } ?? ""
    return line("entries", Quantity.count(last.value) + range + span)
  }

  private var scopeLines: [Line] {
    guard !scopes.isEmpty else { return [line("scopes", "0")] }
    return scopes.enumerated().map { index, scope in
      let title = index == 0 ? "scopes" : ""
      let count = index == 0 ? Quantity.count(scopes.count) : ""
      let width = Quantity.count(scopes.count).count
      let generation = scope.generation.map { "  generation \($0)" } ?? ""
      return line(
        title,
        count + String(repeating: " ", count: width - count.count)
          + "  \(scope.head.scope)\(generation)  opened at \(scope.head.opening)"
          + (scope.isRetired ? "  retired at \(scope.head.lastFence)" : "")
      )
    }
  }

  private var sizeLines: [Line] {
    let file = "\(Quantity.bytes(reader.fileBytes)) of file"
    guard let sizes else { return [line("size", file)] }
    let named = namedBodies.map { $0 > 0 ? " of \(Quantity.count($0))" : "" } ?? ""
    return [
      line(
        "size",
        "\(file)  \(Quantity.bytes(sizes.blockBytes)) in "
          + "\(Quantity.count(sizes.blocks, "block", "blocks")) of entries "
          + "(\(Quantity.bytes(sizes.rawBlockBytes)) unpacked)"
      ),
      line(
        "bodies",
        "\(Quantity.count(sizes.bodies))\(named)  \(Quantity.bytes(sizes.bodyBytes)) "
          + "(\(Quantity.bytes(sizes.rawBodyBytes)) unpacked)"
      ),
    ]
  }

  private var headLine: Line {
    guard let head else {
      let finding = findings.first
      let seq = finding?.seq.map { " at \($0)" } ?? ""
      return line("head", "none: \(finding?.code.name ?? "damaged")\(seq)")
    }
    return line("head", "\(head.size)  root \(head.root)  \(standing.meaning)")
  }

  private var closedLine: Line {
    guard !isClosed else { return line("closed", "yes") }
    let log = Quantity.bytes(reader.logBytes)
    return line("closed", "no: a writer has it, or ended without closing it (\(log) of log)")
  }

  private var setAsideLines: [Line] {
    setAside.map { row in
      line(
        "aside",
        """
        \(row.reason)  from seq \(row.block.first)  \
        \(Quantity.bytes(UInt64(row.block.frames.count))), never acknowledged
        """
      )
    }
  }

  private var projectionLines: [Line] {
    guard projections.contains(where: { $0.loaded != .missing }) else {
      return [line("derived", "nothing is kept beside it")]
    }
    let width = projections.map(\.name.count).max() ?? 0
    return projections.enumerated().map { index, found in
      let name = found.name + String(repeating: " ", count: width - found.name.count)
      let version = found.version.map { "  version \($0)" } ?? ""
      return line(index == 0 ? "derived" : "", "\(name)\(version)  \(state(of: found))")
    }
  }

  private func state(of found: FoundProjection) -> String {
    switch found.loaded {
    case .whole(let standing):
      let behind = last.value - standing.position.value
      return "up to \(standing.position)"
        + (behind > 0 ? ", behind by \(Quantity.count(behind, "entry", "entries"))" : "")
    case .missing: return "missing"
    case .outdated: return "outdated: another version made it"
    case .damaged(let reason): return "damaged: \(reason)"
    }
  }

  private var libraryLine: Line {
    let hint =
      Libraries.mayBreakLogs ? " (before 3.51.3: one connection at a time may write)" : ""
    return line(
      "library",
      "SQLite \(Libraries.sqlite)\(hint)  zstd \(Libraries.zstd)  \(Libraries.crypto)"
    )
  }
}

// For scripts.

extension JournalFacts {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.info/1")
      json.field("journal", Hex.encode(reader.identity.journal))
      json.field("writer", Hex.encode(reader.identity.writer))
      json.field("term", reader.identity.term)
      json.field("format", Int(Libraries.formatVersion))
      json.field("entries", last.value)
      json.field("firstTime", times?.first)
      json.field("lastTime", times?.last)
      json.field("root", head?.root.description)
      writeAnchor(to: &json)
      json.field("closed", isClosed)
      writeScopes(to: &json)
      json.field("fileBytes", reader.fileBytes)
      json.field("logBytes", reader.logBytes)
      writeSizes(to: &json)
      json.array("setAside") { json in
        for row in setAside {
          json.object { json in
            json.field("first", row.block.first)
            json.field("reason", row.reason)
            json.field("bytes", row.block.frames.count)
          }
        }
      }
      writeProjections(to: &json)
      json.array("findings") { json in
        for finding in findings { json.object { FindingText.write(finding, to: &$0) } }
      }
      json.object("libraries") { json in
        json.field("sqlite", Libraries.sqlite)
        json.field("zstd", Libraries.zstd)
        json.field("crypto", Libraries.crypto)
      }
    }
  }

  private func writeAnchor(to json: inout JSONWriter) {
    json.object("anchor") { json in
      json.field("standing", standing.rawValue)
      json.field("entries", reader.anchor?.size)
      json.field("root", reader.anchor?.root.description)
    }
  }

  private func writeProjections(to json: inout JSONWriter) {
    json.array("projections") { json in
      for found in projections {
        json.object { json in
          json.field("name", found.name)
          json.field("version", found.version)
          json.field("state", found.loaded.word)
          json.field("position", found.position)
          json.field("behind", found.position.map { last.value - $0.value })
        }
      }
    }
  }

  private func writeScopes(to json: inout JSONWriter) {
    json.array("scopes") { json in
      for scope in scopes {
        json.object { json in
          json.field("scope", scope.head.scope.address)
          json.field("account", scope.head.scope.account)
          json.field("store", scope.head.opening)
          json.field("generation", scope.generation)
          json.field("retired", scope.isRetired ? scope.head.lastFence : nil)
        }
      }
    }
  }

  private func writeSizes(to json: inout JSONWriter) {
    guard let sizes else { return }
    json.object("sizes") { json in
      json.field("blocks", sizes.blocks)
      json.field("blockBytes", sizes.blockBytes)
      json.field("rawBlockBytes", sizes.rawBlockBytes)
      json.field("bodies", sizes.bodies)
      json.field("bodyBytes", sizes.bodyBytes)
      json.field("rawBodyBytes", sizes.rawBodyBytes)
    }
  }
}
