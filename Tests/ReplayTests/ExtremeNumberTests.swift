import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

/// Whoever can write the file can write any number into it: nobody trips over it.
@Suite struct ExtremeNumberTests {
  private let place: TemporaryJournal

  init() throws {
    place = try TemporaryJournal()
    let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Journal/golden/v1-every-kind/journal.sqlite")
    try place.write(Array(try Data(contentsOf: golden)))
  }

  /// Puts `number` in the place of every number of a payload.
  private func replaced(_ value: CBORValue, by number: UInt64) -> CBORValue {
    switch value {
    case .unsigned: .unsigned(number)
    case .array(let items): .array(items.map { replaced($0, by: number) })
    case .map(let pairs):
      .map(pairs.map { .init($0.key, replaced($0.value, by: number)) })
    default: value
    }
  }

  /// Nothing leaves the payloads as they are: then begins and ends still know each other.
  @Test(arguments: [nil, 0, 1 << 53, 1 << 63 - 1, 1 << 63, .max] as [UInt64?])
  func `a number at the end of its range is no trap for anybody`(number: UInt64?) throws {
    try place.forge { entries in
      for index in entries.indices {
        guard case .map(var pairs) = try CBORValue(entries[index]) else { continue }
        for place in pairs.indices where pairs[place].key == .unsigned(15) {
          guard let number else { break }
          pairs[place].value = replaced(pairs[place].value, by: number)
        }
        // The time, too.
        for place in pairs.indices where pairs[place].key == .unsigned(3) {
          pairs[place].value = index % 2 == 0 ? .unsigned(1 << 63 - 1) : .negative(1 << 63 - 1)
        }
        entries[index] = CBORValue.map(pairs).encoded
      }
    }
    let reader = try place.read()
    let last = reader.last
    _ = try Judge.judge(reader)
    _ = try RaceReport(reader)
    _ = try Verification.verify(reader, .init(bodies: true))
    var projector = Projector(Shelf.self)
    try projector.run(reader)
    _ = ShelfView(projector.state)
    #expect(projector.position == last)
    let context = EntryContext(reader)
    var statistics = Statistics(by: .kind, EntryFilter(), context)
    for entry in try reader.allEntries() {
      statistics.take(entry)
      for (_, seq) in entry.references { #expect(number == nil || seq.value == number) }
      #expect(!entry.time.description.isEmpty)
    }
    #expect(statistics.total.entries == last.value)
    for path in ["/notes", "/notes/41"] {
      _ = try Why.stories(of: Path(path), in: { _ in true }, through: last, context)
    }
  }
}
