import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@testable import TidemarkTool

/// `log -f` beside a writer: what comes is shown, once and in order, and a signal ends it.
@Suite struct FollowTests {
  /// A tool that runs while the test goes on.
  private final class Running {
    private let process = Process()
    private let output: URL
    private let errors: URL

    init(_ words: [String], in folder: TemporaryFolder) throws {
      let name = UUID().uuidString
      output = URL(filePath: folder.file("\(name).out"))
      errors = URL(filePath: folder.file("\(name).err"))
      for file in [output, errors] { try Data().write(to: file) }
      process.executableURL = URL(filePath: BuiltTool.folder + "/tidemark")
      process.arguments = words
      process.currentDirectoryURL = URL(filePath: folder.path)
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
    }

    deinit {
      if process.isRunning { process.terminate() }
    }

    var lines: [String] {
      let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").map(String.init)
    }

    var said: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// Waits until so many lines are out; a deadline only ends a test that hangs.
    func wait(forLines count: Int) -> Bool {
      for _ in 0..<6000 {
        if lines.count >= count { return true }
        if !process.isRunning { return false }
        Thread.sleep(forTimeInterval: 0.01)
      }
      return false
    }

    func interrupt() -> Int32 {
      process.interrupt()
      return finish()
    }

    func finish() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private func append(_ keys: [String], to journal: Journal) throws {
    try journal.append(try keys.map { try .begin("/notes", key: $0) })
  }

  private func keys(_ lines: [String]) -> [String] {
    lines.compactMap { $0.firstMatch(of: #/"key":"([^"]+)"/#).map { String($0.1) } }
  }

  @Test func `what comes is shown in order, and a signal ends it with the cursor written`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    let words = [
      "log", place.path, "-f", "--format", "jsonl", "kind=read-began", "--cursor-file", "at",
    ]
    let first = try Running(words, in: place.folder)
    var expected: [String] = []
    for round in 0..<5 {
      let batch = (0...round).map { "r\(round)-\($0)" }
      try append(batch, to: journal)
      expected += batch
      #expect(first.wait(forLines: expected.count), "round \(round): \(first.said)")
    }
    #expect(keys(first.lines) == expected)
    #expect(first.interrupt() == ExitCode.interrupted.rawValue)
    #expect(first.said.split(separator: "\n").last?.contains("\"interrupted\"") == true)

    let file = CursorFile(place.folder.file("at"))
    #expect(try file.read() == place.read().cursor(at: journal.committed))

    // The next run goes on where this one ended.
    try append(["later"], to: journal)
    let second = try Running(words, in: place.folder)
    #expect(second.wait(forLines: 1), "\(second.said)")
    #expect(keys(second.lines) == ["later"])
    #expect(second.interrupt() == ExitCode.interrupted.rawValue)
    withExtendedLifetime(journal) {}
  }

  @Test func `text is shown as it comes, and a range that is reached ends it`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    let running = try Running(["log", place.path, "-f", "--to", "3"], in: place.folder)
    #expect(running.wait(forLines: 1), "\(running.said)")
    try append(["a"], to: journal)
    #expect(running.wait(forLines: 2), "\(running.said)")
    try append(["b", "c", "d"], to: journal)
    #expect(running.finish() == 0)
    #expect(running.lines.count == 3)
    withExtendedLifetime(journal) {}
  }

  @Test(arguments: [(2, ["b", "c"]), (9, ["a", "b", "c"])])
  func `a limit is where following begins`(limit: Int, shown: [String]) throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try append(["a", "b", "c"], to: journal)
    let words = [
      "log", place.path, "-f", "-n", "\(limit)", "--format", "jsonl", "kind=read-began",
    ]
    let running = try Running(words, in: place.folder)
    #expect(running.wait(forLines: shown.count), "\(running.said)")
    try append(["d", "e"], to: journal)
    #expect(running.wait(forLines: shown.count + 2), "\(running.said)")
    #expect(running.interrupt() == ExitCode.interrupted.rawValue)
    #expect(keys(running.lines) == shown + ["d", "e"])
    withExtendedLifetime(journal) {}
  }

  @Test func `a journal that is replaced while it is followed is an error`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "a")])
    try journal.close()
    let running = try Running(
      ["log", place.path, "-f", "--cursor-file", "at"],
      in: place.folder
    )
    #expect(running.wait(forLines: 2), "\(running.said)")
    let bytes = try place.bytes()
    let other = place.folder.file("other")
    try Data(bytes).write(to: URL(filePath: other))
    #expect(rename(other, place.path) == 0)
    #expect(running.finish() == ExitCode.failure.rawValue)
    #expect(running.said.contains("was replaced by another file"))
    #expect(try CursorFile(place.folder.file("at")).read()?.seq == 2, "what was shown was shown")
  }

  // MARK: The cursor file

  @Test func `a cursor file is written whole, and only over a cursor`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("at")
    let file = CursorFile(path)
    #expect(try file.read() == nil)
    let cursor = try #require(Cursor("7f3a9c21:1:4122:b81e44d0"))
    try file.write(cursor)
    #expect(try file.read() == cursor)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(cursor)\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["at"])
    for text in ["", "notes", "7f3a9c21:1:4122", "7f3a9c21:1:4122:b81e44d0:5"] {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(throws: Failure.self, "\(text)") { try file.read() }
    }
    #expect(throws: Failure.self) { try CursorFile(folder.path).read() }
    let place = try TemporaryJournal()
    try place.open().close()
    #expect(throws: Failure.self) { try CursorFile(place.path).read() }
    #expect(throws: Failure.self) { try CursorFile(place.path).write(cursor) }
  }
}
