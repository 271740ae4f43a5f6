import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark rebuild JOURNAL [--swap --yes] [--dry-run]` makes the projections anew, and compares.
///
/// Adds the exit codes 4 and 6.
struct Rebuild: Command {
  static let name = "rebuild"
  static let summary = "make the projections anew, compare with the live ones, swap"
  static let group = Group.carry
  static let details = [
    "Projections are what an app keeps of its journal to be quick; losing them costs a replay. "
      + "They are made anew in JOURNAL-projections-new and compared with JOURNAL-projections, by "
      + "the digests of their rows. A live file that is behind is folded on in memory first. Work "
      + "that is stopped goes on there the next time.",
    "`--swap --yes` puts the new file in the place of the live one, which is kept as "
      + "JOURNAL-projections-old. It is refused while a writer has the journal. The journal itself "
      + "is read, and never written.",
  ]
  static let operands: [Operand] = [.journal]
  static let options: [Option] = [
    .flag("--swap", "put the new file in the place of the live one"),
    .flag("--yes", "do so"),
    .flag("--dry-run", "compare in memory, and write no file"),
    .format(.text, .table, .json),
  ]
  static let exits: [ExitCode] = [.done, .bytes, .replay]
  static let examples = [
    Example("tidemark rebuild phone.tidemark", "whether the live projections are right"),
    Example("tidemark rebuild phone.tidemark --swap --yes", "and to put the new ones there"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let (isSwapping, isDry) = (input.has("--swap"), input.has("--dry-run"))
    guard isSwapping == input.has("--yes") || isDry else {
      throw Rebuild.misuse("--swap writes: give --yes as well, or --dry-run to look first")
    }
    let reader = try input.openJournal(telling: &output)
    let path = try input.journalPath
    // From here on no writer comes in between what is compared and what is swapped.
    let lock = isSwapping ? try WriterLock(of: path) : nil
    defer { withExtendedLifetime(lock) {} }
    let paths = TidemarkReplay.Rebuild.Paths(of: path)
    let rebuild = try TidemarkReplay.Rebuild.make(reader, paths, keeping: !isDry) { done in
      output.progress(done.value, of: reader.last.value, "entries")
    }
    let isSwapped = isSwapping && !isDry && rebuild.damage.isEmpty && !rebuild.isSame
    if isSwapped { try TidemarkReplay.Rebuild.swap(paths) }
    if rebuild.isSame, !isDry { TidemarkReplay.Rebuild.discard(paths) }
    switch output.format {
    case .json, .jsonl: try output.json { write(rebuild, swapped: isSwapped, to: &$0) }
    case .text, .table: try output.table(table(of: rebuild))
    }
    output.tell(rebuild.damage + rebuild.findings)
    tell(rebuild, paths, isSwapping, isDry, isSwapped, &output)
    return .done
  }

  private func table(of rebuild: TidemarkReplay.Rebuild) -> Table {
    var table = Table([
      .left("projection"), .left("version"), .left("position"), .left("digest"), .left("live"),
    ])
    for part in rebuild.parts {
      table.add(
        "\(part.name)",
        "version \(part.version)",
        "up to \(part.position)",
        Line(String(part.digest.description.prefix(12))),
        "\(part.live.word, part.live.isFinding ? .red : .plain)"
      )
    }
    return table
  }

  private func tell(
    _ rebuild: TidemarkReplay.Rebuild,
    _ paths: TidemarkReplay.Rebuild.Paths,
    _ isSwapping: Bool,
    _ isDry: Bool,
    _ isSwapped: Bool,
    _ output: inout Output
  ) {
    if !rebuild.damage.isEmpty {
      output.note("note: the journal cannot be read to its end, so nothing is compared or swapped")
    } else if isSwapped {
      output.note("swapped; the file that was there is kept as \(paths.old)")
    } else if rebuild.isSame {
      output.note("nothing to do: the live projections are what the entries give")
    } else if isDry {
      output.note("note: nothing was written; the same with --swap --yes swaps")
    } else {
      output.note("made in \(paths.new); the same with --swap --yes puts it in place")
    }
  }

  private func write(
    _ rebuild: TidemarkReplay.Rebuild,
    swapped: Bool,
    to json: inout JSONWriter
  ) {
    json.object { json in
      json.field("schema", "tidemark.rebuild/1")
      json.field("same", rebuild.isSame)
      json.field("swapped", swapped)
      json.array("projections") { json in
        for part in rebuild.parts {
          json.object { json in
            json.field("name", part.name)
            json.field("version", part.version)
            json.field("position", part.position)
            json.field("digest", part.digest.description)
            json.field("live", part.live.word)
            json.field("liveDigest", part.live.digest?.description)
          }
        }
      }
    }
  }
}

extension TidemarkReplay.Rebuild.Live {
  fileprivate var word: String {
    switch self {
    case .same: "same"
    case .differs: "differs"
    case .missing: "missing"
    case .outdated: "outdated"
    case .damaged: "damaged"
    case .unknown: "unknown"
    }
  }

  fileprivate var digest: Digest? {
    if case .differs(let digest) = self { digest } else { nil }
  }

  fileprivate var isFinding: Bool {
    switch self {
    case .differs, .damaged: true
    case .same, .missing, .outdated, .unknown: false
    }
  }
}
