import Foundation
import Testing
import TidemarkEntries
import TidemarkReplay

@testable import TidemarkTool

/// Every word that a report prints can be given to `explain`.
@Suite struct GlossaryTests {
  private func isExplained(_ word: String) -> Bool { (try? Topic.read([word]))?.count == 1 }

  /// The labels that a source of the tool prints: titles of columns, and words before their value.
  private func labels(in source: String) -> [String] {
    let titles = source.matches(of: #/\.(?:left|right|yielding)\("([^"\\]+)"\)/#).map { $0.1 }
    let calls = source.matches(of: #/\b(?:titled|line|lines|neighbours)\("([a-z][a-z ]*)",/#)
    let starts = source.matches(of: #/"(?: *|\\\(")([a-z][a-z ]*?)(?: {2,}|",? \.bold\))/#)
    return (titles + calls.map { $0.1 } + starts.map { $0.1 }).map(String.init)
  }

  private func sources() throws -> [(name: String, text: String)] {
    let folder = Shell.root.appending(path: "Tools/tidemark")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Pages/") }.sorted().map {
      ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }

  @Test func `every heading and label of a report is explained`() throws {
    var count = 0
    for (name, text) in try sources() {
      for label in labels(in: text) {
        count += 1
        #expect(isExplained(label), "\(name) prints '\(label)', which explain does not know")
      }
    }
    #expect(count > 60, "the labels are found")
  }

  @Test func `every kind, reason, role, degree and standing is explained`() {
    let words =
      KindRegistry.kinds.map { $0.name } + ReadRefused.Reason.allCases.map(\.rawValue)
      + PathLink.Role.allCases.map { "\($0)" } + Race.Degree.allCases.map(\.rawValue)
      + [
        "kind", "scope", "writer", "path", "hour",
        "equal", "behind", "ahead", "missing", "foreign", "diverged", "late", "rejected", "lost",
        "closed", "acknowledged", "torn tail", "vacuous", "witness", "ticket", "generation",
        "stale for certain", "possibly stale", "fence", "bump", "suspect", "landing",
        "incarnation", "store", "scope", "anchor", "leaf", "commitment", "cursor", "projection",
      ]
    for word in words { #expect(isExplained(word), "\(word)") }
  }

  @Test func `a label is found wherever a report has one`() {
    let source = #"""
      Table([.left("late over"), .right("seq")]); titled("rests on", x); line("head", y)
      "\("now     ", .bold)\(x)"; "    evidence  \(y)"; "scopes  \(z)"; lines("gave", [])
      "\("open reads", .bold)  \(count)"
      """#
    let found = Set(labels(in: source))
    let all = ["late over", "seq", "rests on", "head", "now", "evidence", "scopes", "gave"]
    #expect(found.isSuperset(of: all))
  }

  @Test func `each name leads to its own explanation, which is a sentence`() {
    for word in Glossary.words {
      #expect(word.meaning.hasSuffix("."), "\(word.meaning)")
      for name in word.names {
        #expect(
          (try? Topic.read(name.split(separator: " ").map(String.init)))?.first?.word?.names
            == word.names,
          "\(name)"
        )
      }
    }
  }
}
