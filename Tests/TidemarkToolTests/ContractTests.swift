import Foundation
import TestSupport
import Testing

@testable import TidemarkTool

/// What holds for every verb, tried on the built tool.
///
/// A verb that writes JSON adds its lines here, also such that fail.
@Suite struct ContractTests {
  private static let succeeding = ["explain J201", "explain --all"]
  private static let failing = ["explain J999", "explain --wrong", "explian", "explain"]

  private func run(_ words: String) throws -> Shell.Result {
    let folder = try TemporaryFolder()
    return try Shell(folder: folder.path).run("tidemark \(words)")
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any]? {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  @Test(arguments: succeeding)
  func `data is JSON with a schema, and nothing else is said`(words: String) throws {
    let document = try run("\(words) --format json --quiet")
    #expect(try object(document.output)?["schema"] is String)
    #expect(document.errors == "" && document.exit == 0)
    let lines = try run("\(words) --format jsonl --quiet")
    for line in lines.output.split(separator: "\n") {
      #expect(try object(line)?["schema"] is String, "\(line)")
    }
    #expect(lines.output.hasSuffix("}\n"))
    #expect(lines.errors == "" && lines.exit == 0)
  }

  @Test(arguments: failing, ["json", "jsonl"])
  func `a failure is one object on the last line of standard error`(
    words: String,
    format: String
  ) throws {
    let result = try run("\(words) --format \(format) --quiet")
    let error = try object(result.errors.split(separator: "\n").last ?? "")
    #expect(error?["schema"] as? String == "tidemark.error/1")
    #expect(error?["exit"] as? Int32 == result.exit)
    #expect(error?["message"] is String && error?["code"] is String)
    #expect(error?["seq"] is NSNull)
    #expect(result.output == "")
  }

  @Test(arguments: Tool.verbs.map { $0.name })
  func `every verb shows its page on standard output, and misuse on standard error`(
    verb: String
  ) throws {
    let page = try run("\(verb) --help")
    #expect(page.output.hasPrefix("tidemark \(verb): ") && page.errors == "" && page.exit == 0)
    let misuse = try run("\(verb) --wrong")
    #expect(misuse.output == "" && misuse.exit == ExitCode.usage.rawValue)
    #expect(misuse.errors.hasPrefix("tidemark: \(verb) has no option '--wrong'"))
  }

  #if os(Linux)
    @Test func `a full disk is told, and ends the tool with 1`() throws {
      let result = try run("explain J201 > /dev/full")
      #expect(result.exit == 1)
      #expect(
        result.errors == "tidemark: cannot write to standard output: No space left on device\n"
      )
    }

    @Test func `an argument that is not UTF-8 is refused`() throws {
      let result = try run("explain $'J\\xff'")
      #expect(result.exit == ExitCode.usage.rawValue)
      #expect(result.errors.hasPrefix("tidemark: 'J\u{fffd}' is not UTF-8"))
    }

    @Test func `a signal ends the wait for the reader of a pipe`() throws {
      // The tool is asleep, and has caught SIGTERM: the fifteenth bit.
      let folder = try TemporaryFolder()
      let result = try Shell(folder: folder.path).run(
        """
        mkfifo pipe; tidemark man -o pipe & tool=$!
        until [[ $(< /proc/$tool/stat) == *'(tidemark) S'* ]] &&
          grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$tool/status; do sleep 0.01; done
        kill -TERM $tool; wait $tool
        """
      )
      #expect(result.exit == ExitCode.interrupted.rawValue)
      #expect(result.errors == "tidemark: stopped by a signal\n")
    }
  #endif
}
