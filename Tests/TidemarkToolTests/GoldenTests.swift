import Foundation
import TestSupport
import Testing

@testable import TidemarkTool

/// Pages and scripts that the tables of the verbs give, as people get them.
///
/// A text that is missing is written, and fails once: read it, then commit it. So after a change
/// that is meant, delete the folder `golden` and run these tests twice.
@Suite struct GoldenTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "golden")

  /// The command lines and the files that hold what they print.
  static let texts: [String: String] = {
    var texts = ["tidemark.help": "--help", "tidemark.1": "man"]
    for verb in Tool.verbs.map({ $0.name }) {
      texts["tidemark-\(verb).help"] = "\(verb) --help"
      texts["tidemark-\(verb).1"] = "man \(verb)"
    }
    for shell in ["bash", "zsh", "fish"] {
      texts["completions.\(shell)"] = "completions \(shell)"
    }
    return texts
  }()

  @Test(arguments: texts.keys.sorted())
  func `what the tool prints equals its golden text`(name: String) throws {
    let words = GoldenTests.texts[name, default: ""]
    let folder = try TemporaryFolder()
    let printed = try Shell(folder: folder.path).run("tidemark \(words)")
    #expect(printed.errors == "" && printed.exit == 0)
    let file = GoldenTests.folder.appending(path: name)
    guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
      try Data(printed.output.utf8).write(to: file)
      Issue.record("golden/\(name) is written: read it, then commit it")
      return
    }
    guard printed.output != golden else { return }
    let lines = golden.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let difference = ExpectedLines(lines).difference(from: printed.output) ?? "the last line"
    Issue.record("tidemark \(words) differs from golden/\(name):\n\(difference)")
  }

  @Test func `no golden text is left of what is gone`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: GoldenTests.folder.path)
    #expect(Set(names).subtracting(GoldenTests.texts.keys) == [])
  }
}
