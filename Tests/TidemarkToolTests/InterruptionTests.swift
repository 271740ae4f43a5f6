import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@testable import TidemarkTool

/// A verb that is asked to stop ends with 130 and leaves nothing lying about.
///
/// In one process after the other: a request to stop belongs to all that runs in it.
@Suite struct InterruptionTests {
  private let place: TemporaryJournal
  private let temporary: TemporaryFolder

  init() throws {
    place = try TemporaryJournal()
    temporary = try TemporaryFolder()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "a")])
    try journal.close()
  }

  @Test(arguments: [
    "verify JOURNAL", "check JOURNAL", "races JOURNAL", "state JOURNAL", "why JOURNAL /notes",
    "stats JOURNAL", "log JOURNAL", "show JOURNAL a", "info JOURNAL", "export jsonl JOURNAL",
    "import har CAPTURE --into NEW --yes", "import har CAPTURE --into NEW --dry-run",
    "import jsonl CAPTURE --into NEW --yes", "import har CAPTURE --into JOURNAL --dry-run",
  ])
  func `a verb that was asked to stop ends with 130`(words: String) async throws {
    let files = [
      "JOURNAL": place.path, "CAPTURE": Shell.sample, "NEW": place.folder.file("new"),
    ]
    let command = words.split(separator: " ").map { files[String($0)] ?? String($0) }
    let folder = temporary.path
    await #expect(processExitsWith: .exitCode(130)) {
      [command = command as [String], folder = folder as String] in
      setenv("TMPDIR", folder, 1)
      _ = Interruption.request()
      System.exit(Tool.run(command, in: .current))
    }
    #expect(try names(in: temporary) == [])
  }

  @Test func `the second signal removes what the process made for itself`() async throws {
    let (path, folder) = (place.path, temporary.path)
    await #expect(processExitsWith: .exitCode(130)) {
      [path = path as String, folder = folder as String] in
      setenv("TMPDIR", folder, 1)
      signal(SIGINT, SIG_DFL)
      System.catchSignals()
      let target = try ImportTarget(path, isDryRun: true)
      let file = try OutputFile(folder + "/out.json")
      var chance = SystemRandomNumberGenerator()
      let journal = try Journal(target.path, chance: &chance)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
      raise(SIGINT)
      raise(SIGINT)
      try journal.close()
      file.discard()
    }
    #expect(try names(in: temporary) == [])
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }
}
