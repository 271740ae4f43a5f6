import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkSQLite

/// Nothing is appended to a file whose pages contradict each other.
@Suite struct ContainerTests {
  private let place: TemporaryJournal
  private static let pageBytes = 4096

  /// A journal with contents on forty pages.
  init() throws {
    place = try ContainerTests.journal(contents: 40)
  }

  private static func journal(contents: Int) throws -> TemporaryJournal {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: 1)
    try journal.append([.opening()])
    for number in 0..<contents {
      let body = try journal.body(content(number), chance: &chance)
      let begin = UInt64(number * 2 + 2)
      try journal.stage([
        .begin("/\(number)", key: "b\(number)"),
        .landing("/\(number)", key: "l\(number)", begin: begin, body: body),
      ])
      if number % 100 == 0 { try journal.commit(.lazy) }
    }
    try journal.close()
    return place
  }

  /// A page of bytes that do not get smaller by packing.
  private static func content(_ number: Int) -> [UInt8] {
    var chance = SeededGenerator(seed: UInt64(number))
    return (0..<430).flatMap { _ in withUnsafeBytes(of: chance.next()) { Array($0) } }
  }

  /// More contents than are checked on opening.
  private static let large = 2200

  /// The numbers of the pages that hold rows of `bodies`, in the order of the rows.
  private func pagesOfBodies(_ place: TemporaryJournal) throws -> [Int] {
    ContainerTests.leaves(below: try root(of: "bodies", place), in: try place.bytes())
  }

  /// The number of the first page of a table.
  private func root(of table: String, _ place: TemporaryJournal) throws -> Int {
    let root = try Database(path: place.path, access: .read)
      .integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    return Int(try #require(root))
  }

  /// An inner page of a table has the mark 5; its cells begin with the number of a page.
  private static func leaves(below page: Int, in bytes: [UInt8]) -> [Int] {
    let start = (page - 1) * pageBytes
    func number(_ count: Int, at offset: Int) -> Int {
      bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes[start] == 5 else { return [page] }
    let cells = (0..<number(2, at: start + 3)).map { number(2, at: start + 12 + $0 * 2) }
    let pages = cells.map { number(4, at: start + $0) } + [number(4, at: start + 8)]
    return pages.flatMap { leaves(below: $0, in: bytes) }
  }

  private func zero(_ page: Int, of place: TemporaryJournal) throws {
    let start = (page - 1) * ContainerTests.pageBytes
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: place.path))
    try file.seek(toOffset: UInt64(start))
    try file.write(contentsOf: [UInt8](repeating: 0, count: ContainerTests.pageBytes))
  }

  private func swap(_ one: Int, _ two: Int, of place: TemporaryJournal) throws {
    try place.edit { bytes in
      let (one, two) = ((one - 1) * ContainerTests.pageBytes, (two - 1) * ContainerTests.pageBytes)
      for offset in 0..<ContainerTests.pageBytes { bytes.swapAt(one + offset, two + offset) }
    }
  }

  private func checkRefused(_ place: TemporaryJournal) throws {
    #expect(try !place.read().containerFindings(atMost: 1).isEmpty)
    let before = try place.bytes()
    let journal = try place.open()
    #expect(journal.isReadOnly)
    #expect(journal.findings.first?.code == .containerDamaged)
    let error = #expect(throws: JournalError.self) { try journal.append([.begin(key: "new")]) }
    #expect(error?.code == .damaged && error?.finding == .containerDamaged)
    try journal.close()
    #expect(try place.bytes() == before)
    #expect(try place.read().allEntries().count == 81)
  }

  @Test func `pages of contents that were swapped forbid appending`() throws {
    let pages = try pagesOfBodies(place)
    try swap(pages[2], pages[5], of: place)
    try checkRefused(place)
  }

  @Test func `a page of contents that is zeros forbids appending`() throws {
    try zero(try pagesOfBodies(place)[3], of: place)
    try checkRefused(place)
  }

  @Test func `a page that is zeros forbids appending, also if nobody reads it`() throws {
    try zero(try root(of: "set_aside", place), of: place)
    try checkRefused(place)
  }

  @Test func `of a large file the rows are looked at behind which others are put`() throws {
    let large = try ContainerTests.journal(contents: ContainerTests.large)
    #expect(try large.bytes().count > Limits.checkedPagesMax * ContainerTests.pageBytes)
    #expect(try !large.open().isReadOnly)
    let pages = try pagesOfBodies(large)
    try swap(pages[pages.count - 2], pages[pages.count - 5], of: large)
    let journal = try large.open()
    #expect(journal.findings.map(\.code) == [.containerDamaged])
    #expect(throws: JournalError.self) { try journal.append([.begin(key: "new")]) }
  }

  @Test func `an index is not dropped from a file whose pages are damaged`() throws {
    let large = try ContainerTests.journal(contents: ContainerTests.large)
    // An index that is none, and a page that is looked at by nobody before it is dropped.
    try large.tamper("INSERT INTO heads VALUES (1, 5, x'00')")
    try zero(try pagesOfBodies(large)[0], of: large)
    let journal = try large.open()
    #expect(journal.findings.map(\.code) == [.containerDamaged])
    try journal.close()
    let kept = try Database(path: large.path, access: .read).integer("SELECT through FROM heads")
    #expect(kept == 5)
  }

  @Test func `what SQLite has called malformed is appended to no more`() throws {
    let large = try ContainerTests.journal(contents: ContainerTests.large)
    do {
      let journal = try large.open()
      // So many entries that the index takes the contents in, and an opening does not read them.
      let more = try (0..<Limits.indexTailEntriesMax).map { try Draft.begin("/m", key: "m\($0)") }
      try journal.append(more)
      try journal.append([.begin("/more", key: "more")])
      #expect(
        try Database(path: large.path, access: .read).integer("SELECT through FROM heads") != nil
      )
      // The page of the first content, which is not in memory any more.
      try zero(try pagesOfBodies(large)[0], of: large)
      var chance = SeededGenerator(seed: 1)
      let error = #expect(throws: JournalError.self) {
        try journal.body(ContainerTests.content(0), chance: &chance)
      }
      #expect(error?.finding == .containerDamaged)
      let next = #expect(throws: JournalError.self) { try journal.append([.begin(key: "new")]) }
      #expect(next?.code == .damaged && next?.finding == .containerDamaged)
      try journal.close()
    }
    // What is damaged stays as it is, the log too.
    #expect(try !large.bytes(of: .log).isEmpty)
    #expect(try large.read().entry(for: IdempotencyKey("more")) != nil)
  }
}
