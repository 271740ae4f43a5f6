import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore

/// `tidemark log [JOURNAL] [FIELD=VALUE…]` lists entries in order.
///
/// Adds the exit codes 3 and 4.
struct Log: Command {
  static let name = "log"
  static let summary = "entries in order: listed, filtered, followed"
  static let group = Group.look
  static let details =
    Selection.details + [
      "A cursor names a place in one history of one journal, whatever the filters; with "
        + "--cursor-file each run goes on where the last one ended.",
      "With --follow, --limit is the number of last entries to begin with, unless a cursor says "
        + "where to begin.",
    ]
  static let operands: [Operand] = [.journal, .filters(Selection.fields)]
  static let options: [Option] =
    Selection.options + [
      .limit,
      .flag("--reverse", "the last entry first"),
      .flag("--dates", "a date in every line, not only where the day changes"),
      .follow,
      .value("--after", "CURSOR", "only what stands behind this place"),
      .value("--cursor-file", "PATH", "go on behind the place in this file, and keep it", .files),
      .format(.text, .json, .jsonl),
      .out,
    ]
  static let exits: [ExitCode] = [.done, .partial, .bytes]
  static let examples = [
    Example("tidemark log phone.tidemark -n 20 --reverse", "the last twenty entries"),
    Example("tidemark log phone.tidemark kind=read-refused path=/notes", "what was refused there"),
    Example("tidemark log phone.tidemark --since -2h --format jsonl", "two hours, for a script"),
    Example("tidemark log phone.tidemark -n 20 -f", "the last twenty, and whatever comes"),
    Example("tidemark log phone.tidemark -f --cursor-file at.txt", "whatever comes, once"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    var selection = try Selection.read(input)
    selection.limit = try input.number("--limit") ?? .max
    selection.isReversed = input.has("--reverse")
    try check(input)
    let reader = try input.openJournal(telling: &output)
    // It ends behind a block, with the cursor on what was shown.
    reader.isStopped = { false }
    let cursorFile = input.value("--cursor-file").map { CursorFile($0) }
    let cursor = try start(input, cursorFile)
    if let cursor {
      selection.first = max(selection.first, try reader.seq(of: cursor).next)
    } else if input.has("--follow"), cursorFile == nil, selection.limit < .max {
      selection.first = try Log.first(ofLast: selection, in: reader)
      selection.limit = .max
    }
    var listing = Listing(reader, input, cursorFile)
    if output.format == .json { try output.json { $0.beginDocument() } }
    try listing.run(selection, isFollowing: input.has("--follow"), to: &output)
    if output.format == .json { try output.json { $0.endDocument(imported: listing.isImported) } }
    if listing.count == 0, cursor == nil { try NearNames.tell(selection, in: reader, &output) }
    if listing.hasFenced { try CaptureNote.tell(.refusals, input, &output) }
    return .done
  }

  /// Where the last entries of a selection begin, as many as its limit says.
  private static func first(ofLast selection: EntrySelection, in reader: JournalReader) throws
    -> Seq
  {
    guard selection.limit > 0 else { return max(selection.first, reader.last.next) }
    var reversed = selection
    reversed.isReversed = true
    var first = selection.first
    let done = try reader.forEach(
      of: reversed,
      EntryContext(reader),
      { first = $0.seq },
      batch: { _ in !Interruption.isRequested },
      mapping: { $0 as any Error }
    )
    return done.count < selection.limit ? selection.first : first
  }

  private func check(_ input: Input) throws(Failure) {
    guard input.has("--reverse") else { return }
    for option in ["--follow", "--cursor-file"]
    where option == "--follow" ? input.has(option) : input.value(option) != nil {
      throw Log.misuse("--reverse and \(option) go in opposite directions")
    }
  }

  /// The cursor to begin behind, if one was given or kept.
  private func start(_ input: Input, _ file: CursorFile?) throws(Failure) -> Cursor? {
    guard let text = input.value("--after") else { return try file?.read() }
    guard file == nil else {
      throw Log.misuse("--after and --cursor-file both say where to begin")
    }
    guard let cursor = Cursor(text) else {
      throw .usage("--after takes a cursor such as 7f3a9c21:1:4122:b81e44d0, not '\(text)'")
    }
    return cursor
  }
}

extension JSONWriter {
  fileprivate mutating func beginDocument() {
    beginObject()
    field("schema", "tidemark.log/1")
    beginArray("entries")
  }

  fileprivate mutating func endDocument(imported: Bool) {
    endArray()
    field("imported", imported)
    endObject()
  }
}

/// One run of `log`: what it has shown, and up to where.
private struct Listing {
  private let reader: JournalReader
  private let context: EntryContext
  private let cursorFile: CursorFile?
  private var lines: LogLines
  private let json: EntryJSON

  /// How many entries were shown.
  private(set) var count: UInt64 = 0

  /// Whether one of them was made of a capture, and whether one tells what a fence held back.
  private(set) var isImported = false
  private(set) var hasFenced = false

  /// How long to wait before the journal is asked for more.
  private static let pauseMilliseconds: Int32 = 200

  init(_ reader: JournalReader, _ input: Input, _ cursorFile: CursorFile?) {
    self.reader = reader
    context = EntryContext(reader)
    self.cursorFile = cursorFile
    lines = LogLines(context, dates: input.has("--dates"), last: reader.last)
    json = EntryJSON(context)
  }

  mutating func run(
    _ selection: EntrySelection,
    isFollowing: Bool,
    to output: inout Output
  ) throws {
    var rest = selection
    while true {
      let done = try list(rest, to: &output)
      output.tell(done.findings)
      try settle(at: done.through, isReversed: rest.isReversed, output: &output)
      if Interruption.isRequested { throw Failure.interrupted }
      let isOver = done.isEnded || selection.last.map { done.through >= $0 } ?? false
      guard isFollowing, !isOver else { return }
      rest.first = max(rest.first, done.through.next)
      rest.limit -= done.count
      try wait(behind: done.through)
    }
  }

  private mutating func list(
    _ selection: EntrySelection,
    to output: inout Output
  ) throws -> Examination {
    var (lines, isImported, hasFenced) = (self.lines, self.isImported, self.hasFenced)
    defer { (self.lines, self.isImported, self.hasFenced) = (lines, isImported, hasFenced) }
    let done = try reader.forEach(
      of: selection,
      context,
      { entry in
        isImported = isImported || HARImport.wrote(entry)
        hasFenced = hasFenced || CaptureNote.isFenced(entry)
        switch output.format {
        case .text, .table: try output.line(lines.line(of: entry))
        case .json, .jsonl: try output.json { json.write(entry, to: &$0) }
        }
      },
      batch: { _ in !Interruption.isRequested },
      mapping: { $0 }
    )
    count += done.count
    return done
  }

  /// What was shown is on its way before the cursor says so.
  private func settle(at seq: Seq, isReversed: Bool, output: inout Output) throws {
    guard !isReversed else { return }
    try output.flush()
    // What was looked at ends with the journal, whatever was asked for.
    try cursorFile?.write(try reader.cursor(at: min(seq, reader.last)))
  }

  /// Comes back when the journal has more.
  private func wait(behind seq: Seq) throws {
    let cursor = try reader.cursor(at: min(seq, reader.last))
    while try !reader.refresh() {
      if Interruption.isRequested { throw Failure.interrupted }
      System.pause(milliseconds: Listing.pauseMilliseconds)
    }
    // The same history goes on, or somebody put another one in its place.
    _ = try reader.seq(of: cursor)
  }
}

/// The lines of `log`, whose times show the date where the day changes.
private struct LogLines {
  private let text: EntryText
  private let context: EntryContext
  private let showsDates: Bool
  private let seqWidth: Int
  private var lastDay: Substring = ""

  private static let kindWidth = KindRegistry.kinds.map { $0.name.utf8.count }.max() ?? 0

  init(_ context: EntryContext, dates: Bool, last: Seq) {
    text = EntryText(context)
    self.context = context
    showsDates = dates
    seqWidth = last.description.count
  }

  mutating func line(of entry: Entry) -> Line {
    let time = entry.time.description
    let day = entry.time.day
    let shown = showsDates || day != lastDay ? time : entry.time.timeOfDay
    lastDay = day
    let handle = text.handle(of: entry)
    let start: Line = """
      \(padded("", seqWidth - entry.seq.description.count))\(entry.seq)  \
      \(padded("", time.count - shown.count))\(shown)  \
      \(entry.kindName, style(of: entry))
      """
    var line = start
    let detail = text.detail(of: entry)
    guard !handle.isEmpty || detail.width > 0 else { return line }
    line.append(padded("", LogLines.kindWidth - entry.kindName.count) + "  ")
    line.append(detail.width > 0 ? padded(handle, EntryText.handleWidth) + "  " : handle)
    line.append(detail)
    return line
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func style(of entry: Entry) -> Style {
    switch entry.kind {
    case ReadRefused.number, MutationSuppressed.number, KeyConflicted.number: .yellow
    case MutationAnswered.number, GenerationBumped.number, StoreOpened.number, StoreRetired.number:
      .bold
    default: .plain
    }
  }
}
