import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore

/// What is said beside the data, on standard error: notes, progress, and why a verb failed.
struct Messages {
  private let isQuiet: Bool
  private let showsProgress: Bool
  private let isColored: Bool
  private let isJSON: Bool

  private let descriptor: Int32

  private var progressIsShown = false
  private var nextProgress: Int64 = 0

  static let standardError: Int32 = 2

  /// Milliseconds between two steps of the progress.
  private static let progressPause: Int64 = 100

  init(
    quiet: Bool = false,
    progress: Bool = true,
    colored: Bool,
    json: Bool,
    to descriptor: Int32 = Messages.standardError
  ) {
    self.descriptor = descriptor
    isQuiet = quiet
    showsProgress = progress && !quiet && System.isTerminal(descriptor)
    isColored = colored
    isJSON = json
  }

  /// Says something that is no error; nothing under `--quiet`.
  mutating func note(_ line: Line) {
    guard !isQuiet else { return }
    write([line])
  }

  /// Says what was found wrong; under `json` and `jsonl` as one object a line.
  mutating func note(_ finding: Finding) {
    guard !isQuiet else { return }
    guard isJSON else { return write(FindingText.lines(of: finding)) }
    var json = JSONWriter(pretty: false)
    json.object { FindingText.writeLine(finding, to: &$0) }
    write(json.drain() + [UInt8(ascii: "\n")])
  }

  /// Shows how far the work is, on a terminal, now and then.
  mutating func progress(_ done: some BinaryInteger, of all: some BinaryInteger, _ noun: String) {
    guard showsProgress else { return }
    let now = System.steadyMilliseconds
    guard now >= nextProgress else { return }
    nextProgress = now + Messages.progressPause
    write(Array("\(Quantity.count(done)) of \(Quantity.count(all)) \(noun)".utf8))
    progressIsShown = true
  }

  /// Takes the progress off the screen.
  mutating func clearProgress() {
    if progressIsShown { write([UInt8]()) }
  }

  /// Says why the verb failed.
  ///
  /// Under `json` and `jsonl` it is the last line, one object.
  mutating func fail(_ failure: Failure) {
    if isJSON { return write(Messages.object(of: failure)) }
    let message: Line = "\("tidemark:", .red) \(failure.message)\(Messages.suffix(of: failure))"
    write([message] + (failure.advice.map { [Line($0)] } ?? []))
  }

  private static func suffix(of failure: Failure) -> String {
    let place = failure.seq.map { " at entry \(Quantity.count($0.value))" } ?? ""
    let isFinding = failure.code.first == "J"
    return isFinding ? "\(place) (\(failure.code))" : place
  }

  private static func object(of failure: Failure) -> [UInt8] {
    var json = JSONWriter(pretty: false)
    json.object { json in
      json.field("schema", "tidemark.error/1")
      json.field("code", failure.code)
      json.field("exit", failure.exit.rawValue)
      json.field("message", failure.message)
      json.field("seq", failure.seq)
    }
    return json.drain() + [UInt8(ascii: "\n")]
  }

  private mutating func write(_ lines: [Line]) {
    var bytes: [UInt8] = []
    for line in lines {
      line.write(to: &bytes, colored: isColored)
      bytes.append(UInt8(ascii: "\n"))
    }
    write(bytes)
  }

  // What cannot be said is not said: there is no other place to say it.
  private mutating func write(_ bytes: [UInt8]) {
    let start: [UInt8] = progressIsShown ? Array("\r\u{1b}[K".utf8) : []
    progressIsShown = false
    try? System.write(start + bytes, to: descriptor)
  }
}
