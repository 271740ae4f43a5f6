import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkReplay

/// `tidemark why [JOURNAL] PATH|KEY` tells what gave a value, and what was refused.
///
/// Adds the exit codes 3 and 4.
struct Why: Command {
  static let name = "why"
  static let summary = "what gave this value, and what tried and was refused"
  static let group = Group.time
  static let details = [
    "A word that begins with / is a path; any other names an entry, as for `show`, and the story "
      + "is that of the path which the entry names. --limit says how many writes before the last "
      + "one are told, with what was refused since."
  ]
  static let operands: [Operand] = [.journal, .required("PATH|KEY")]
  static let options: [Option] = [
    PointArgument.option,
    .value("--scope", "ADDRESS", "only this scope"),
    .limit,
    .format(.text, .json),
    .out,
  ]
  static let exits: [ExitCode] = [.done, .partial, .bytes]
  static let examples = [
    Example("tidemark why phone.tidemark /notes", "what gave the list, what was refused"),
    Example("tidemark why phone.tidemark /notes --at 4121 -n 5", "as it was, and five writes back"),
  ]

  func run(_ input: Input, to output: inout Output) throws -> ExitCode {
    let reader = try input.openJournal(telling: &output)
    let context = EntryContext(reader)
    let seq = try PointArgument.seq(input, in: reader, &output)
    guard let target = try target(input.operands[0], context, &output) else { return .partial }
    let scope = input.value("--scope").map { (try? Scope($0))?.address ?? $0 }
    let depth = TidemarkReplay.Why.Depth(
      writesMax: Int(clamping: try input.number("--limit") ?? 1)
    )
    let stories = try TidemarkReplay.Why.stories(
      of: target.path,
      in: { found in
        if let only = target.scope, found != only { return false }
        return scope.map { [found.address, found.description].contains($0) } ?? true
      },
      through: seq,
      context,
      depth: depth
    )
    let page = WhyPage(stories, target.path, at: seq, context)
    switch output.format {
    case .json, .jsonl: try output.json { page.write(to: &$0) }
    case .text, .table: for line in page.lines { try output.line(line) }
    }
    if stories.isEmpty, try !NearNames.tell(scope: scope, in: reader, &output) {
      let near = try NearNames.suffix(of: target.path, in: reader)
      output.note("note: nothing up to \(seq) names \(EntryText.text(of: target.path))\(near)")
    }
    if let tried = stories.flatMap(\.tried).first(where: { CaptureNote.isFenced($0.entry) }) {
      let refusal = (tried.entry.seq, target.path)
      try CaptureNote.tell(.refusals, input, &output, refusal: refusal)
    }
    output.tell(stories.flatMap(\.findings))
    return .done
  }

  /// The path that is meant; with a key, that of its entry, in the scope of its entry.
  ///
  /// Nothing if the entry is lost, which is told.
  private func target(
    _ word: String,
    _ context: EntryContext,
    _ output: inout Output
  ) throws -> (path: Path, scope: Scope?)? {
    let bytes = Selection.bytes(ofHex: word) ?? Array(word.utf8)
    if bytes.first == UInt8(ascii: "/") { return (try State.path(word), nil) }
    guard let entry = try entry(of: word, in: context.reader, telling: &output) else { return nil }
    guard let link = try entry.paths.first else {
      throw Failure(
        .failure,
        .noPath,
        "entry \(entry.seq), \(entry.kindName), names no path",
        advice: "See tidemark show with the same word."
      )
    }
    return (link.path, context.scope(of: entry))
  }
}

extension Why {
  /// The entry that a key names; if there is none, the path that was perhaps meant is told.
  private func entry(
    of word: String,
    in reader: JournalReader,
    telling output: inout Output
  ) throws -> Entry? {
    do { return try Show.entry(of: word, in: reader, telling: &output) } catch var failure
      as Failure
    {
      if Input.number(in: word) == nil, let path = try NearNames.path(meantBy: word, in: reader) {
        failure.advice = "Did you mean '\(path)'?"
      }
      throw failure
    }
  }
}

/// The stories as `why` shows them.
private struct WhyPage {
  private typealias Story = TidemarkReplay.Why

  private let stories: [TidemarkReplay.Why]
  private let path: Path
  private let seq: Seq
  private let text: EntryText

  init(_ stories: [TidemarkReplay.Why], _ path: Path, at seq: Seq, _ context: EntryContext) {
    self.stories = stories
    self.path = path
    self.seq = seq
    text = EntryText(context)
  }
}

// For people.

extension WhyPage {
  var lines: [Line] {
    stories.enumerated().flatMap { index, story in
      (index > 0 ? [""] : []) + lines(of: story)
    }
  }

  private func lines(of story: Story) -> [Line] {
    let head: Line = """
      \(EntryText.text(of: story.path), .bold)  at \(seq)  \(story.scope)
      """
    let suspect = story.suspect.map { "  suspect since \($0)" } ?? ""
    let now: Line = "\("now     ", .bold)\(WhyPage.text(of: story.now))\(suspect)"
    return [head, now] + lines("gave", story.gave.map { [$0] } ?? [])
      + lines("before", story.before) + lines("tried", story.tried) + lines("open", story.open)
  }

  private func lines(_ title: String, _ steps: [Story.Step]) -> [Line] {
    steps.enumerated().map { index, step in
      let shown = index == 0 ? title : ""
      let value = title == "before" ? "\(WhyPage.text(of: step.value)); " : ""
      let handle = text.handle(of: step.entry)
      return """
        \(shown + String(repeating: " ", count: 8 - shown.count), .bold)\
        \(step.entry.seq)  \(step.entry.time)  \(step.entry.kindName)\
        \(handle.isEmpty ? "" : " " + handle): \(value)\(step.words)
        """
    }
  }

  private static func text(of value: Story.Value?) -> String {
    guard let value else { return "nothing" }
    let revision = value.revision.map { ", revision \($0)" } ?? ""
    return "\(Quantity.bytes(value.body.byteCount)), status \(value.status)\(revision)"
  }
}

// For scripts.

extension WhyPage {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.why/1")
      json.field("path", PathJSON.text(of: path))
      json.field("at", seq)
      json.array("scopes") { json in
        for story in stories {
          json.object { json in
            json.field("scope", story.scope.address)
            json.field("account", story.scope.account)
            json.field("imported", story.steps.contains { HARImport.wrote($0.entry) })
            WhyPage.write(story.now, "now", to: &json)
            json.field("suspect", story.suspect)
            write(story.gave.map { [$0] } ?? [], "gave", to: &json)
            write(story.before, "before", to: &json)
            write(story.tried, "tried", to: &json)
            write(story.open, "open", to: &json)
          }
        }
      }
    }
  }

  private static func write(_ value: Story.Value?, _ name: String, to json: inout JSONWriter) {
    guard let value else { return json.field(name, String?.none) }
    json.object(name) { json in
      value.body.write(to: &json, "body")
      json.field("status", value.status)
      json.field("revision", value.revision.map { String($0) })
    }
  }

  private func write(_ steps: [Story.Step], _ name: String, to json: inout JSONWriter) {
    json.array(name) { json in
      for step in steps {
        json.object { json in
          json.field("seq", step.entry.seq)
          json.field("kind", step.entry.kindName)
          json.field("time", step.entry.time)
          json.field("ticket", step.ticket?.description)
          WhyPage.write(step.value, "value", to: &json)
          json.field("witness", step.witness)
          json.field("words", step.words)
        }
      }
    }
  }
}
