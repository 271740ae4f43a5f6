import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore

/// What a failure without a finding is called in JSON: a promise to scripts.
enum FailureWord: String, CaseIterable {
  /// Of the tool itself.
  case usage, input, files, interrupted
  case noEntry = "no-entry"
  case noPath = "no-path"
  case entry, fault

  /// Of the journal.
  case missing, foreign, newer, busy, damaged, storage, invalid, stale

  init(_ code: JournalError.Code) {
    self =
      switch code {
      case .missing: .missing
      case .foreign: .foreign
      case .newer: .newer
      case .busy: .busy
      case .damaged: .damaged
      case .storage: .storage
      case .invalid: .invalid
      case .stale: .stale
      case .stopped: .interrupted
      }
  }
}

/// Why a verb ends early: what is said about it, and what the process ends with.
struct Failure: Error {
  var exit: ExitCode

  /// What scripts decide by: the code of a finding, or a word.
  private(set) var code: String

  /// What happened, in one sentence that begins with a small letter and has no full stop.
  var message: String

  /// The entry at which it happened.
  var seq: Seq?

  /// What to do next; stands below the message in text.
  var advice: String?

  /// The word of the command line that was not expected.
  var surplus: String?

  init(_ exit: ExitCode, _ word: FailureWord, _ message: String, advice: String? = nil) {
    self.exit = exit
    code = word.rawValue
    self.message = message
    self.advice = advice
  }

  /// Says that what happened is this finding.
  mutating func become(_ finding: FindingCode) {
    exit = ExitCode(finding)
    code = finding.rawValue
  }

  /// The command line is wrong.
  static func usage(_ message: String, advice: String? = nil) -> Failure {
    Failure(.usage, .usage, message, advice: advice)
  }

  /// Reading or writing failed.
  static func files(_ message: String) -> Failure {
    Failure(.failure, .files, message)
  }

  /// The input is not what the verb reads, and nothing came of it.
  static func input(_ message: String, advice: String?) -> Failure {
    Failure(.failure, .input, "\(message); nothing was written", advice: advice)
  }

  /// SIGINT or SIGTERM came, and the work so far is kept.
  static let interrupted = Failure(.interrupted, .interrupted, "stopped by a signal")
}

extension Failure {
  init(_ finding: FindingCode, _ message: String, at seq: Seq? = nil) {
    self.init(.failure, .fault, message, advice: finding.remedy)
    self.seq = seq
    become(finding)
  }

  /// Maps whatever was thrown: the one place that knows the errors of the libraries.
  init(mapping error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as JournalError: self.init(error)
    case let error as HARImport.Failure: self.init(error)
    case let error as HARError: self.init(error)
    case let error as JSONLinesError: self.init(error)
    case let error as InputError: self.init(error)
    case let error as System.CallError: self = .files(error.description)
    case let error as EntryError: self.init(.failure, .entry, "\(error)")
    default: self.init(.failure, .fault, "\(error)")
    }
  }
}

extension Failure {
  fileprivate init(_ error: InputError) {
    self = error.isStop ? .interrupted : .files(error.description)
  }

  fileprivate init(_ error: JournalError) {
    if error.code == .stopped {
      self = .interrupted
      return
    }
    self.init(ExitCode(error.code), FailureWord(error.code), error.message)
    seq = error.seq
    advice = error.finding?.remedy
    if let finding = error.finding { become(finding) }
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
    case .unreadable(let error): self.init(error)
    case .changed: self = .files(error.description)
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
      case .stopped: .interrupted
      }
  }
}

/// The reader of the pipe went away: no failure, but the end of a verb that only shows something.
struct ReaderLeft: Error {}
