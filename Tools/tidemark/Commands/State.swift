import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkProjections

/// `tidemark state [JOURNAL] [--at SEQ|TIME|CURSOR]` shows what stood on the device.
///
/// Adds the exit codes 3 and 4.
struct State: Command {
  static let name = "state"
  static let summary = "what stood on the device at any entry or time"
  static let group = Group.time
  static let details = [
    "Copies with the entry that gave them, what was in flight, and the generation of each scope. A "
      + "copy is suspect while the answer to a change could not be written over it.",
    "`--only outbox` shows what waits to be sent, `--only pins` the lists with two writers, "
      + "`--only inbox` what other processes shared.",
  ]
  static let operands: [Operand] = [.journal]
  static let options: [Option] = [
    PointArgument.option,
    .value(
      "--only",
      "STORE",
      "only this store: shelf (if not given), outbox, pins, inbox",
      .oneOf(ProjectionCatalogue.all.map { $0.name })
    ),
    .value("--scope", "ADDRESS", "only this scope"),
    .value("--path", "PATH", "only this path"),
    .flag("--bodies", "show contents"),
    .format(.text, .table, .json),
    .out,
  ]
  static let exits: [ExitCode] = [.done, .partial, .bytes]
  static let examples = [
    Example("tidemark state phone.tidemark --at 4121", "behind entry 4121"),
    Example("tidemark state phone.tidemark --at 2026-05-12T14:03Z --path /notes", "at a time"),
    Example("tidemark state phone.tidemark --only outbox", "what is still to be sent"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let reader = try input.openJournal(telling: &output)
    let seq = try PointArgument.seq(input, in: reader, &output)
    if let store = input.value("--only"), store != Shelf.name {
      for option in ["--path", "--scope"] where input.value(option) != nil {
        throw State.misuse("\(option) is for the shelf, not for --only \(store)")
      }
      guard !input.has("--bodies") else {
        throw State.misuse("--bodies is for the shelf; tidemark show KEY --bodies shows the others")
      }
      return try StatePages.write(store, reader, at: seq, to: &output)
    }
    let path = try input.value("--path").map { text throws(Failure) in try State.path(text) }
    var projector = Projector(Shelf.self)
    try projector.run(reader, through: seq)
    let scope = input.value("--scope").map { (try? Scope($0))?.address ?? $0 }
    let context = EntryContext(reader)
    let page = ShelfPage(ShelfView(projector.state), at: seq, scope: scope, path: path, context)
    switch output.format {
    case .json, .jsonl: try page.writeJSON(bodies: input.has("--bodies"), reader, to: &output)
    case .text, .table: try page.write(bodies: input.has("--bodies"), reader, to: &output)
    }
    if page.isImported { try CaptureNote.tell(.state, input, &output) }
    if page.isEmpty, try !NearNames.tell(scope: scope, in: reader, &output), let path {
      let near = try NearNames.suffix(of: path, in: reader)
      output.note("note: nothing is held of \(EntryText.text(of: path)) at \(seq)\(near)")
    }
    output.tell(projector.findings)
    return .done
  }

  static func path(_ text: String) throws(Failure) -> Path {
    if let bytes = Selection.bytes(ofHex: text) { return Path(canonical: bytes) }
    do throws(EntryError) { return try Path(text) } catch { throw .usage(error.message) }
  }
}

/// The shelf as `state` shows it.
private struct ShelfPage {
  private let stores: [ShelfView.Store]
  private let seq: Seq
  private let context: EntryContext

  init(_ view: ShelfView, at seq: Seq, scope: String?, path: Path?, _ context: EntryContext) {
    self.seq = seq
    self.context = context
    stores = view.stores.filter { store in
      scope.map { [store.scope.address, store.scope.description].contains($0) } ?? true
    }
    .map { store in
      guard let path else { return store }
      var store = store
      store.copies = store.copies.filter { $0.path == path }
      store.reads = store.reads.filter { $0.path == path }
      store.changes = store.changes.filter { $0.path == path }
      return store
    }
  }
}

extension ShelfPage {
  /// Whether there is nothing to show.
  var isEmpty: Bool {
    stores.allSatisfy { $0.copies.isEmpty && $0.reads.isEmpty && $0.changes.isEmpty }
  }

  /// Whether some of it was made of a capture.
  var isImported: Bool { stores.contains(where: isImported) }

  private func isImported(_ store: ShelfView.Store) -> Bool {
    context.isImported(store.opening)
  }
}

// For people.

extension ShelfPage {
  func write(bodies: Bool, _ reader: JournalReader, to output: inout Output) throws {
    if stores.isEmpty { try output.line("shelf at \(seq)  nothing") }
    for store in stores {
      let retired = store.retired.map { "  retired at \($0)" } ?? ""
      try output.line(
        """
        \("shelf at \(seq)", .bold)  \(store.scope)  generation \(store.generation)\(retired)
        """
      )
      if bodies {
        for copy in store.copies {
          try output.table(table(of: [copy]))
          let body = copy.copy.body
          try BodyText(reader).write(body, of: copy.copy.seq, margin: "    ", to: &output)
        }
      } else {
        try output.table(table(of: store.copies))
      }
      for line in open(store) { try output.line(line) }
    }
  }

  private func table(of copies: [ShelfView.Copy]) -> Table {
    var table = Table([
      .yielding("path"), .left("saved"), .left("by"), .right("bytes"), .left("status"),
      .left("revision"), .left("standing"),
    ])
    for copy in copies {
      table.add(
        Line(EntryText.text(of: copy.path)),
        "saved \(copy.copy.saved)",
        "by \(copy.copy.seq)",
        Line(Quantity.bytes(copy.copy.body.byteCount) + (copy.copy.body.isWhole ? "" : "+")),
        "\(copy.copy.status)",
        Line(copy.copy.revision.map { "revision \($0)" } ?? ""),
        standing(copy)
      )
    }
    return table
  }

  private func standing(_ copy: ShelfView.Copy) -> Line {
    if let suspect = copy.suspect { return "\("suspect since \(suspect)", .yellow)" }
    return copy.copy.isImmutable ? "fixed" : ""
  }

  private func open(_ store: ShelfView.Store) -> [Line] {
    store.reads.map { "reading  \($0.ticket)  \(EntryText.text(of: $0.path))" }
      + store.changes.map { "sent     \($0.sent)  \($0.method) \(EntryText.text(of: $0.path))" }
  }
}

// For scripts.

extension ShelfPage {
  func writeJSON(bodies: Bool, _ reader: JournalReader, to output: inout Output) throws {
    try output.json { json in
      json.beginObject()
      json.field("schema", "tidemark.state/1")
      json.field("at", seq)
      json.field("store", Shelf.name)
      json.beginArray("scopes")
    }
    for store in stores {
      try output.json { json in
        json.beginObject()
        json.field("scope", store.scope.address)
        json.field("account", store.scope.account)
        json.field("imported", isImported(store))
        json.field("store", store.opening)
        json.field("generation", store.generation)
        json.field("retired", store.retired)
        json.beginArray("copies")
      }
      for copy in store.copies {
        let content = bodies ? try reader.body(copy.copy.body, of: copy.copy.seq) : nil
        if case .differs(let finding) = content { output.tell([finding]) }
        try output.json { ShelfPage.write(copy, content, to: &$0) }
      }
      try output.json { json in
        json.endArray()
        ShelfPage.writeOpen(store, to: &json)
        json.endObject()
      }
    }
    try output.json { json in
      json.endArray()
      json.endObject()
    }
  }

  private static func write(
    _ copy: ShelfView.Copy,
    _ content: JournalReader.BodyState?,
    to json: inout JSONWriter
  ) {
    json.object { json in
      json.field("path", PathJSON.text(of: copy.path))
      json.field("saved", copy.copy.saved)
      json.field("by", copy.copy.seq)
      copy.copy.body.write(to: &json, "body")
      json.field("status", copy.copy.status)
      json.field("revision", copy.copy.revision.map { String($0) })
      json.field("immutable", copy.copy.isImmutable)
      json.field("suspect", copy.suspect)
      if case .kept(let bytes) = content { json.field("content", Base64Text(bytes)) }
    }
  }

  private static func writeOpen(_ store: ShelfView.Store, to json: inout JSONWriter) {
    json.array("reads") { json in
      for read in store.reads {
        json.object { json in
          json.field("ticket", read.ticket.description)
          json.field("seq", read.ticket.begin)
          json.field("path", PathJSON.text(of: read.path))
        }
      }
    }
    json.array("changes") { json in
      for change in store.changes {
        json.object { json in
          json.field("seq", change.sent)
          json.field("method", change.method)
          json.field("path", PathJSON.text(of: change.path))
        }
      }
    }
  }
}
