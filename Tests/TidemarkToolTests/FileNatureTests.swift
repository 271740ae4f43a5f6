import TestSupport
import Testing

@testable import TidemarkTool

@Suite struct FileNatureTests {
  private func nature(_ text: String) -> FileNature { FileNature(Array(text.utf8)) }

  @Test func `what a file holds is seen in its first bytes`() {
    #expect(FileNature([]) == .empty)
    #expect(nature(#"{"log":{"version":"1.2"}}"#) == .capture)
    #expect(nature("\u{feff} {\r\n\t\"log\" : {") == .capture)
    #expect(nature(#"{"schema":"tidemark.export/1","journal":"#) == .export)
    #expect(nature(#"{"schema":"other"}"#) == .json)
    #expect(nature(#"{"logs":{}}"#) == .json)
    #expect(nature("[1]") == .json)
    #expect(nature("hello") == .text)
    #expect(nature("   ") == .text)
    #expect(nature("a\0b") == .binary)
  }

  @Test func `a database is a journal by its application id alone`() {
    let header = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 52)
    #expect(FileNature(header + Array("Tide".utf8)) == .journal)
    #expect(FileNature(header + Array("Etid".utf8)) == .binary)
    #expect(FileNature(header) == .binary)
  }

  @Test(
    arguments: [
      ([0x1f, 0x8b, 8], "gunzip -c"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd -dc"),
      ([0x50, 0x4b, 3, 4], "unzip -p"), ([0x42, 0x5a, 0x68, 0x39], "bunzip2 -c"),
      ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz -dc"),
      ([0xff, 0xfe, 0x7b, 0x00], "iconv -f UTF-16 -t UTF-8"),
    ] as [([UInt8], String)]
  )
  func `what is packed names what unpacks it`(bytes: [UInt8], unpack: String) {
    guard case .packed(let packer) = FileNature(bytes) else {
      Issue.record("\(bytes) is taken for \(FileNature(bytes))")
      return
    }
    #expect(packer.unpack == unpack)
  }

  @Test func `what is no file has no nature`() throws {
    let folder = try TemporaryFolder()
    #expect(FileNature(at: folder.path) == .folder)
    #expect(FileNature(at: folder.file("none")) == nil)
    #expect(FileNature(at: "/dev/null") == nil)
  }

  @Test(arguments: [
    ("shop.har", "shop.tidemark"), ("a/b/shop.har.gz", "shop.tidemark"),
    ("export.jsonl", "export.tidemark"), ("-", "capture.tidemark"), (".har", "capture.tidemark"),
    ("no ending", "no ending.tidemark"),
  ])
  func `a journal is called after the file that it is made of`(file: String, journal: String) {
    #expect(Suggestion.journalName(for: file) == journal)
  }

  @Test func `near names begin with those that hold the word`() {
    let names = ["/api/notes", "/api/notes/41", "/api/tides", "/other"]
    #expect(Nearest.names(to: "/notes", among: names, max: 2) == ["/api/notes", "/api/notes/41"])
    #expect(Nearest.names(to: "/api/nots", among: names, max: 1) == ["/api/notes"])
    #expect(Nearest.names(to: "/", among: names, max: 3) == [])
    #expect(Nearest.names(to: "/something/else", among: names, max: 3) == [])
  }
}
