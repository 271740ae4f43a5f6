import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore

/// Why a verb ends early: what is said about it, and what the process ends with.
struct Failure: Error {
  var exit: ExitCode

  /// What scripts decide by: the code of a finding, or a word.
  var code: String

  /// What happened, in one sentence that begins with a small letter and has no full stop.
  var message: String

  /// The entry at which it happened.
  var seq: Seq?

  /// What to do next; stands below the message in text.
  var advice: String?

  /// The word of the command line that was not expected.
  var surplus: String?

  /// The command line is wrong.
  static func usage(_ message: String, advice: String? = nil) -> Failure {
    Failure(exit: .usage, code: "usage", message: message, advice: advice)
  }

  /// Reading or writing failed.
  static func files(_ message: String) -> Failure {
    Failure(exit: .failure, code: "files", message: message)
  }

  /// The input is not what the verb reads, and nothing came of it.
  static func input(_ message: String, advice: String?) -> Failure {
    Failure(
      exit: .failure,
      code: "input",
      message: "\(message); nothing was written",
      advice: advice
    )
  }

  /// SIGINT or SIGTERM came, and the work so far is kept.
  static let interrupted = Failure(
    exit: .interrupted,
    code: "interrupted",
    message: "stopped by a signal"
  )
}

extension Failure {
  init(_ finding: FindingCode, _ message: String, at seq: Seq? = nil) {
    self.init(
      exit: ExitCode(finding),
      code: finding.rawValue,
      message: message,
      seq: seq,
      advice: finding.remedy
    )
  }

  /// Maps whatever was thrown: the one place that knows the errors of the libraries.
  init(mapping error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as JournalError: self.init(error)
    case let error as HARImport.Failure: self.init(error)
    case let error as HARError: self.init(error)
    case let error as JSONLinesError: self.init(error)
    case let error as InputError: self = .files(error.description)
    case let error as System.CallError: self = .files(error.description)
    case let error as EntryError: self.init(exit: .failure, code: "entry", message: "\(error)")
    default: self.init(exit: .failure, code: "fault", message: "\(error)")
    }
  }
}

extension Failure {
  fileprivate init(_ error: JournalError) {
    self.init(
      exit: error.finding.map { ExitCode($0) } ?? ExitCode(error.code),
      code: error.finding?.rawValue ?? error.code.rawValue,
      message: error.message,
      seq: error.seq,
      advice: error.finding?.remedy
    )
  }
}

extension Failure {
  fileprivate init(_ error: HARImport.Failure) {
    switch error {
    case .capture(let error): self.init(error)
    case .journal(let error): self.init(error)
    case .otherPolicy: self = .usage(error.description)
    }
  }

  fileprivate init(_ error: HARError) {
    switch error {
    case .unreadable, .changed: self = .files(error.description)
    case .notACapture: self = .input(error.description, advice: nil)
    }
  }
}

extension Failure {
  // An export is taken whole or not at all.
  fileprivate init(_ error: JSONLinesError) {
    switch error.code {
    case .inputMalformed:
      self = .input(error.description, advice: FindingCode.bundleIncomplete.remedy)
    default: self.init(error.code, error.description)
    }
  }
}

extension ExitCode {
  fileprivate init(_ code: JournalError.Code) {
    self =
      switch code {
      case .missing, .foreign: .noJournal
      case .newer: .newer
      case .busy: .busy
      case .damaged: .bytes
      case .storage, .invalid, .stale: .failure
      }
  }
}

/// The reader of the pipe went away: no failure, but the end of a verb that only shows something.
struct ReaderLeft: Error {}
