import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkHashing
import TidemarkJSON
import TidemarkJournalStore

@testable import TidemarkExports

@Suite struct JSONLinesTests {
  // MARK: Words

  /// The lines of an export, each with its end.
  private func export(
    _ place: TemporaryJournal,
    bodies: Bool = true,
    _ change: (inout EntrySelection) -> Void = { _ in }
  ) throws -> (lines: [[UInt8]], summary: JSONLinesExport.Summary) {
    var selection = EntrySelection()
    change(&selection)
    var lines: [[UInt8]] = []
    let summary = try JSONLinesExport(try place.read(), selection, bodies: bodies).run {
      lines.append($0)
    } batch: { _ in
    }
    return (lines, summary)
  }

  private func take(
    _ bytes: [UInt8],
    into place: TemporaryJournal
  ) throws -> JSONLinesImport.Summary {
    let file = place.folder.file("lines")
    try Data(bytes).write(to: URL(filePath: file))
    var chance = SeededGenerator(seed: 77)
    return try JSONLinesImport.run(
      InputFile(path: file),
      into: place.path,
      chance: &chance,
      progress: { _, _ in }
    )
  }

  /// The code of an import that fails, and that nothing is left of it.
  private func failure(_ bytes: [UInt8]) throws -> (code: FindingCode?, line: Int?) {
    let place = try TemporaryJournal()
    do {
      _ = try take(bytes, into: place)
      return (nil, nil)
    } catch let error as JSONLinesError {
      let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
      #expect(names == ["lines"], "\(error)")
      return (error.code, error.line)
    }
  }

  private func object(_ line: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  /// A journal with contents, odd keys, entries of unknown kinds and of unknown fields.
  private func journal(_ seed: UInt64, entries: Int = 60) throws -> TemporaryJournal {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: seed)
    try journal.append([.opening()])
    for number in 0..<entries {
      try journal.append(try drafts(number, in: journal, &chance), durability: .lazy)
    }
    try journal.close()
    return place
  }

  private func drafts(
    _ number: Int,
    in journal: Journal,
    _ chance: inout SeededGenerator
  ) throws -> [Draft] {
    let begin = journal.last.value + 1
    switch Int.random(in: 0..<4, using: &chance) {
    case 0:
      let content = (0..<Int.random(in: 0..<200, using: &chance)).map { _ in
        UInt8.random(in: 0...255, using: &chance)
      }
      let body = try journal.body(
        Bool.random(using: &chance) ? content : Array("the same".utf8),
        chance: &chance
      )
      return [
        try .begin("/p/\(number % 5)", key: "b\(number)"),
        try .landing("/p/\(number % 5)", key: "l\(number)", begin: begin, body: body),
      ]
    case 1:
      let key = (0..<Int.random(in: 1..<9, using: &chance)).map { _ in
        UInt8.random(in: 0...255, using: &chance)
      }
      return [
        Draft(
          number: 900,
          payload: CBORValue.map([
            .init(.unsigned(1), .bytes(key)), .init(.unsigned(9), .float(1.5)),
          ])
          .encoded,
          key: try IdempotencyKey([UInt8(number)] + key),
          store: .opened(Seq(1)),
          time: DeviceTime(milliseconds: Int64(number) * 86_399_999)
        )
      ]
    case 2:
      return [
        Draft(
          number: ReadBegan.number,
          payload: CBORValue.map([
            .init(.unsigned(1), .unsigned(0)), .init(.unsigned(77), .text("\u{1b}[31m\u{202e}")),
          ]).encoded,
          key: try IdempotencyKey("odd\u{1b}\(number)"),
          store: .opened(Seq(1)),
          time: DeviceTime(milliseconds: -1),
          paths: [(Path(canonical: [0x2f, 0xff, UInt8(number)]), .begin)]
        )
      ]
    default:
      return [
        Draft(
          MutationSent(method: "PUT", touches: [], label: "\u{0}\"\\"),
          key: try IdempotencyKey("m\(number)"),
          store: .opened(Seq(1)),
          time: DeviceTime(milliseconds: Int64(number)),
          cause: .entry(Seq(1)),
          paths: [(try Path("/p/\(number % 3)?q=é"), .mention)]
        )
      ]
    }
  }

  private func entries(_ place: TemporaryJournal) throws -> [[UInt8]] {
    try place.read().allEntries().map { Array($0.bytes) }
  }

  // MARK: Round trips

  @Test func `what was exported is imported with the same bytes, root and contents`() throws {
    let seed = testSeed()
    for round in 0..<8 as Range<UInt64> {
      let place = try journal(seed + round)
      let (lines, summary) = try export(place)
      let copy = try TemporaryJournal()
      let taken = try take(Array(lines.joined()), into: copy)
      #expect(taken.added == UInt64(try entries(place).count) && taken.known == 0)
      #expect(taken.root == summary.root && taken.bodies == summary.bodies)
      let (one, two) = (try place.read(), try copy.read())
      #expect(try entries(place) == entries(copy))
      #expect(try one.root() == two.root() && two.root() == summary.root)
      #expect(one.identity.journal == two.identity.journal)
      #expect(one.identity.writer == two.identity.writer && one.identity.term == two.identity.term)
      for reference in try two.allEntries().flatMap({ try $0.bodies }) {
        guard case .kept(let mine) = try one.body(reference, of: nil),
          case .kept(let its) = try two.body(reference, of: nil)
        else {
          Issue.record("a content is missing")
          continue
        }
        #expect(mine == its)
      }
      #expect(try export(copy).lines == lines, "an export of the copy is the same file")
      #expect(try copy.read().anchorStanding() == .equal)
    }
  }

  @Test func `an empty journal is exported and imported`() throws {
    let place = try TemporaryJournal()
    try place.open().close()
    let (lines, _) = try export(place)
    let copy = try TemporaryJournal()
    #expect(try take(Array(lines.joined()), into: copy).root == Tree.emptyRoot)
    #expect(try copy.read().identity.journal == place.read().identity.journal)
  }

  @Test func `importing again adds nothing, and a longer export adds the rest`() throws {
    let place = try journal(5, entries: 20)
    let first = try export(place)
    let copy = try TemporaryJournal()
    _ = try take(Array(first.lines.joined()), into: copy)
    let again = try take(Array(first.lines.joined()), into: copy)
    #expect(again.added == 0 && again.known == first.summary.entries && again.bodies == 0)
    let journal = try place.open()
    try journal.append([.begin(key: "later")])
    try journal.close()
    let longer = try take(Array(try export(place).lines.joined()), into: copy)
    #expect(longer.added == 1 && longer.known == first.summary.entries)
    let shorter = try take(Array(first.lines.joined()), into: copy)
    #expect(shorter.added == 0, "an older export has nothing to add")
    #expect(try copy.read().root() == place.read().root())
  }

  @Test func `contents go along only if they are asked for, each once`() throws {
    let place = try journal(6)
    let without = try export(place, bodies: false)
    #expect(without.summary.bodies == 0)
    #expect(
      try without.lines.allSatisfy { try object($0)["schema"] as? String != "tidemark.body/1" }
    )
    let with = try export(place).lines.map { try object($0) }
    let ids = with.compactMap {
      $0["schema"] as? String == "tidemark.body/1" ? $0["id"] as? Int : nil
    }
    #expect(!ids.isEmpty && Set(ids).count == ids.count)
    let copy = try TemporaryJournal()
    #expect(try take(Array(without.lines.joined()), into: copy).hasBodies == false)
    #expect(try copy.read().root() == place.read().root(), "the root does not need them")
  }

  @Test func `a content that is gone, and one that was changed, are left out and told`() throws {
    let place = try journal(6)
    let bodies = try export(place).summary.bodies
    try place.tamper("UPDATE bodies SET salt = NULL, content = NULL WHERE id = 1")
    // No entry accounts for it.
    let gone = try export(place)
    #expect(gone.summary.bodies == bodies - 1)
    #expect(gone.summary.findings.map(\.code) == [.bodyDiffers] && gone.summary.root == nil)
    try place.tamper("UPDATE bodies SET salt = zeroblob(16) WHERE id = 2")
    let changed = try export(place)
    #expect(changed.summary.bodies == bodies - 2)
    #expect(changed.summary.findings.map(\.code) == [.bodyDiffers, .bodyDiffers])
    #expect(changed.summary.root == nil)
  }

  // MARK: Parts

  @Test func `a part is for reading: the header says so, and importing it is refused`() throws {
    let place = try journal(7)
    let parts: [(inout EntrySelection) -> Void] = [
      { $0.first = Seq(2) }, { $0.limit = 3 }, { $0.filter.kinds = [ReadBegan.number] },
    ]
    for change in parts {
      let (lines, summary) = try export(place, change)
      #expect(try object(lines[0])["whole"] as? Bool == false)
      #expect(summary.root == nil)
      #expect(try failure(Array(lines.joined())).code == .bundleIncomplete)
    }
    let (lines, summary) = try export(place) { $0.last = Seq(10) }
    #expect(summary.root != nil && summary.entries == 10)
    #expect(try failure(Array(lines.joined())).code == nil, "a prefix is whole in itself")
  }

  @Test func `of a damaged journal the rest is exported, and cannot be imported`() throws {
    let place = try journal(8)
    try place.flipBit(inEntry: 30)
    let (lines, summary) = try export(place)
    #expect(summary.findings.map(\.code) == [.blockDamaged])
    #expect(try object(try #require(lines.last))["root"] is NSNull)
    #expect(try failure(Array(lines.joined())).code == .bundleIncomplete)
  }

  @Test func `a torn tail is no part of an export`() throws {
    let place = try journal(15, entries: 10)
    let last = try place.read().last.value
    let end = try #require(try place.read().block(holding: Seq(last))).first.value - 1
    try place.acknowledge(through: end)
    try place.zeroBlock(ofEntry: last)
    let (lines, summary) = try export(place)
    #expect(summary.findings == [] && summary.entries == end)
    let copy = try TemporaryJournal()
    #expect(try take(Array(lines.joined()), into: copy).root == summary.root)
  }

  // MARK: Damage

  @Test func `whatever line is missing, twice, or in another place, nothing is taken`() throws {
    let lines = try export(journal(9, entries: 8)).lines
    for index in lines.indices {
      var missing = lines
      missing.remove(at: index)
      #expect(try failure(Array(missing.joined())).code != nil, "without line \(index + 1)")
      var twice = lines
      twice.insert(lines[index], at: index)
      #expect(try failure(Array(twice.joined())).code != nil, "line \(index + 1) twice")
      guard index + 1 < lines.count else { continue }
      var swapped = lines
      swapped.swapAt(index, index + 1)
      #expect(try failure(Array(swapped.joined())).code != nil, "line \(index + 1) behind the next")
    }
  }

  @Test func `whatever character is changed, nothing is taken`() throws {
    let lines = try export(journal(10, entries: 8)).lines
    let bytes = Array(lines.joined())
    var chance = SeededGenerator(seed: testSeed())
    for _ in 0..<120 {
      var changed = bytes
      let place = Int.random(in: changed.indices, using: &chance)
      let byte = UInt8.random(in: 0x20..<0x7f, using: &chance)
      guard changed[place] != byte else { continue }
      changed[place] = byte
      let found = try failure(changed)
      #expect(found.code != nil, "byte \(place) changed to \(byte)")
    }
  }

  @Test func `wherever the file is cut, nothing is taken`() throws {
    let bytes = Array(try export(journal(11, entries: 3)).lines.joined())
    for count in stride(from: 0, to: bytes.count - 1, by: 23) {
      let code = try failure(Array(bytes.prefix(count))).code
      #expect(code == (count == 0 ? .inputMalformed : .bundleIncomplete), "\(count) bytes")
    }
    #expect(try failure(bytes.dropLast()).code == nil, "the last end of line may be missing")
    #expect(try failure(bytes + Array("{}\n".utf8)).code == .bundleIncomplete)
  }

  /// Changes one line and makes the digest of the trailer right again, as a forger would.
  private func forged(
    _ place: TemporaryJournal,
    line index: Int,
    _ change: (inout String) -> Void
  ) throws -> (code: FindingCode?, line: Int?) {
    var lines = try export(place).lines.map { String(decoding: $0, as: UTF8.self) }
    change(&lines[index])
    let trailer = lines.removeLast()
    let digest = sha256(Array(lines.joined().utf8))
    let before = try #require(trailer.range(of: "\"digest\":\""))
    lines.append(trailer[..<before.upperBound] + digest + "\"}\n")
    return try failure(Array(lines.joined().utf8))
  }

  @Test func `a forger who makes the digest anew is found by the rest`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: 1)
    let body = try journal.body(Array("text".utf8), chance: &chance)
    try journal.append([.opening(), .begin(key: "b"), .landing(key: "l", begin: 2, body: body)])
    try journal.close()
    // Lines: header, two entries, the content, the entry that names it, trailer.
    func replacing(_ line: Int, _ old: String, _ new: String) throws -> (FindingCode?, Int?) {
      try forged(place, line: line) { text in
        #expect(text.contains(old), "\(text)")
        text = text.replacingOccurrences(of: old, with: new)
      }
    }
    let cases: [(line: Int, old: String, new: String, code: FindingCode?, at: Int?)] = [
      (0, "tidemark.export/1", "tidemark.export/2", .newerFormat, 1),
      (0, "\"format\":1", "\"format\":9", .newerFormat, 1),
      (0, "\"term\":1", "\"term\":0", .inputMalformed, 1),
      (0, "\"journal\":\"", "\"journal\":\"00", .inputMalformed, 1),
      (0, "\"count\":3", "\"count\":4", .bundleIncomplete, 6),
      (0, "\"whole\":true", "\"whole\":false", .bundleIncomplete, 1),
      (0, "tidemark.export/1", "tidemark.race/1", .inputMalformed, 1),
      (1, "tidemark.entry/1", "tidemark.race/1", .inputMalformed, 2),
      (1, "\"seq\":1", "\"seq\":2", .bundleIncomplete, 2),
      (1, "\"seq\":1", "\"seq\":1,\"seq\":1", .inputMalformed, 2),
      (1, "\"raw\":\"", "\"raw\":\"!", .inputMalformed, 2),
      (1, "\"raw\":\"p", "\"raw\":\"/", .inputMalformed, 2),
      (2, "\"raw\":\"", "\"RAW\":\"", .inputMalformed, 3),
      (3, "\"id\":1", "\"id\":2", .bundleIncomplete, 5),
      (3, "\"id\":1", "\"id\":-1", .inputMalformed, 4),
      (3, "\"salt\":\"", "\"salt\":\"AAAA", .inputMalformed, 4),
      (3, "\"content\":\"dGV4", "\"content\":\"dGV5", .bundleIncomplete, 5),
      (5, "\"count\":3", "\"count\":2", .bundleIncomplete, 6),
      (5, "\"bodies\":1", "\"bodies\":0", .bundleIncomplete, 6),
      (5, "\"root\":\"", "\"root\":\"00", .bundleIncomplete, 6),
    ]
    for (line, old, new, code, at) in cases {
      let found = try line == 5 ? trailer(place, old, new) : replacing(line, old, new)
      #expect(found.0 == code && found.1 == at, "\(old) to \(new): \(found)")
    }
  }

  private func trailer(
    _ place: TemporaryJournal,
    _ old: String,
    _ new: String
  ) throws -> (FindingCode?, Int?) {
    let text = try export(place).lines.map { String(decoding: $0, as: UTF8.self) }
    let changed = try #require(text.last).replacingOccurrences(of: old, with: new)
    return try failure(Array((text.dropLast() + [changed]).joined().utf8))
  }

  private func sha256(_ bytes: [UInt8]) -> String {
    var hash = SHA256Hash()
    hash.update(bytes)
    return Digest(words: hash.finish()).description
  }

  @Test func `a key that comes twice is found, and nothing is taken`() throws {
    let place = try journal(12, entries: 4)
    try place.forge { entries in entries.append(entries[1]) }
    #expect(try failure(Array(export(place).lines.joined())).code == .keyRepeated)
  }

  @Test func `another journal, or another history, is refused and stays as it is`() throws {
    let place = try journal(13)
    let lines = Array(try export(place).lines.joined())
    let other = try TemporaryJournal()
    var chance = SeededGenerator(seed: 8)
    let journal = try Journal(other.path, create: true, chance: &chance)
    try journal.append([.opening()])
    try journal.close()
    let before = try entries(other)
    do {
      _ = try take(lines, into: other)
      Issue.record("another journal was taken for this one")
    } catch let error as JSONLinesImport.OtherJournal {
      #expect(try error.id == other.read().identity.shortID)
    }
    #expect(try entries(other) == before)
    let branch = try place.copy()
    try branch.forge { $0.removeLast() }
    let writer = try branch.open()
    try writer.append([.begin("/mine", key: "mine")])
    try writer.close()
    let mine = try entries(branch)
    do {
      _ = try take(lines, into: branch)
      Issue.record("another history was taken for this one")
    } catch let error as JSONLinesError {
      #expect(error.code == .streamDiverged)
    }
    #expect(try entries(branch) == mine)
  }

  @Test func `a line beyond the limit is refused by its number, and not held`() throws {
    let lines = try export(journal(21)).lines
    let longest = try #require(lines.map(\.count).max())
    let file = try TemporaryFile(Array(lines.joined()))
    func read(_ limit: Int) throws {
      var source = try JSONLinesSource(InputFile(path: file.path), lineBytesMax: limit)
      _ = try source.read(body: { _ in }, record: { _ in })
    }
    // The end of a line is no part of it.
    try read(longest - 1)
    do {
      try read(longest - 2)
      Issue.record("a line that is too long was taken")
    } catch let error as JSONLinesError {
      #expect(error.code == .inputMalformed)
      #expect(lines[error.line - 1].count == longest)
    }
  }

  @Test func `nothing is taken when somebody stops it`() throws {
    struct Stopped: Error {}
    let place = try journal(14)
    let copy = try TemporaryJournal()
    let file = copy.folder.file("lines")
    try Data(export(place).lines.joined()).write(to: URL(filePath: file))
    var chance = SeededGenerator(seed: 1)
    #expect(throws: Stopped.self) {
      try JSONLinesImport.run(InputFile(path: file), into: copy.path, chance: &chance) {
        done,
        all in
        #expect(all > 20)
        if done == 20 { throw Stopped() }
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.folder.path) == ["lines"])
  }

  // MARK: Parts of it

  @Test func `a line that is too long ends the reading, and takes no memory`() throws {
    let file = try TemporaryFolder()
    let path = file.file("lines")
    try Data(Array("short\n".utf8) + [UInt8](repeating: 0x61, count: 3_000_000)).write(
      to: URL(filePath: path)
    )
    var lines = LineReader(try InputFile(path: path), lineBytesMax: 1_000_000)
    let short = try lines.next()
    #expect(short?.bytes == Array("short".utf8))
    let long = try #require(try lines.next())
    #expect(long.isTooLong && long.bytes == [] && long.number == 2)
    #expect(lines.offset < 1_600_000)
  }

  @Test func `lines are read wherever the window ends`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lines")
    var chance = SeededGenerator(seed: testSeed())
    let expected = (0..<60).map { _ in
      [UInt8](repeating: 0x62, count: Int.random(in: 0..<40_000, using: &chance))
    }
    try Data(expected.flatMap { $0 + [0x0a] }).write(to: URL(filePath: path))
    var lines = LineReader(try InputFile(path: path), lineBytesMax: 1_000_000)
    for (index, line) in expected.enumerated() {
      let read = try #require(try lines.next())
      #expect(read.bytes == line && read.number == index + 1 && !read.isCut)
    }
    let end = try lines.next()
    #expect(end?.bytes == nil)
  }

  @Test func `numbers are met once`() {
    var set = NumberSet()
    let numbers: [UInt64] = [1, 2, 63, 64, 4095, 4096, 1 << 40, .max]
    let first = numbers.map { set.insert($0) }
    let second = numbers.map { set.insert($0) }
    #expect(first.allSatisfy(\.self) && !second.contains(true))
    let other = set.insert(3)
    #expect(other)
  }
}
