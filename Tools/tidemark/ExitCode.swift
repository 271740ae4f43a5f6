import TidemarkJournalStore

/// What the process ends with; stable, because scripts decide by it.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case failure = 1
  case partial = 3
  case bytes = 4
  case meaning = 5
  case replay = 6
  case noJournal = 10
  case busy = 11
  case newer = 12
  case keyConflict = 13
  case usage = 64
  case interrupted = 130

  init(_ finding: FindingCode) {
    self = ExitCode(rawValue: finding.exitStatus) ?? .failure
  }

  var meaning: String {
    switch self {
    case .done: "done, nothing found"
    case .failure: "could not do the work: input, output, storage, a fault of the tool"
    case .partial: "done in part: what was left out is listed"
    case .bytes: "findings: container, bytes or tree"
    case .meaning: "findings: meaning (a late read landed, …)"
    case .replay: "findings: replay, projection or sensitivity"
    case .noJournal: "no journal there"
    case .busy: "busy: another writer has it"
    case .newer: "the journal, or what it needs, is newer than this tool"
    case .keyConflict: "a key is already used for other content"
    case .usage: "wrong usage"
    case .interrupted: "stopped by a signal"
    }
  }

  /// What every verb may end with; a verb names only what it adds.
  static let ofEveryVerb: [ExitCode] = [
    .failure, .noJournal, .busy, .newer, .usage, .interrupted,
  ]

  // The lowest layer wins. What kept the work from being done stands before all that was found.
  private static let precedence: [ExitCode] = [
    .failure, .usage, .noJournal, .busy, .newer, .interrupted,
    .bytes, .meaning, .replay, .keyConflict, .partial,
  ]

  /// The one code for several that apply.
  static func lowestLayer(of codes: some Sequence<ExitCode>) -> ExitCode {
    let given = Set(codes)
    return precedence.first(where: given.contains) ?? .done
  }
}
