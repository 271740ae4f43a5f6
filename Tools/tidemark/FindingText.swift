import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore

/// How findings are shown, the same by every verb that judges.
enum FindingText {
  /// `J201 late-landing  seq 912  /cart`, and what is wrong below it.
  static func lines(of finding: Finding) -> [Line] {
    var head: Line = "\(finding.code.rawValue, finding.code.isNote ? .yellow : .red)"
    head.append(" \(finding.code.name)")
    if let seq = finding.seq { head.append("  seq \(seq)") }
    if let scope = finding.scope { head.append("  \(scope)") }
    if let path = finding.path { head.append("  \(EntryText.text(of: path))") }
    if let key = finding.key { head.append("  key \(key)") }
    if let offset = finding.offset { head.append("  offset \(offset)") }
    var lines = [head] + Wrapping.lines(of: finding.message, first: "     ", rest: "     ")
    if let expected = finding.expected, let actual = finding.actual {
      lines.append("     expected \(cut(expected))  actual \(cut(actual))")
    }
    return lines
  }

  /// Digests are cut for people; JSON has all of them.
  private static func cut(_ value: String) -> String {
    let isDigest = value.utf8.count == 64 && Hex.decode(value) != nil
    return isDigest ? "\(value.prefix(6))…\(value.suffix(4))" : value
  }

  /// A finding as a line of its own.
  static func writeLine(_ finding: Finding, to json: inout JSONWriter) {
    json.field("schema", "tidemark.finding/1")
    write(finding, to: &json)
  }

  static func write(_ finding: Finding, to json: inout JSONWriter) {
    json.field("code", finding.code.rawValue)
    json.field("name", finding.code.name)
    json.field("note", finding.code.isNote)
    json.field("seq", finding.seq)
    json.field("witness", finding.witness)
    json.field("scope", finding.scope?.address)
    json.field("account", finding.scope?.account)
    json.field("path", finding.path.map { PathJSON.text(of: $0) })
    json.field("key", finding.key?.description)
    json.field("offset", finding.offset)
    json.field("message", finding.message)
    json.field("expected", finding.expected)
    json.field("actual", finding.actual)
  }

  /// The codes that `--skip` names.
  static func skipped(_ input: Input) throws(Failure) -> Set<FindingCode> {
    var codes: Set<FindingCode> = []
    for word in input.values("--skip") {
      guard let code = FindingCode(rawValue: word.uppercased()) else {
        throw .usage("--skip takes a code such as J201, not '\(word)'")
      }
      codes.insert(code)
    }
    return codes
  }

  /// What the process ends with for codes that were found; notes count only if `isStrict`.
  static func exit(_ codes: some Sequence<FindingCode>, isStrict: Bool = false) -> ExitCode {
    ExitCode.lowestLayer(
      of: codes.filter { isStrict || !$0.isNote }.map { ExitCode($0) }
    )
  }
}

extension Option {
  static let skip = list("--skip", "CODE", "do not look for this code")
  static let maxExamples = value(
    "--max-examples",
    "N",
    "list at most so many findings of a rule; all are counted"
  )
  static let strict = flag("--strict", "let notes set the exit code")
}
