import Foundation
import TestSupport
import Testing
import TidemarkEntries

/// Journals that were made by earlier builds, and what must be read from them for good.
///
/// A folder of `Journal/golden` holds a journal and what the tool says of it. A text that is
/// missing is written, and fails once: read it, then commit it. Nothing writes over one that is
/// there.
@Suite struct GoldenJournalTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let folders: [String] = {
    let golden = root.appending(path: "Journal/golden").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: golden)) ?? []).sorted()
  }()

  /// What is asked of every journal; the answer stands in the file of the name.
  static let questions: [(file: String, words: [String])] = [
    ("info.txt", ["info"]),
    ("log.txt", ["log", "--dates"]),
    ("entries.jsonl", ["log", "--format", "jsonl"]),
    ("verify.txt", ["verify", "--bodies"]),
    ("check.txt", ["check"]),
    ("races.txt", ["races", "--all"]),
    ("shelf.txt", ["state", "--only", "shelf", "--bodies"]),
    ("outbox.txt", ["state", "--only", "outbox"]),
    ("pins.txt", ["state", "--only", "pins"]),
    ("inbox.txt", ["state", "--only", "inbox"]),
    ("replay.txt", ["check", "--replay"]),
  ]

  @Test func `there are golden journals of each kind of ending`() {
    let expected: Set<String> = [
      "v1-bit-flip", "v1-empty", "v1-every-kind", "v1-stores", "v1-torn-tail",
    ]
    #expect(Set(GoldenJournalTests.folders).isSuperset(of: expected))
  }

  @Test(arguments: folders)
  func `an old journal reads as it did`(folder: String) throws {
    let golden = GoldenJournalTests.root.appending(path: "Journal/golden/\(folder)")
    for question in GoldenJournalTests.questions {
      let answer = try ask(question.words, of: golden)
      let file = golden.appending(path: question.file)
      guard let known = try? String(contentsOf: file, encoding: .utf8) else {
        try answer.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("\(folder)/\(question.file) is written: read it, then commit it")
        continue
      }
      #expect(answer == known, "\(folder)/\(question.file)")
    }
  }

  @Test func `two golden journals together hold every kind of the first version`() throws {
    let text = try ["v1-every-kind", "v1-stores"].map { folder in
      let file = GoldenJournalTests.root
        .appending(path: "Journal/golden/\(folder)/entries.jsonl")
      return try String(contentsOf: file, encoding: .utf8)
    }.joined()
    for kind in KindRegistry.kinds {
      #expect(text.contains("\"kind\":\"\(kind.name)\""), "\(kind.name)")
    }
  }

  /// Runs the tool on a copy, because reading may leave files beside a journal.
  private func ask(_ words: [String], of golden: URL) throws -> String {
    let folder = try TemporaryFolder()
    for name in ["journal.sqlite", "journal.sqlite-anchor"] {
      try FileManager.default.copyItem(
        atPath: golden.appending(path: name).path,
        toPath: folder.file(name)
      )
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltTool.folder + "/tidemark")
    process.arguments = [words[0], "journal.sqlite"] + words.dropFirst()
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // The versions of the libraries are not the journal's.
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("library") }
    return (lines + ["[exit \(process.terminationStatus)]"]).joined(separator: "\n") + "\n"
  }
}
