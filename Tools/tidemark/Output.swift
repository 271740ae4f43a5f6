import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore

/// How data is written.
enum Format: String, CaseIterable, Sendable {
  case text, table, json, jsonl

  var isJSON: Bool { self == .json || self == .jsonl }
}

/// Where a verb says everything: data to standard output or to a file, the rest to standard error.
///
/// Calls that write data throw when nobody reads any more or the disk is full; a verb lets that
/// pass through.
struct Output: ~Copyable {
  let format: Format

  private var data: ByteSink
  private var json: JSONWriter
  private var messages: Messages
  private let file: OutputFile?
  private let isColored: Bool
  private let width: Int?
  private let group: Group
  private var told: Set<String> = []

  /// What shows the whole of what was cut from tables.
  private var whole: String?

  /// What is wrong with contents: there may be one for every entry, so people are told at the end.
  private var ofBodies: (first: Finding, count: Int)?

  /// What the findings that were told make of the exit code.
  private(set) var exit = ExitCode.done

  /// What is done even if it cannot be told any more.
  var accomplished: String?

  /// - Parameters:
  ///   - format: how data is written.
  ///   - file: where to, if not to standard output.
  ///   - group: of the verb.
  ///   - colored: whether data is.
  ///   - width: how many places a line of a table has; any number if none is given.
  ///   - messages: where the rest is said.
  init(
    _ format: Format,
    to file: OutputFile?,
    of group: Group,
    colored: Bool,
    width: Int? = nil,
    messages: Messages
  ) {
    self.format = format
    self.file = file
    data = ByteSink(
      file?.descriptor ?? Output.standardOutput,
      name: file == nil ? "standard output" : "the file of --out",
      brokenPipe: group.brokenPipe
    )
    json = JSONWriter(pretty: format == .json)
    isColored = colored
    self.width = width
    self.group = group
    self.messages = messages
  }

  static let standardOutput: Int32 = 1

  /// Whether the data goes to a file: only then may it be content as it is.
  var isFile: Bool { file != nil }

  // Data.

  /// Writes one line of text; whatever is in it, no control character comes out.
  mutating func line(_ line: Line) throws {
    messages.clearProgress()
    try data.append { bytes in
      line.write(to: &bytes, colored: isColored)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Writes a table, with titles under `--format table`; on a terminal as wide as that is.
  mutating func table(_ table: Table) throws {
    let (lines, isCut) = table.lines(titled: format == .table, width: width)
    for line in lines { try self.line(line) }
    if isCut { whole = table.whole }
  }

  /// Writes JSON: the document under `json`, one object a line under `jsonl`.
  ///
  /// A long document may come in several calls; its line ends when its last bracket is closed.
  mutating func json(_ body: (inout JSONWriter) throws -> Void) throws {
    try body(&json)
    messages.clearProgress()
    try data.append { bytes in
      bytes += json.drain()
      if json.isComplete { bytes.append(UInt8(ascii: "\n")) }
    }
  }

  /// Writes bytes as they are: for formats that are safe by themselves, and for files.
  mutating func bytes(_ raw: [UInt8]) throws {
    messages.clearProgress()
    try data.append { $0 += raw }
  }

  /// Writes what is gathered, before the verb waits for more.
  mutating func flush() throws {
    try data.flush()
  }

  // What is said beside it.

  /// Says something that is no error, on standard error; nothing under `--quiet`.
  mutating func note(_ line: Line) {
    messages.note(line)
  }

  /// Says what was found wrong with the journal, each finding once, and remembers its exit code.
  mutating func tell(_ findings: [Finding]) {
    for finding in findings {
      let what = "\(finding.code) \(finding.seq ?? Seq(0)) \(finding.message)"
      guard told.insert(what).inserted else { continue }
      if finding.code == .bodyDiffers, !format.isJSON {
        ofBodies = (ofBodies?.first ?? finding, (ofBodies?.count ?? 0) + 1)
      } else {
        messages.note(finding)
      }
      guard !finding.code.isNote else { continue }
      exit = ExitCode.lowestLayer(of: [exit, group.exit(of: finding.code)])
    }
  }

  /// Tells a finding as it is, and many in one line with the verb that lists them.
  private mutating func tellOfBodies() {
    guard let (first, count) = ofBodies else { return }
    ofBodies = nil
    guard count > 1 else { return messages.note(first) }
    messages.note(
      """
      \(first.code.rawValue, .red) \(first.code.name)  \
      \(Quantity.count(count)) findings: tidemark verify --bodies lists them
      """
    )
  }

  /// Shows how far the work is, if standard error is a terminal.
  mutating func progress(_ done: some BinaryInteger, of all: some BinaryInteger, _ noun: String) {
    messages.progress(done, of: all, noun)
  }

  // The end.

  /// Writes the rest and gives the file its name.
  mutating func finish() throws {
    messages.clearProgress()
    tellOfBodies()
    precondition(json.isComplete, "a verb closes what it opens")
    do {
      try data.flush()
    } catch {
      file?.discard()
      throw error
    }
    if let whole { note("note: cut to the width of the terminal; \(whole) has all of it") }
    try file?.commit()
  }

  /// Ends after a failure: what was written to standard output stays and parses, a file does not.
  mutating func abandon() {
    messages.clearProgress()
    tellOfBodies()
    // The failure that led here is told; a second one would hide it.
    if !json.isComplete {
      try? json { $0.endAll() }
    }
    try? data.flush()
    file?.discard()
  }
}
