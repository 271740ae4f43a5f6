import Foundation
import TestSupport
import Testing
import TidemarkJSON

@Suite struct InputFileTests {
  @Test func `a file is read in pieces, at any offset`() throws {
    let file = try TemporaryFile("0123456789")
    let input = try InputFile(path: file.path)
    #expect(input.byteCount == 10)
    var buffer: [UInt8] = []
    try input.load(3..<7, into: &buffer)
    #expect(buffer == Array("3456".utf8))
    try input.load(0..<2, into: &buffer, from: 4)
    #expect(buffer == Array("345601".utf8))
    #expect(try input.take(4, at: 8, into: &buffer, from: 0) == 2)
    #expect(try input.take(4, at: 10, into: &buffer, from: 0) == 0)
  }

  @Test func `what is behind the end is told`() throws {
    let file = try TemporaryFile("0123456789")
    let input = try InputFile(path: file.path)
    var buffer: [UInt8] = []
    #expect(throws: InputError.self) { try input.load(8..<11, into: &buffer) }
  }

  @Test func `what is no file is refused by name`() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path, folder.path + "/nothing", "/dev/zero"] {
      do {
        _ = try InputFile(path: path)
        Issue.record("\(path) was opened")
      } catch {
        #expect("\(error)".hasPrefix("\(path): "), "\(error)")
      }
    }
  }

  @Test func `what comes through a pipe can be read at any offset, and leaves no file`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let writer = OtherThread {
      try FileHandle(forWritingTo: URL(fileURLWithPath: pipe)).write(contentsOf: Data(bytes))
    }
    let before = try temporaryFiles()
    let input = try InputFile(path: pipe)
    try writer.value()
    #expect(try temporaryFiles() == before)
    #expect(input.byteCount == bytes.count)
    var buffer: [UInt8] = []
    try input.load(999_990..<1_000_000, into: &buffer)
    #expect(buffer == Array(bytes[999_990...]))
  }

  private func temporaryFiles() throws -> [String] {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix("tidemark-spool-") }.sorted()
  }
}
