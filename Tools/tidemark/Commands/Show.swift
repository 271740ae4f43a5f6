import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark show [JOURNAL] SEQ|KEY` shows one entry whole.
///
/// Adds the exit codes 3 and 4.
struct Show: Command {
  static let name = "show"
  static let summary = "one entry whole: fields, leaf, block, what rests on what"
  static let group = Group.look
  static let details = [
    "An entry is found by any name that is printed of it: its seq (4122 or #4122), its key, its "
      + "ticket, a cursor, its leaf, the commitment of a content. The beginning of a key or of a "
      + "digest will do, also with its … behind it, if it names one entry. A number is a seq; a "
      + "key that is one can be written as 0x and hexadecimal digits.",
    "Contents are shown with --bodies, escaped and cut; a file of --out gets all of their bytes.",
    "What rests on the entry is looked for in the \(Quantity.count(EntryPage.aheadMax)) entries "
      + "behind it.",
  ]
  static let operands: [Operand] = [.journal, .required("SEQ|KEY")]
  static let options: [Option] = [
    .flag("--bodies", "show contents"), .flag("--hex", "show the bytes of the entry"),
    .format(.text, .json), .out,
  ]
  static let exits: [ExitCode] = [.done, .partial, .bytes]
  static let examples = [
    Example("tidemark show phone.tidemark 4122", "an entry by its seq"),
    Example("tidemark show phone.tidemark 3.7.211", "the begin of a read by its ticket"),
    Example(
      "tidemark show phone.tidemark m-88 --bodies",
      "an entry by its key, with what was sent"
    ),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let reader = try input.openJournal(telling: &output)
    guard let entry = try Show.entry(of: input.operands[0], in: reader, telling: &output) else {
      return .partial
    }
    let page = try EntryPage(entry, reader)
    switch output.format {
    case .json, .jsonl: try page.writeJSON(bodies: input.has("--bodies"), to: &output)
    case .text, .table:
      try page.write(bodies: input.has("--bodies"), hex: input.has("--hex"), to: &output)
    }
    if page.isFenced { try CaptureNote.tell(.refusals, input, &output) }
    output.tell(page.findings)
    return .done
  }

  /// The entry that a word names; nothing if it is lost, which is told.
  static func entry(
    of word: String,
    in reader: JournalReader,
    telling output: inout Output
  ) throws -> Entry? {
    do { return try EntryName.entry(word, in: reader) } catch let error as JournalError {
      guard error.code == .damaged, let code = error.finding else { throw error }
      output.tell([Finding(code, error.message, at: error.seq)])
      return nil
    }
  }
}

/// One entry with what stands around it.
private struct EntryPage {
  /// An entry that this one names, or that names this one, and as what.
  struct Neighbour {
    var entry: Entry
    var roles: [String]
  }

  /// How many entries behind it are looked at for those that rest on it.
  static let aheadMax: UInt64 = 10_000

  private let entry: Entry
  private let context: EntryContext
  private let text: EntryText
  private let restsOn: [Neighbour]
  private let heldBy: [Neighbour]
  private let examinedThrough: Seq

  /// The contents that it names, each once.
  private let bodies: [BodyReference]

  /// Whether it tells what a fence would have held back from the app of a capture.
  var isFenced: Bool { CaptureNote.isFenced(entry) }

  /// What could not be read on the way.
  let findings: [Finding]

  init(_ entry: Entry, _ reader: JournalReader) throws {
    self.entry = entry
    let context = EntryContext(reader)
    self.context = context
    text = EntryText(context)
    restsOn = EntryPage.targets(of: entry).compactMap { seq, roles in
      context.entry(at: seq).map { Neighbour(entry: $0, roles: roles) }
    }
    examinedThrough = min(reader.last, Seq(entry.seq.value + EntryPage.aheadMax))
    var found: [Neighbour] = []
    findings =
      try reader.overlaps(at: entry.seq)
      + reader.forEach(from: entry.seq.next, through: examinedThrough) {
        (later) throws(JournalError) in
        let roles = EntryPage.targets(of: later).first { $0.seq == entry.seq }?.roles ?? []
        if !roles.isEmpty { found.append(Neighbour(entry: later, roles: roles)) }
        return true
      } mapping: {
        $0
      }
    heldBy = found
    var seen: Set<BodyReference> = []
    bodies = entry.readableBodies.filter { seen.insert($0).inserted }
  }

  /// The entries that `entry` names, each once, in order.
  private static func targets(of entry: Entry) -> [(seq: Seq, roles: [String])] {
    var roles: [Seq: [String]] = [:]
    if let cause = entry.cause { roles[cause, default: []].append("cause") }
    for (field, seq) in entry.references where seq != entry.seq {
      roles[seq, default: []].append(field)
    }
    return roles.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

// For people.

extension EntryPage {
  func write(bodies: Bool, hex: Bool, to output: inout Output) throws {
    for line in head + paths + reasons { try output.line(line) }
    try output.line(titled("fields", EntryJSON(context).fields(of: entry)))
    for line in neighbours("rests on", restsOn) { try output.line(line) }
    for line in neighbours("held by", heldBy) { try output.line(line) }
    if examinedThrough < context.reader.last {
      try output.line(titled("", "looked at up to \(examinedThrough)"))
    }
    try output.line(titled("block", try block))
    let contents = BodyText(context.reader)
    for body in self.bodies {
      try output.line(titled("body", summary(of: body)))
      guard bodies else { continue }
      try contents.write(body, of: entry.seq, margin: "          ", to: &output)
    }
    if hex {
      try output.line(titled("bytes", Quantity.bytes(UInt64(entry.bytes.count))))
      for line in BodyText.hexLines(of: entry.bytes, margin: "          ") { try output.line(line) }
    }
  }

  private func titled(_ title: String, _ text: String) -> Line {
    "\(title + String(repeating: " ", count: 10 - title.count), .bold)\(text)"
  }

  private var head: [Line] {
    let scope = context.scope(of: entry)
    let store = entry.store.map { "\(scope?.description ?? "unknown")  store \($0)" }
    let ticket = context.ticket(of: entry)?.description
    return [
      titled("entry", "\(entry.seq)  \(entry.kindName)  key \(entry.key)"),
      titled("leaf", Tree.leaf(of: entry).description),
      titled("time", "\(entry.time) (device time)"),
      titled("scope", store ?? "none: an entry of the journal itself"),
    ] + (ticket.map { [titled("ticket", $0)] } ?? [])
  }

  private var paths: [Line] {
    ((try? entry.paths) ?? []).enumerated().map { index, link in
      let previous = link.previous.map { "  begun or written before at \($0)" } ?? ""
      let naming = link.previousMention.map { "  named before at \($0)" } ?? ""
      return titled(
        index == 0 ? "path" : "",
        "\(EntryText.text(of: link.path))  \(link.role)\(previous)\(naming)"
      )
    }
  }

  /// Why it is a refusal, if it is one, in plain words.
  private var reasons: [Line] {
    switch entry.kind {
    case ReadRefused.number, MutationSuppressed.number, MutationFailed.number,
      OutboxInDoubt.number, OutboxParked.number:
      [titled("because", WhyWords(context).of(entry).words)]
    default: []
    }
  }

  private func neighbours(_ title: String, _ neighbours: [Neighbour]) -> [Line] {
    neighbours.enumerated().map { index, neighbour in
      var line = titled(index == 0 ? title : "", "\(neighbour.entry.seq)  ")
      line.append("\(neighbour.entry.kindName)  ")
      line.append(text.detail(of: neighbour.entry))
      line.append("  (\(neighbour.roles.joined(separator: ", ")))", .faint)
      return line
    }
  }

  private var block: String {
    get throws {
      guard let block = try context.reader.block(holding: entry.seq) else { return "none" }
      let codec = block.codec == 0 ? "stored" : block.codec == 1 ? "zstd" : "codec \(block.codec)"
      let bytes = Quantity.bytes(UInt64(block.frames.count))
      let raw = block.codec == 0 ? "" : ", \(Quantity.bytes(UInt64(block.rawBytes))) unpacked"
      return "seq \(block.first)–\(block.last)  \(codec)  \(bytes)\(raw)"
    }
  }

  private func summary(of body: BodyReference) -> String {
    let id = body.id == 0 ? "not kept" : "id \(body.id)"
    let part = body.isWhole ? "" : "  not whole"
    return "\(Quantity.bytes(body.byteCount))  \(id)\(part)  commitment \(body.commitment)"
  }
}

// For scripts.

extension EntryPage {
  func writeJSON(bodies: Bool, to output: inout Output) throws {
    var findings: [Finding] = []
    try output.json { json in
      try json.object { json in
        json.field("schema", "tidemark.show/1")
        EntryJSON(context).write(entry, to: &json, "entry") { json in
          json.field("raw", Base64Text(entry.bytes))
        }
        json.field("imported", HARImport.wrote(entry))
        json.field("leaf", Tree.leaf(of: entry).description)
        try writeBlock(to: &json)
        write(restsOn, "restsOn", to: &json)
        write(heldBy, "heldBy", to: &json)
        json.field("examinedThrough", examinedThrough)
        try json.array("bodies") { json in
          for body in self.bodies {
            findings += try write(body, content: bodies, to: &json)
          }
        }
      }
    }
    output.tell(findings)
  }

  private func writeBlock(to json: inout JSONWriter) throws {
    guard let block = try context.reader.block(holding: entry.seq) else { return }
    json.object("block") { json in
      json.field("first", block.first)
      json.field("last", block.last)
      json.field("codec", Int(block.codec))
      json.field("bytes", block.frames.count)
      json.field("rawBytes", block.rawBytes)
    }
  }

  private func write(_ neighbours: [Neighbour], _ name: String, to json: inout JSONWriter) {
    json.array(name) { json in
      for neighbour in neighbours {
        json.object { json in
          json.field("seq", neighbour.entry.seq)
          json.field("kind", neighbour.entry.kindName)
          json.array("as") { json in for role in neighbour.roles { json.element(role) } }
        }
      }
    }
  }

  private func write(
    _ body: BodyReference,
    content: Bool,
    to json: inout JSONWriter
  ) throws -> [Finding] {
    let state = try context.reader.body(body, of: entry.seq)
    var findings: [Finding] = []
    json.object { json in
      json.field("id", body.id)
      json.field("commitment", body.commitment.description)
      json.field("bytes", body.byteCount)
      json.field("whole", body.isWhole)
      switch state {
      case .absent: json.field("state", "absent")
      case .differs(let found):
        json.field("state", "differs")
        findings = [found]
      case .kept(let bytes):
        json.field("state", "kept")
        if content { json.field("content", Base64Text(bytes)) }
      }
    }
    return findings
  }
}
