import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// The worked example of `Journal/FORMAT.md`, made by the code.
@Suite struct WorkedExampleTests {
  @Test func `the code makes the bytes of the worked example`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([
      .opening("https://a.example", key: "open-1", time: 1_000_000),
      .begin("/notes", key: "read-1", time: 1_000_250),
    ])
    try journal.close()
    let page = try formatPage()
    let reader = try place.read()
    for entry in try reader.allEntries() {
      #expect(page.hexDigits.contains(Hex.encode(entry.bytes)), "entry \(entry.seq)")
      #expect(page.text.contains(Tree.leaf(of: entry).description))
    }
    #expect(page.text.contains(journal.root.description))
    try reader.forEachPart(from: Seq(1), through: Seq(2)) { (block, _) throws(JournalError) in
      #expect(page.text.contains("`checksum`\n\(block.checksum)"))
      #expect(page.hexDigits.contains(Hex.encode(block.frames)))
      #expect(page.text.contains("`raw_bytes` \(block.rawBytes)"))
      return true
    } mapping: {
      $0
    }
  }

  private func formatPage() throws -> (text: String, hexDigits: String) {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Journal/FORMAT.md"),
      encoding: .utf8
    )
    // What stands behind the bytes in a line is said of them.
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: " ").prefix { word in word.allSatisfy(\.isHexDigit) }.joined()
    }
    return (text, lines.joined())
  }
}
