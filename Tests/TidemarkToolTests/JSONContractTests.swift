import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@testable import TidemarkTool

/// What verbs write under `json` and `jsonl` has the fields of `docs/JSON.md`, and no others.
@Suite struct JSONContractTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let golden = root.appending(path: "Journal/golden")

  /// The shapes that the verbs write.
  private static let shapes =
    [
      "path link", "body", "copy", "touch", "scope", "sizes", "aside", "neighbour", "content",
      "group", "durations", "open", "shelf", "device copy", "read", "change", "story", "step",
      "value", "part", "count", "verdict", "newer", "left out", "file", "pin", "item", "pins",
      "listed pin", "share", "broken share", "projection",
    ]
    + [
      "entry", "log", "info", "show", "stats", "state", "why", "export", "body", "export-trailer",
      "import", "verify", "check", "finding", "races", "race", "explanations", "explanation",
      "rule", "word", "outbox", "pins", "inbox", "rebuild",
    ].map { "tidemark.\($0)/1" }

  /// Runs a command line on copies of golden journals, and of others that it needs.
  private func run(_ words: String, in folder: TemporaryFolder) throws -> String {
    try Shell(folder: folder.path).run("tidemark \(words)").output
  }

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["v1-every-kind", "v1-stores", "v1-bit-flip", "v1-torn-tail"] {
      for suffix in ["", "-anchor"] {
        try FileManager.default.copyItem(
          atPath: JSONContractTests.golden.appending(path: "\(name)/journal.sqlite\(suffix)").path,
          toPath: folder.file(name + suffix)
        )
      }
    }
    try FileManager.default.copyItem(
      atPath: JSONContractTests.root.appending(path: "Tools/sample/capture.har").path,
      toPath: folder.file("sample.har")
    )
    return folder
  }

  private let documents = [
    "info v1-every-kind", "info v1-bit-flip", "info v1-every-kind --header", "info aside",
    "log aside", "log v1-torn-tail",
    "log v1-every-kind", "stats v1-every-kind", "stats v1-every-kind --by path --to 11",
    "state v1-every-kind --bodies", "state v1-every-kind --at 6", "state v1-every-kind --at 14",
    "why v1-every-kind /notes", "why v1-every-kind /notes/7 --at 14 -n 4",
    "why v1-every-kind /notes --at 6", "why v1-every-kind /notes/41",
    "import jsonl whole.jsonl --into copy --yes", "import har sample.har --into sample --yes",
    "verify v1-every-kind --bodies", "verify v1-bit-flip", "check v1-every-kind",
    "check v1-stores --replay", "stats v1-stores", "state v1-stores --only outbox",
    "state v1-stores --only pins", "state v1-stores --only inbox", "rebuild v1-stores",
    "check v1-bit-flip", "races v1-every-kind --all", "races sample --all", "explain --all",
  ]

  @Test func `the page lists every word that a failure can have, and no other`() throws {
    let page = try String(
      contentsOf: JSONContractTests.root.appending(path: "docs/JSON.md"),
      encoding: .utf8
    )
    let section = try #require(page.split(separator: "### Words of `code`\n").dropFirst().first)
    let table = section.prefix { $0 != "#" }
    let words = table.matches(of: #/(?m)^\| `([a-z-]+)` \|/#).map { String($0.1) }
    #expect(words == FailureWord.allCases.map(\.rawValue))
  }

  @Test func `the page and the output name the same fields, with the same types`() throws {
    let folder = try folder()
    let aside = try TemporaryJournal()
    let journal = try aside.open()
    let again = Draft(
      StoreOpened(scope: try Scope("https://a.example"), previous: Seq(1)),
      key: try IdempotencyKey("again"),
      store: .opening,
      time: DeviceTime(milliseconds: 1)
    )
    try journal.append([.opening(), again])
    try journal.append([.begin(key: "b")])
    try journal.close()
    try aside.acknowledge(through: 2)
    try aside.zeroBlock(ofEntry: 3)
    try aside.open().close()
    try FileManager.default.copyItem(atPath: aside.path, toPath: folder.file("aside"))

    var audit = JSONAudit(try JSONPage.read())
    _ = try run("export jsonl v1-every-kind --bodies -o whole.jsonl", in: folder)
    for words in documents { audit.take(try run("\(words) --format json", in: folder)) }
    for seq in 1...32 {
      audit.take(try run("show v1-every-kind \(seq) --bodies --format json", in: folder))
    }
    let lines =
      try String(contentsOfFile: folder.file("whole.jsonl"), encoding: .utf8)
      + run("log v1-every-kind --format jsonl", in: folder)
      + run("log v1-stores --format jsonl", in: folder)
      + run("export jsonl v1-every-kind --from 2", in: folder)
      + run("verify v1-bit-flip --format jsonl", in: folder)
      + run("check v1-bit-flip --format jsonl", in: folder)
      + run("races sample --format jsonl", in: folder)
      + run("explain J201 F2 witness --format jsonl", in: folder)
    for line in lines.split(separator: "\n") { audit.take(line) }
    #expect(audit.complaints.sorted() == [])
    #expect(audit.unseen(in: JSONContractTests.shapes) == [])
  }

  @Test func `each field of each kind is on the page, in the form that it has`() throws {
    let fields = try #require(try JSONPage.read().shapes["tidemark.entry/1"])
    let types: [KindField.Form: String] = [
      .integer: "number", .revision: "string", .seq: "number", .text: "string", .bytes: "string",
      .key: "string", .digest: "string", .flag: "boolean", .body: "body", .copies: "list of copy",
      .touches: "list of touch", .texts: "list of string", .indexes: "list of string or null",
      .seqs: "list of number", .time: "string", .files: "list of file", .pins: "list of pin",
      .states: "list of state",
    ]
    for kind in KindRegistry.kinds {
      for field in kind.fields where field.name != "account" {
        let documented = fields.first { $0.name == field.name }
        #expect(documented?.type == types[field.form], "\(kind.name) \(field.name)")
        #expect(documented?.isOptional == true, "\(field.name) has a name of the envelope")
      }
    }
  }

  // MARK: The audit itself

  private let page = JSONPage(
    """
    ## `tidemark.thing/1`
    | Field | Type | |
    | --- | --- | --- |
    | `schema` | string | |
    | `at.x` | number or null | |
    | `parts` | list of part | |
    | `more` | string, or absent | |
    ### Shape: part
    | Field | Type | |
    | `is` | boolean | |
    """
  )

  private func complaints(_ text: String) -> [String] {
    var audit = JSONAudit(page)
    audit.take(text)
    return audit.complaints.sorted()
  }

  @Test func `what is as the page says is left alone`() {
    #expect(
      complaints(#"{"schema":"tidemark.thing/1","at":{"x":null},"parts":[{"is":true}]}"#) == []
    )
  }

  @Test func `what is otherwise is named`() {
    let start = #"{"schema":"tidemark.thing/1","#
    let cases = [
      (#""at":{"x":"1"},"parts":[]}"#, #"tidemark.thing/1.at.x is not number or null: "1""#),
      (#""at":{"x":1,"y":1},"parts":[]}"#, "tidemark.thing/1.at.y is not on the page"),
      (#""at":{},"parts":[]}"#, "tidemark.thing/1.at.x is missing"),
      (#""at":{"x":1}}"#, "tidemark.thing/1.parts is missing"),
      (#""at":{"x":1},"parts":[{}]}"#, "part.is is missing"),
      (#""at":{"x":1},"parts":[1]}"#, "tidemark.thing/1.parts is not list of part: 1 elements"),
      (#""at":{"x":1},"parts":[],"z":1}"#, "tidemark.thing/1.z is not on the page"),
    ]
    for (rest, complaint) in cases { #expect(complaints(start + rest) == [complaint]) }
    #expect(complaints("{}").count == 1)
    #expect(
      complaints(#"{"schema":"tidemark.other/1"}"#) == ["the page has no shape tidemark.other/1"]
    )
    var audit = JSONAudit(page)
    audit.take(#"{"schema":"tidemark.thing/1","at":{"x":1},"parts":[]}"#)
    #expect(
      audit.unseen(in: ["tidemark.thing/1", "part"]) == ["tidemark.thing/1.more", "part.is"]
    )
  }
}
