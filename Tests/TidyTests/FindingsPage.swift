import TidemarkJournalStore
import TidemarkReplay

/// `docs/FINDINGS.md`, made of what the code says of its findings.
enum FindingsPage {
  static let path = "docs/FINDINGS.md"

  /// The layers that the first digit of a code names.
  static let groups: KeyValuePairs<Character, String> = [
    "0": "container", "1": "bytes and tree", "2": "shelf", "3": "outbox", "4": "pins",
    "5": "records", "6": "projections and replay", "7": "import and export",
  ]

  /// The whole page.
  static var text: String { introduction + groups.map(section).joined() + rules }

  private static let introduction = """
    # Finding codes

    What a tool can find, by code. A code is a promise to scripts: it is never used again for
    something else. `tidemark explain CODE` prints the line that stands here. The
    [rules](#rules-of-check) that `check` judges by stand below the codes.

    The exit status is the one that a tool ends with when it finds this. A *note* is printed and
    sets none, unless `--strict` makes it a finding: then it sets the one in brackets.

    This page is made of the code's own words. After a change there, delete the page and run
    `swift test --filter TidyTests`: the test writes it anew and fails once, so that it is read.

    """

  private static let rules = """

    ## Rules of check

    What a journal must keep, and the code of what breaks it. A rule is *vacuous* in a journal that
    holds nothing by which it could be broken: nothing is said of it then.

    | Rule | What holds | Code |
    | --- | --- | --- |

    """
    + CheckCatalogue.rules.flatMap { rule in
      rule.parts.map { "| \(rule.name) | \($0.sentence) | \($0.code.rawValue) \($0.code.name) |\n" }
    }.joined()

  private static func section(digit: Character, layer: String) -> String {
    let codes = FindingCode.allCases.filter { $0.rawValue.hasPrefix("J\(digit)") }
    guard !codes.isEmpty else { return "" }
    let rows = codes.map(row).joined(separator: "\n")
    return """

      ## J\(digit)xx: \(layer)

      | Code | Name | Exit | Cause | Remedy |
      | --- | --- | --- | --- | --- |
      \(rows)

      """
  }

  private static func row(_ code: FindingCode) -> String {
    let exit = code.isNote ? "*note* (\(code.exitStatus))" : "\(code.exitStatus)"
    return "| \(code.rawValue) | \(code.name) | \(exit) | \(code.cause) | \(code.remedy) |"
  }

  /// The lines by which a page differs from what the code says.
  static func complaints(about page: TextFile) -> [Complaint] {
    let expected = text.split(separator: "\n", omittingEmptySubsequences: false)
    let missing = expected.filter { !page.lines.contains($0) }
    let extra = page.lines.enumerated().filter { !expected.contains($0.element) }
    return missing.map { Complaint(path, 0, "the code says, and the page does not: \($0)") }
      + extra.map { Complaint(path, $0.offset + 1, "the code does not say: \($0.element)") }
  }
}

/// What every finding must have.
struct FindingRules {
  let code: String
  let name: String
  let exit: Int32
  let cause: String
  let remedy: String

  init(_ finding: FindingCode) {
    self.init(
      code: finding.rawValue,
      name: finding.name,
      exit: finding.exitStatus,
      cause: finding.cause,
      remedy: finding.remedy
    )
  }

  init(code: String, name: String, exit: Int32, cause: String, remedy: String) {
    self.code = code
    self.name = name
    self.exit = exit
    self.cause = cause
    self.remedy = remedy
  }

  /// The statuses that a finding may end with; 1 is left to failures of the tool and the device.
  private static let statuses: Set<Int32> = [1, 3, 4, 5, 6, 10, 11, 12, 13]

  var complaints: [Complaint] {
    let rules: [(Bool, String)] = [
      (code.wholeMatch(of: #/J[0-7]\d\d/#) != nil, "a code is J, the digit of a layer, two digits"),
      (name.wholeMatch(of: #/[a-z]+(?:-[a-z]+)*/#) != nil, "a name is words with hyphens"),
      (FindingRules.statuses.contains(exit), "\(exit) is no exit status of a finding"),
      (cause.hasSuffix("."), "the cause is a sentence"),
      (remedy.hasSuffix("."), "the remedy is a sentence"),
      (!(cause + remedy).contains("|"), "a bar would break the table"),
    ]
    return rules.filter { !$0.0 }.map { Complaint(FindingsPage.path, 0, "\(code): \($0.1)") }
  }
}
