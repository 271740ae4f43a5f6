import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore

@testable import TidemarkTool

/// An output into a file of its own, and what it said beside.
private struct Harness: ~Copyable {
  let folder: TemporaryFolder
  let path: String
  private let messagesPath: String
  var output: Output

  init(_ format: Format = .text, colored: Bool = false, quiet: Bool = false) throws {
    let folder = try TemporaryFolder()
    let descriptor = try System.create(folder.file("messages"))
    let file = try OutputFile(folder.file("out"))
    self.folder = folder
    path = folder.file("out")
    messagesPath = folder.file("messages")
    output = Output(
      format,
      to: file,
      of: .look,
      colored: colored,
      messages: Messages(
        quiet: quiet,
        colored: colored,
        json: format.isJSON,
        to: descriptor
      )
    )
  }

  var text: String { Harness.text(path) }
  var messages: String { Harness.text(messagesPath) }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private static func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

@Suite struct OutputTests {
  @Test func `lines, tables and bytes come in their order`() throws {
    var harness = try Harness()
    try harness.output.line("a \("\u{1b}", .red)")
    var table = Table([.left("name"), .right("seq")])
    table.add("x", "1")
    try harness.output.table(table)
    try harness.output.bytes([0x00, 0x0a])
    try harness.output.finish()
    #expect(harness.text == "a \\u{1b}\nx  1\n\u{0}\n")
  }

  @Test func `a table has titles only if a table was asked for`() throws {
    var harness = try Harness(.table)
    var table = Table([.left("name"), .right("seq")])
    table.add("x", "1")
    try harness.output.table(table)
    try harness.output.finish()
    #expect(harness.text == "name  seq\nx       1\n")
  }

  @Test func `JSON lines are one object each`() throws {
    var harness = try Harness(.jsonl)
    for seq in 1...2 {
      try harness.output.json { $0.object { $0.field("seq", seq) } }
    }
    try harness.output.finish()
    #expect(harness.text == "{\"seq\":1}\n{\"seq\":2}\n")
  }

  @Test func `a document may come in parts`() throws {
    var harness = try Harness(.json)
    try harness.output.json { json in
      json.beginObject()
      json.beginArray("entries")
    }
    for seq in 1...2 { try harness.output.json { $0.element(seq) } }
    try harness.output.json { $0.endAll() }
    try harness.output.finish()
    #expect(harness.text == "{\n  \"entries\": [\n    1,\n    2\n  ]\n}\n")
  }

  @Test func `a document that was cut short by a failure still parses`() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    var output = Output(
      .json,
      to: try OutputFile("/dev/fd/\(descriptor)"),
      of: .look,
      colored: false,
      messages: Messages(colored: false, json: true)
    )
    #expect(throws: Failure.self) {
      try output.json { json in
        json.beginObject()
        json.beginArray("entries")
        json.element(1)
        throw Failure.interrupted
      }
    }
    output.abandon()
    try pipe.fileHandleForWriting.close()
    let written = try pipe.fileHandleForReading.readToEnd() ?? Data()
    let document = try JSONSerialization.jsonObject(with: written) as? [String: [Int]]
    #expect(document == ["entries": [1]])
    #expect(written.last == UInt8(ascii: "\n"))
  }

  @Test func `more than fits into the memory kept for it comes whole`() throws {
    var harness = try Harness()
    let line = String(repeating: "x", count: 999)
    for _ in 0..<500 { try harness.output.line(Line(line)) }
    try harness.output.finish()
    #expect(harness.text.utf8.count == 500_000)
  }

  @Test func `notes are left out when quiet, failures are not`() throws {
    var loud = try Harness()
    loud.output.note("a note \("\u{1b}")")
    #expect(loud.messages == "a note \\u{1b}\n")
    var quiet = try Harness(quiet: true)
    quiet.output.note("a note")
    #expect(quiet.messages == "")
  }

  @Test func `there is no progress where there is no terminal`() throws {
    var harness = try Harness()
    harness.output.progress(1, of: 2, "entries")
    #expect(harness.messages == "")
  }
}

@Suite struct OutputFileTests {
  private func write(_ text: String, to path: String) throws {
    let file = try OutputFile(path)
    try System.write(Array(text.utf8), to: file.descriptor)
    try file.commit()
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a file has its name only when it is whole, and is its owner's alone`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out")
    let old = #"{"schema":"tidemark.explain/1"}"#
    try Data(old.utf8).write(to: URL(filePath: path))
    let file = try OutputFile(path)
    try System.write(Array("new".utf8), to: file.descriptor)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == old)
    try file.commit()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try permissions(path) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test func `a file that is discarded leaves no trace`() throws {
    var harness = try Harness()
    try harness.output.line("half")
    harness.output.abandon()
    #expect(harness.names == ["messages"])
  }

  @Test func `a link keeps pointing where it did`() throws {
    let folder = try TemporaryFolder()
    let (target, link) = (folder.file("target"), folder.file("link"))
    try Data().write(to: URL(filePath: target))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    try write("new", to: link)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test func `a device is written to as it is`() throws {
    try write("gone", to: "/dev/null")
    #expect(System.fileType(at: "/dev/null") == .other)
  }

  @Test func `nothing is written over a folder, or over a part of a journal`() throws {
    let folder = try TemporaryFolder()
    #expect(
      message { _ = try OutputFile(folder.path) }
        == "'\(folder.path)' is a folder; --out takes the name of a file"
    )
    let journal = try TemporaryJournal()
    let open = try journal.open()
    try open.append([.opening()])
    let rollback = journal.path + "-journal"
    try Data("anything".utf8).write(to: URL(filePath: rollback))
    for path in ["", "-wal", "-shm", "-anchor", "-journal"].map({ journal.path + $0 }) {
      let before = FileManager.default.contents(atPath: path)
      #expect(
        message { _ = try OutputFile(path) }
          == "'\(path)' belongs to a journal, which nothing is written over"
      )
      #expect(before?.isEmpty == false)
      #expect(FileManager.default.contents(atPath: path) == before)
    }
    withExtendedLifetime(open) {}
  }

  @Test(arguments: ["-wal", "-shm", "-anchor", "-journal"])
  func `nothing takes a name that a journal may need`(suffix: String) throws {
    let journal = try TemporaryJournal()
    try journal.open().close()
    let path = journal.path + suffix
    try? FileManager.default.removeItem(atPath: path)
    #expect(
      message { _ = try OutputFile(path) }
        == "'\(path)' belongs to a journal, which nothing is written over"
    )
    #expect(!FileManager.default.fileExists(atPath: path))
    // Beside another file it is a name like any other.
    let other = journal.folder.file("notes\(suffix)")
    try write("new", to: other)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "new")
  }

  @Test func `what the tool did not write is left as it is, and named`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other")
    let database = Array("SQLite format 3\u{0}".utf8) + [UInt8](repeating: 0, count: 84)
    let others: [(bytes: [UInt8], words: String)] = [
      (database, "no text"), (Array(#"{"log":{"entries":[]}}"#.utf8), "an HTTP capture (HAR)"),
      (Array("let a = 1\n".utf8), "text"),
      (Array(#"{"schema":"other"}"#.utf8), "JSON of another kind"),
    ]
    for (bytes, words) in others {
      try Data(bytes).write(to: URL(filePath: path))
      #expect(
        message { _ = try OutputFile(path) }
          == "\(path) is there and is \(words); name another file, or remove it first"
      )
      #expect(FileManager.default.contents(atPath: path) == Data(bytes))
    }
    let file = try OutputFile(path, isOwn: true)
    file.discard()
  }

  @Test func `a folder that is not there is told`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("none/out")
    #expect(
      message { _ = try OutputFile(path) } == "cannot write '\(path)': No such file or directory"
    )
  }
}

@Suite struct ByteSinkTests {
  /// Writes more than a pipe holds after its reader went away.
  private func writeToNobody(_ brokenPipe: ByteSink.BrokenPipe) throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    var sink = ByteSink(descriptor, name: "the pipe", brokenPipe: brokenPipe)
    for _ in 0..<3 {
      try sink.append { $0 += [UInt8](repeating: 0x20, count: 100_000) }
    }
    try sink.flush()
  }

  @Test func `a verb that shows something ends when nobody reads`() {
    #expect(throws: ReaderLeft.self) { try writeToNobody(.ends) }
  }

  @Test func `a verb that judges goes on when nobody reads`() throws {
    try writeToNobody(.isIgnored)
  }

  @Test func `a pipe that does not block is waited for`() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let reading = OtherThread { try pipe.fileHandleForReading.readToEnd()?.count }
    try System.write([UInt8](repeating: 0x20, count: 1_000_000), to: descriptor)
    try pipe.fileHandleForWriting.close()
    #expect(try reading.value() == 1_000_000)
  }

  @Test func `a descriptor that cannot be written to is told once`() throws {
    var sink = ByteSink(-1, name: "standard output", brokenPipe: .ends)
    try sink.append { $0 += [0x20] }
    #expect(throws: Failure.self) { try sink.flush() }
    try sink.append { $0 += [0x20] }
    try sink.flush()
  }
}
