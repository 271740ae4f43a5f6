import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark races [JOURNAL]` tells which late replies the fence kept off the screen.
///
/// Adds the exit codes 3, 4 and, with --exit-code, 5.
struct Races: Command {
  static let name = "races"
  static let summary = "late replies that would have stood over something newer"
  static let group = Group.judge
  static let details = [
    "For a journal of a capture, this is what an app shows that takes answers as they come. "
      + "*Stale for certain* means that the reply has what stood there before the change, or "
      + "before the newer read; *possibly stale* that it began before and the contents do not "
      + "tell. What came late but says the same, or holds nothing of what was changed, is counted "
      + "and listed with --all.",
    "Which reads a change makes late is decided when a capture is imported: by its path, or by the "
      + "rules of `import --touches`, which `tidemark import --help` explains.",
  ]
  static let operands: [Operand] = [.journal]
  static let options: [Option] = [
    .flag("--all", "list the harmless ones too"),
    .flag("--exit-code", "end with 5 if a reply was stale, for certain or possibly"),
    .value("--max-examples", "N", "list at most so many of each degree; all are counted"),
    .format(.text, .table, .json, .jsonl),
    .out,
  ]
  static let exits: [ExitCode] = [.done, .partial, .bytes, .meaning]
  static let examples = [
    Example("tidemark races shop.tidemark", "what stood there that was old"),
    Example("tidemark races shop.tidemark --format jsonl", "the same, an object a line"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let path = try input.journalPath
    let reader = try input.openJournal(telling: &output)
    let report = try RaceReport(reader)
    let hasDays = try Races.spansDays(reader)
    let limit = try input.number("--max-examples").map { Int(clamping: $0) } ?? .max
    let shown = shownRaces(report, all: input.has("--all"), limit: limit)
    switch output.format {
    case .text:
      try RaceText(report, journal: path, dates: hasDays).write(shown, to: &output)
      let more = shownRaces(report, all: input.has("--all"), limit: .max).count - shown.count
      if more > 0 {
        try output.line("")
        try output.line("\(Quantity.count(more)) more; --max-examples says how many are listed")
      }
    case .table: try output.table(RaceText(report, journal: path, dates: hasDays).table(of: shown))
    case .json: try output.json { RaceJSON.document(report, shown, to: &$0) }
    case .jsonl:
      for race in shown {
        try output.json { json in
          json.object { json in
            json.field("schema", "tidemark.race/1")
            RaceJSON.fields(of: race, to: &json)
          }
        }
      }
    }
    output.tell(report.findings)
    let isStale = report.count(.certain) + report.count(.possible) > 0
    return isStale && input.has("--exit-code") ? .meaning : .done
  }

  /// Whether the times of the journal need their date.
  private static func spansDays(_ reader: JournalReader) throws -> Bool {
    let first = try reader.entry(at: Seq(1))?.time.day
    return try first != reader.entry(at: reader.last)?.time.day
  }

  /// The worst first, those of one degree in the order of the journal.
  private func shownRaces(_ report: RaceReport, all: Bool, limit: Int) -> [Race] {
    let degrees: [Race.Degree] = all ? Race.Degree.allCases : [.certain, .possible]
    return degrees.flatMap { degree in
      report.races.filter { $0.degree == degree }.prefix(limit)
    }
  }
}

/// The race report for people.
struct RaceText {
  private let report: RaceReport
  private let journal: String
  private let showsDates: Bool

  init(_ report: RaceReport, journal: String, dates: Bool) {
    self.report = report
    self.journal = journal
    showsDates = dates
  }

  func write(_ races: [Race], to output: inout Output) throws {
    for line in summary { try output.line(line) }
    for degree in Race.Degree.allCases {
      let group = races.filter { $0.degree == degree }
      guard !group.isEmpty else { continue }
      try output.line("")
      try output.line("\(degree.title, .bold)")
      for race in group {
        try output.line("")
        for line in lines(of: race) { try output.line(line) }
      }
    }
  }

  private var summary: [Line] {
    let late = report.races.count
    var lines: [Line] = [
      """
      \(Quantity.count(report.reads, "read", "reads")), \
      \(Quantity.count(report.changes, "answered change", "answered changes"))
      """
    ]
    guard late > 0 else { return lines + ["no reply came late"] + policies }
    let stale = report.count(.certain)
    let possible = report.count(.possible)
    let rest = report.count(.harmless) + report.count(.unrelated)
    lines.append(
      """
      \(Quantity.count(late, "reply", "replies")) came late: \
      \(Quantity.count(stale), stale > 0 ? .red : .plain) stale for certain, \
      \(Quantity.count(possible), possible > 0 ? .yellow : .plain) possibly stale, \
      \(Quantity.count(rest)) without harm
      """
    )
    return lines + policies
  }

  /// What decides which reads a change makes late, where an import had to say it for the app.
  private var policies: [Line] {
    report.policies.map { policy in
      switch policy {
      case "paths":
        """
        a change was taken to touch its own path, what is above it and what is under it; \
        import --touches names others
        """
      case "scope": "a change was taken to touch all paths of its server"
      default: "a change was taken to touch, as the import was told: \(policy)"
      }
    }
  }

  private func lines(of race: Race) -> [Line] {
    var lines: [Line] = [
      "  \(text(of: race.refusedAt))  \(EntryText.text(of: race.path), .bold)  \(what(race))",
      "    late      \(began(race))",
      "    over      \(over(race))",
      "    evidence  \(race.evidence)",
    ]
    if race.degree == .certain || race.degree == .possible {
      lines.append("    stood     \(stood(race))")
      lines += looks(race)
    }
    return lines
  }

  /// How to see it: why the path shows what it does, what came late, and what the fence kept.
  private func looks(_ race: Race) -> [Line] {
    let journal = Words.quoted(journal)
    let path = Words.quoted(PathJSON.text(of: race.path), always: true)
    var lines: [Line] = ["    look      tidemark why \(journal) \(path) --at \(race.refused)"]
    lines += Suggestion.comparing(race.refused, race.path, in: self.journal).map { "    \($0)" }
    if race.keepsSame {
      lines.append(
        "    same      the fence would have kept the same content, and asked for a new read"
      )
    }
    return lines
  }

  private func text(of time: DeviceTime) -> String {
    showsDates ? time.description : time.timeOfDay
  }

  private func what(_ race: Race) -> String {
    switch race.over {
    case .change: "an old answer came after a change"
    case .read: "an old answer came after a newer one"
    case .write: "the answer to a change came after a newer write"
    }
  }

  private func began(_ race: Race) -> String {
    let flight = race.refusedAt.milliseconds - race.beganAt.milliseconds
    let label = race.label.map { " (\($0))" } ?? ""
    return "began \(text(of: race.beganAt))\(label), took \(Quantity.count(flight)) ms; "
      + "entries \(race.began) and \(race.refused)"
  }

  private func over(_ race: Race) -> String {
    switch race.over {
    case .change(let change): return answered(change)
    case .read(let begin, let landed):
      return "the read that began at entry \(begin), landed at \(landed)"
    case .write(_, .change(let change)): return answered(change, isSentTold: true)
    case .write(let seq, .read(let begin)):
      return "the read that began at entry \(begin), landed at \(seq)"
    case .write(let seq, .other): return "entry \(seq)"
    }
  }

  private func answered(_ change: Race.Change, isSentTold: Bool = false) -> String {
    let label = change.label.map { " (\($0))" } ?? ""
    let sent = isSentTold ? ", sent \(text(of: change.sentAt))" : ""
    return "\(change.method) \(EntryText.text(of: change.path))\(label)\(sent), "
      + "answered \(text(of: change.answeredAt)) with \(change.status); entry \(change.answered)"
  }

  /// How long it stands there in an app that takes every answer as it comes.
  private func stood(_ race: Race) -> String {
    guard let end = race.overtaken ?? race.healed else {
      return "until the end: the path was not read again"
    }
    let time = Quantity.count(end.at.milliseconds - race.refusedAt.milliseconds)
    return race.overtaken == nil
      ? "for \(time) ms, until the path was written again; entry \(end.seq)"
      : "for \(time) ms, until the next answer of the path, itself late (entry \(end.seq))"
  }
}

extension RaceText {
  /// A race a row.
  func table(of races: [Race]) -> Table {
    let columns: [Table.Column] = [
      .left("landed"), .left("path"), .left("late over"), .left("stale"), .yielding("evidence"),
    ]
    var table = Table(columns, whole: "tidemark races \(Words.quoted(journal))")
    for race in races {
      table.add(
        "\(text(of: race.refusedAt))",
        "\(EntryText.text(of: race.path))",
        "\(shortOver(race))",
        "\(race.degree.rawValue, race.degree.style)",
        "\(race.evidence)"
      )
    }
    return table
  }

  private func shortOver(_ race: Race) -> String {
    switch race.over {
    case .change(let change): "\(change.method) \(EntryText.text(of: change.path))"
    case .read: "a newer read"
    case .write(_, .change(let change)): "\(change.method) \(EntryText.text(of: change.path))"
    case .write(_, .read): "a newer read"
    case .write(let seq, .other): "entry \(seq)"
    }
  }
}

extension Race.Degree {
  fileprivate var style: Style {
    switch self {
    case .certain: .red
    case .possible: .yellow
    case .harmless, .unrelated: .plain
    }
  }

  fileprivate var title: String {
    switch self {
    case .certain: "Stale for certain"
    case .possible: "Possibly stale"
    case .harmless: "Late, without harm"
    case .unrelated: "Late, but not about what was changed"
    }
  }
}

/// The race report for scripts.
enum RaceJSON {
  static func document(_ report: RaceReport, _ races: [Race], to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.races/1")
      json.field("reads", report.reads)
      json.field("changes", report.changes)
      json.field("late", report.races.count)
      for degree in Race.Degree.allCases { json.field(degree.rawValue, report.count(degree)) }
      json.array("races") { json in
        for race in races { json.object { fields(of: race, to: &$0) } }
      }
    }
  }

  static func fields(of race: Race, to json: inout JSONWriter) {
    json.field("degree", race.degree.rawValue)
    json.field("scope", race.scope.address)
    json.field("account", race.scope.account)
    json.field("path", PathJSON.text(of: race.path))
    json.field("label", race.label)
    json.field("ticket", race.ticket?.description)
    json.field("began", race.began)
    json.field("beganAt", race.beganAt)
    json.field("refused", race.refused)
    json.field("refusedAt", race.refusedAt)
    json.object("over") { over(race.over, to: &$0) }
    json.field("evidence", race.evidence)
    json.field("keepsSame", race.keepsSame)
    json.field("healed", race.healed?.seq)
    json.field("healedAt", race.healed?.at)
    json.field("overtaken", race.overtaken?.seq)
    json.field("overtakenAt", race.overtaken?.at)
  }

  private static func over(_ over: Race.Over, to json: inout JSONWriter) {
    switch over {
    case .change(let change):
      json.field("kind", "change")
      fields(of: change, to: &json)
    case .read(let begin, let landed):
      json.field("kind", "read")
      json.field("began", begin)
      json.field("landed", landed)
    case .write(let seq, let writer):
      json.field("kind", "write")
      json.field("written", seq)
      switch writer {
      case .change(let change): fields(of: change, to: &json)
      case .read(let begin): json.field("began", begin)
      case .other: break
      }
    }
  }

  private static func fields(of change: Race.Change, to json: inout JSONWriter) {
    json.field("method", change.method)
    json.field("path", PathJSON.text(of: change.path))
    json.field("label", change.label)
    json.field("sent", change.sent)
    json.field("sentAt", change.sentAt)
    json.field("answered", change.answered)
    json.field("answeredAt", change.answeredAt)
    json.field("status", change.status)
  }
}
