import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@testable import TidemarkTool

/// Journals that are long, damaged, or name what is no text.
@Suite struct OddJournalTests {
  @Test func `a path that is no text can be asked for as it is told`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    let draft = Draft(
      ReadBegan(generation: 0),
      key: try IdempotencyKey("a"),
      store: .openedInBatch(1),
      time: DeviceTime(milliseconds: 0),
      paths: [(Path(canonical: [0x2f, 0xff]), .begin)]
    )
    try journal.append([.opening(), draft])
    try journal.close()
    let shell = Shell(folder: place.folder.path)
    let why = try shell.run("tidemark why test.tidemark 0x2fff --format json")
    #expect(why.exit == 0 && why.errors == "")
    #expect(why.output.contains(#""path": "0x2fff""#), "\(why.output)")
    let state = try shell.run("tidemark state test.tidemark --path 0x2fff")
    #expect(state.output.contains(#"reading  1.0.2  /\xff"#), "\(state.output)")
  }

  @Test func `info tells scripts of damage in objects, and ends with 4`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    for key in ["a", "b"] { try journal.append([.begin(key: key)]) }
    try journal.close()
    try place.flipBit(inEntry: 2)
    let shell = Shell(folder: place.folder.path)
    let result = try shell.run("tidemark info test.tidemark --format json")
    #expect(result.exit == 4)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["schema"] as? String == "tidemark.finding/1")
      #expect(object?["code"] as? String == "J102")
    }
    let text = try shell.run("tidemark info test.tidemark")
    #expect(text.exit == 4 && text.errors.hasPrefix("J102 block-damaged  seq 2"))
  }

  @Test func `a hint looks at the last entries of a long journal, and says so`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin("/early", key: "early")])
    for start in stride(from: 0, to: 20_000, by: 4000) {
      try journal.append(
        try (start..<start + 4000).map { try .begin("/late", key: "\($0)") },
        durability: .lazy
      )
    }
    try journal.close()
    let reader = try place.read()
    let end = try NearNames.suffix(of: Path("/lat"), in: reader)
    #expect(end == ", near are: /late")
    #expect(try NearNames.suffix(of: Path("/earl"), in: reader) == "")
    let shell = Shell(folder: place.folder.path)
    let log = try shell.run("tidemark log test.tidemark path=/lat")
    #expect(
      log.errors == "note: no entry matches; none of the last 20,000 names /lat, near are: /late\n"
    )
  }

  /// The beginning of one digest in 43 is a number; with a journal's random id, no digest is known
  /// before.
  @Test func `the beginning of a digest that reads as a number names its entry`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append(try (0..<4000).map { try .begin(key: "k\($0)") })
    try journal.close()
    let digits = try place.read().allEntries().map { entry in
      (entry.seq, Tree.leaf(of: entry).description.prefix(8))
    }
    let numbers = digits.filter { Int($0.1) ?? 0 > 4001 }
    try #require(!numbers.isEmpty)
    for (seq, number) in numbers.prefix(3) {
      let entry = try EntryName.entry(String(number), in: try place.read())
      #expect(entry.seq == seq, "\(number)")
    }
    let shell = Shell(folder: place.folder.path)
    let none = try shell.run("tidemark show test.tidemark 4002")
    #expect(none.errors.contains("there is no entry 4002; the last is 4001"))
    #expect(try shell.run("tidemark show test.tidemark 12").output.hasPrefix("entry     12  "))
  }
}
