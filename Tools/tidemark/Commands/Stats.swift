import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkProjections

/// `tidemark stats [JOURNAL] [--by WHAT] [FIELD=VALUE…]` counts.
///
/// Adds the exit codes 3 and 4.
struct Stats: Command {
  static let name = "stats"
  static let summary = "counts, refusals by reason, open tickets, time to reply"
  static let group = Group.look
  static let details =
    Selection.details + [
      "The time to reply goes from the begin of a read to its landing, by the clock of the device."
    ]
  static let operands: [Operand] = [.journal, .filters(Selection.fields)]
  static let options: [Option] =
    [
      .value(
        "--by",
        "WHAT",
        "count by kind (if not given), scope, writer, path or hour",
        .oneOf(Statistics.Grouping.allCases.map(\.rawValue))
      ),
      .value("--max-examples", "N", "list at most so many groups and open tickets (20)"),
    ] + Selection.options + [.format(.text, .table, .json), .out]
  static let exits: [ExitCode] = [.done, .partial, .bytes]
  static let examples = [
    Example("tidemark stats phone.tidemark", "what the journal is made of"),
    Example("tidemark stats phone.tidemark --by path kind=read-refused", "where reads came late"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let selection = try Selection.read(input)
    let grouping = input.value("--by").flatMap(Statistics.Grouping.init) ?? .kind
    let limit = try input.number("--max-examples").map { Int(clamping: $0) }
    let reader = try input.openJournal(telling: &output)
    let context = EntryContext(reader)
    var statistics = Statistics(by: grouping, selection.filter, context)
    var range = selection
    range.filter = EntryFilter()
    var hasFenced = false
    let done = try reader.forEach(
      of: range,
      context,
      { entry in
        statistics.take(entry)
        hasFenced = hasFenced || CaptureNote.isFenced(entry)
      },
      batch: { seq in
        output.progress(seq.value, of: reader.last.value, "entries")
        return true
      },
      mapping: { $0 as any Error }
    )
    let report = StatsReport(statistics, by: grouping, limit: limit ?? 20)
    switch output.format {
    case .json, .jsonl:
      let isImported = try context.hasImported()
      try output.json { report.write(to: &$0, limit: limit ?? .max, imported: isImported) }
    case .text, .table: try report.write(to: &output)
    }
    if hasFenced { try CaptureNote.tell(.refusals, input, &output) }
    if statistics.groups.isEmpty { try NearNames.tell(selection, in: reader, &output) }
    output.tell(done.findings)
    return .done
  }
}

/// What `stats` says.
private struct StatsReport {
  private let statistics: Statistics
  private let grouping: Statistics.Grouping
  private let groups: [(name: String, group: Statistics.Group)]
  private let limit: Int

  init(_ statistics: Statistics, by grouping: Statistics.Grouping, limit: Int) {
    self.statistics = statistics
    self.grouping = grouping
    self.limit = limit
    groups = statistics.groups.map { (name: Escaping.visible(bytes: $0.key), group: $0.value) }
      .sorted { StatsReport.stands($0, before: $1, by: grouping) }
  }

  /// Kinds in their order, hours in theirs, and what has no order by how much there is of it.
  private static func stands(
    _ left: (name: String, group: Statistics.Group),
    before right: (name: String, group: Statistics.Group),
    by grouping: Statistics.Grouping
  ) -> Bool {
    switch grouping {
    case .kind:
      let order = KindRegistry.kinds.map { $0.name }
      let places = [left, right].map { order.firstIndex(of: $0.name) ?? order.count }
      if places[0] != places[1] { return places[0] < places[1] }
    case .hour: break
    case .scope, .writer, .path:
      if left.group.entries != right.group.entries {
        return left.group.entries > right.group.entries
      }
    }
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}

// For people.

extension StatsReport {
  func write(to output: inout Output) throws {
    try output.table(table)
    for line in remarks { try output.line(line) }
  }

  private var table: Table {
    var table = Table([
      .yielding(grouping.rawValue), .right("entries"), .left("refused"), .left("time to reply"),
    ])
    for (name, group) in groups.prefix(limit) {
      table.add(
        Line(name),
        "\(Quantity.count(group.entries))",
        Line(grouping == .kind ? reasons(of: name) : refused(group)),
        Line(StatsReport.text(of: group.timeToReply))
      )
    }
    return table
  }

  private func reasons(of kind: String) -> String {
    guard kind == ReadRefused.name else { return "" }
    return statistics.refusals.sorted {
      $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
    }
    .map { "\($0.key) \(Quantity.count($0.value))" }.joined(separator: "  ")
  }

  private func refused(_ group: Statistics.Group) -> String {
    group.refused > 0 ? "\(Quantity.count(group.refused)) refused" : ""
  }

  private static func text(of durations: Durations) -> String {
    [50, 90, 99].compactMap { share in
      durations.percentile(UInt64(share)).map { "p\(share) \(Quantity.count($0)) ms" }
    }.joined(separator: "  ")
  }

  private var remarks: [Line] {
    var lines: [Line] = []
    if groups.count > limit {
      lines.append("… and \(Quantity.count(groups.count - limit)) more (--max-examples)")
    }
    lines += open("open reads", statistics.openReads)
    lines += open("open changes", statistics.openChanges)
    lines += open("in the outbox", statistics.openItems)
    return lines
  }

  private func open(_ title: String, _ open: [Statistics.Open]) -> [Line] {
    guard !open.isEmpty else { return [] }
    let count = Quantity.count(open.count)
    let more =
      open.count > limit ? [Line("  … and \(Quantity.count(open.count - limit)) more")] : []
    return ["\(title, .bold)  \(count)"]
      + open.prefix(limit).map { open in
        let name = open.ticket?.description ?? "\(open.begin)"
        let path = open.path.map { "  \(EntryText.text(of: $0))" } ?? ""
        return "  \(name)\(path)  since \(open.since)"
      } + more
  }
}

// For scripts.

extension StatsReport {
  func write(to json: inout JSONWriter, limit: Int, imported: Bool) {
    json.object { json in
      json.field("schema", "tidemark.stats/1")
      json.field("by", grouping.rawValue)
      json.field("imported", imported)
      StatsReport.write(statistics.total, to: &json)
      json.array("groups") { json in
        for (name, group) in groups.prefix(limit) {
          json.object { json in
            json.field("name", name)
            StatsReport.write(group, to: &json)
          }
        }
      }
      json.field("groupCount", groups.count)
      json.object("refusals") { json in
        for (reason, count) in statistics.refusals.sorted(by: { $0.key < $1.key }) {
          json.field(reason, count)
        }
      }
      StatsReport.write(statistics.openReads, "openReads", limit, to: &json)
      StatsReport.write(statistics.openChanges, "openChanges", limit, to: &json)
      StatsReport.write(statistics.openItems, "openItems", limit, to: &json)
    }
  }

  private static func write(_ group: Statistics.Group, to json: inout JSONWriter) {
    json.field("entries", group.entries)
    json.field("begun", group.begun)
    json.field("landed", group.landed)
    json.field("refused", group.refused)
    json.object("timeToReply") { json in
      json.field("count", group.timeToReply.count)
      for share in [50, 90, 99] as [UInt64] {
        json.field("p\(share)", group.timeToReply.percentile(share))
      }
    }
  }

  private static func write(
    _ open: [Statistics.Open],
    _ name: String,
    _ limit: Int,
    to json: inout JSONWriter
  ) {
    json.array(name) { json in
      for open in open.prefix(limit) {
        json.object { json in
          json.field("seq", open.begin)
          json.field("ticket", open.ticket?.description)
          json.field("path", open.path.map { PathJSON.text(of: $0) })
          json.field("since", open.since)
        }
      }
    }
  }
}
