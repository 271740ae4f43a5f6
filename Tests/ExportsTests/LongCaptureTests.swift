import TestSupport
import Testing
import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkProjections

/// Captures that are read ahead, in batches, and in another order than they stand in the file.
@Suite struct LongCaptureTests {
  private func moment(_ number: Int) -> String {
    "\"\(DeviceTime(milliseconds: 1_778_594_587_000 + Int64(number)))\""
  }

  @Test func `a capture of several batches becomes all of its entries, in order and once`() throws {
    let entries = (0..<2600).map { number in
      entryText(
        started: moment(number * 10),
        time: "25",
        url: "\"https://api.example.org/notes/\(number % 40)\"",
        content: #"{"size": 8, "mimeType": "application/json", "text": "{\"n\":\#(number)}"}"#
      )
    }
    let place = try TemporaryJournal()
    let story = try Imported(entries, into: place)
    #expect(story.summary.reads == 2600)
    #expect(story.entries.count == 1 + 2 * 2600 + 1)
    let begun = story.entries.filter { $0.kind == ReadBegan.number }
    #expect(begun.map(\.time.milliseconds) == begun.map(\.time.milliseconds).sorted())
    #expect(try story.content("/notes/39") == #"{"n":2599}"#)
    let again = try Imported(entries, into: place)
    #expect(again.summary.appended == 0)
    #expect(again.summary.known == story.entries.count)
  }

  @Test func `contents come whole, wherever their elements stand`() throws {
    var chance = SeededGenerator(seed: testSeed())
    let texts = (0..<120).map { number in
      let count = number % 20 == 0 ? 600_000 : Int.random(in: 0..<20_000, using: &chance)
      return String(repeating: "\(number % 10)", count: count)
    }
    // Some in the order of time, with a few that stand elsewhere.
    let order = (0..<120).map { place in
      Int.random(in: 0..<8, using: &chance) == 0 ? Int.random(in: 0..<120, using: &chance) : place
    }
    let entries = zip(order, texts).map { start, text in
      entryText(started: moment(start * 100), time: "250", content: "{\"text\": \"\(text)\"}")
    }
    let reading = try Reading(captureText(entries))
    #expect(reading.problems.isEmpty)
    let bodies = reading.exchanges.map { ($0.index, $0.responseBody.text) }
    #expect(bodies.count == 120)
    #expect(bodies.allSatisfy { $1 == texts[$0] })
  }

  @Test func `a capture that became shorter after it was checked ends the import`() throws {
    let entries = (0..<200).map { entryText(started: moment($0)) }
    let file = try TemporaryFile(captureText(entries))
    let source = try HARSource(reading: InputFile(path: file.path))
    try file.replace(captureText(Array(entries.prefix(20))))
    let place = try TemporaryJournal()
    var importing = HARImport(
      source,
      policy: TouchPolicy(),
      into: try place.open(),
      state: Shelf.empty
    )
    var chance = SeededGenerator(seed: 1)
    #expect(throws: HARImport.Failure.self) { try importing.run(chance: &chance) }
  }

  @Test func `what is no capture has no digest either`() throws {
    let file = try TemporaryFile("[]")
    #expect(throws: HARError.self) { try HARSource(reading: InputFile(path: file.path)) }
  }
}
