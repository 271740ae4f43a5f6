import Foundation
import TestSupport
import Testing
import TidemarkJournalStore

@testable import TidemarkTool

@Suite struct PageTests {
  @Test func `what verbs declare follows the conventions`() {
    var names = Set<String>()
    for verb in Tool.verbs {
      #expect(names.insert(verb.name).inserted, "\(verb.name) stands twice")
      #expect(!verb.summary.hasSuffix(".") && verb.summary.count <= 60, "\(verb.summary)")
      let options = verb.allOptions
      #expect(Set(options.map(\.name)).count == options.count, "\(verb.name)")
      #expect(options.allSatisfy { $0.name.hasPrefix("--") }, "\(verb.name)")
      let shorts = options.compactMap(\.short)
      #expect(Set(shorts).isSubset(of: ["-n", "-o", "-f", "-h"]), "\(verb.name)")
      let others = verb.exits.filter { ExitCode.ofEveryVerb.contains($0) }
      #expect(others.isEmpty, "\(verb.name) names \(others), which every verb may end with")
      #expect(verb.exits.first == .done, "\(verb.name)")
    }
  }

  @Test func `the first page fits on a screen, and every page into its columns`() {
    #expect(HelpPage.first.count <= 24)
    let pages = [HelpPage.first, HelpPage.versions] + Tool.verbs.map { HelpPage.page(of: $0) }
    for line in pages.joined() { #expect(line.width <= 100, "\(line.visible)") }
  }

  @Test func `the first page names every verb`() {
    let page = HelpPage.first.map(\.visible).joined(separator: "\n")
    for verb in Tool.verbs { #expect(page.contains("\(verb.name) "), "\(verb.name)") }
  }

  @Test func `a page lists options with their values, and exits with their meaning`() {
    let page = HelpPage.page(of: Probe.self).map(\.visible)
    #expect(page.contains("  tidemark probe [JOURNAL] [FIELD=VALUE…] [OPTIONS]"))
    #expect(page.contains("  -n, --limit N      at most so many"))
    #expect(page.contains("      --bodies       show content"))
    #expect(page.contains("  3    \(ExitCode.partial.meaning)"))
  }

  @Test func `the version names all that reads and writes a journal`() {
    let page = HelpPage.versions.map(\.visible).joined(separator: "\n")
    for part in [Libraries.sqlite, Libraries.zstd, Libraries.crypto] {
      #expect(!part.isEmpty && page.contains(part))
    }
    #expect(page.contains("format   \(Libraries.formatVersion)\n"))
  }
}

@Suite struct GuideTests {
  @Test func `the guide lists every exit code with its meaning`() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(
      contentsOf: root.appending(path: "docs/guides/command-line.md"),
      encoding: .utf8
    )
    for code in ExitCode.allCases {
      #expect(guide.contains("| \(code.rawValue) | \(code.meaning) |\n"), "\(code)")
    }
  }
}

@Suite struct WrappingTests {
  @Test func `lines are filled, and begin as they should`() {
    let words = Array(repeating: "abcdefghi", count: 20).joined(separator: " ")
    let lines = Wrapping.lines(of: words, first: "Cause   ", rest: "        ").map(\.visible)
    #expect(lines.count == 3)
    #expect(lines[0] == "Cause   " + Array(repeating: "abcdefghi", count: 7).joined(separator: " "))
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("        abcdefghi") })
  }

  @Test func `a line is as wide as it may be, and no wider`() {
    let (long, short) = (String(repeating: "x", count: 70), String(repeating: "y", count: 9))
    #expect(Wrapping.lines(of: "\(long) \(short)").map(\.width) == [80])
    #expect(Wrapping.lines(of: "\(long) \(short)y").map(\.width) == [70, 10])
  }

  @Test func `a word that does not fit stands alone`() {
    let long = String(repeating: "x", count: 90)
    #expect(Wrapping.lines(of: "a \(long) b").map(\.visible) == ["a", long, "b"])
    #expect(Wrapping.lines(of: "").map(\.visible) == [""])
  }
}

/// The programs for which pages and scripts are made say whether they like them.
@Suite struct AcceptanceTests {
  private func accepts(_ lines: [String], _ command: String) throws -> Shell.Result {
    let folder = try TemporaryFolder()
    let text = lines.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: URL(filePath: folder.file("page")))
    return try Shell(folder: folder.path).run("\(command) page")
  }

  private static let clean = Shell.Result(output: "", errors: "", exit: 0)
  private static let verbs = Tool.verbs + [Probe.self]

  @Test(.enabled(if: Shell.has("groff")))
  func `groff sets every manual page without a warning`() throws {
    for page in [ManPage.first] + AcceptanceTests.verbs.map({ ManPage.page(of: $0) }) {
      #expect(try accepts(page, "groff -man -ww -z -Tutf8") == AcceptanceTests.clean, "\(page[0])")
    }
  }

  @Test(.enabled(if: Shell.has("man")))
  func `man shows every manual page without a warning`() throws {
    for page in [ManPage.first] + AcceptanceTests.verbs.map({ ManPage.page(of: $0) }) {
      let result = try accepts(page, "man --warnings -l")
      #expect(result.errors == "" && result.exit == 0, "\(page[0])")
      #expect(result.output.contains("EXIT STATUS"))
    }
  }

  @Test func `manual pages are ASCII, and nothing in them is taken for a request`() {
    for page in [ManPage.first] + AcceptanceTests.verbs.map({ ManPage.page(of: $0) }) {
      #expect(page.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7f).contains($0) } }, "\(page[0])")
    }
    let page = ManPage.page(of: Probe.self).joined(separator: "\n")
    #expect(page.contains(#"isn\(aqt"#))
    #expect(page.contains(#"\fB\-\-bodies\fP"#))
    #expect(page.contains("\n" + #"\&.dots and \(aqquotes\(aq and \fBcode\fP at"#))
  }

  private static let shells = [
    ("bash", BashCompletion.script(for: AcceptanceTests.verbs)),
    ("zsh", ZshCompletion.script(for: AcceptanceTests.verbs)),
    ("fish", FishCompletion.script(for: AcceptanceTests.verbs)),
  ]

  @Test(arguments: ["bash", "zsh", "fish"].filter(Shell.has))
  func `a shell reads its completion script`(shell: String) throws {
    let script = AcceptanceTests.shells.first { $0.0 == shell }?.1 ?? []
    #expect(!script.isEmpty)
    #expect(try accepts(script, "\(shell) -n") == AcceptanceTests.clean)
  }

  /// What bash offers behind these words.
  private func offers(_ words: String...) throws -> String {
    let script = BashCompletion.script(for: AcceptanceTests.verbs)
    let last = words.count - 1
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let ask = ["COMP_WORDS=(\(list)); COMP_CWORD=\(last); _tidemark; echo \"${COMPREPLY[*]}\""]
    let result = try accepts(script + ask, "bash")
    #expect(result.errors == "")
    return String(result.output.dropLast())
  }

  @Test func `bash offers verbs, options and words`() throws {
    #expect(try offers("tidemark", "exp") == "export explain")
    #expect(try offers("tidemark", "-") == "--help --version")
    #expect(try offers("tidemark", "probe", "--bo") == "--bodies")
    #expect(try offers("tidemark", "probe", "--format", "j") == "json")
    #expect(try offers("tidemark", "probe", "--format", "=", "j") == "json")
    #expect(try offers("tidemark", "probe", "--format", "=") == "text json")
    #expect(try offers("tidemark", "probe", "--color", "") == "auto always never")
    #expect(try offers("tidemark", "probe", "--skip", "J101", "--skip", "J1") == "J101 J102")
    #expect(try offers("tidemark", "completions", "z") == "zsh")
    #expect(try offers("tidemark", "explain", "J60") == "J601 J604")
  }

  @Test func `bash is left to offer files where files may stand`() throws {
    #expect(try offers("tidemark", "probe", "") == "")
    #expect(try offers("tidemark", "probe", "-o", "") == "")
    #expect(try offers("tidemark", "probe", "a.tidemark", "k") == "kind=")
  }
}
