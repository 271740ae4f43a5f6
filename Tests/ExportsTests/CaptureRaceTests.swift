import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay

/// What the servers of the captures wrote down of the races, against what the report finds.
///
/// Each capture stands beside the account of its own server, which knows when it computed an answer
/// and when it applied a change. The account shares nothing with the importer or the report.
@Suite struct CaptureRaceTests {
  static let captures: [URL] = {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let folder = here.appendingPathComponent("Captures")
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    let sample = here.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Tools/sample/capture.har")
    return (files ?? []).filter { $0.hasSuffix(".har") }.sorted()
      .map { folder.appendingPathComponent($0) } + [sample]
  }()

  @Test(arguments: captures)
  func `the report finds the races that the server knows of, and no others`(
    capture: URL
  ) throws {
    let account = try Account(beside: capture)
    let (report, _) = try report(of: capture)
    for pair in account.pairs where pair.relation != "elsewhere" {
      let found = report.races.first { pair.isOf($0) }
      if pair.isStale {
        let degree = found?.degree
        #expect(degree == .certain || degree == .possible, "\(pair)")
        if account.hasContents, pair.isClear { #expect(degree == .certain, "\(pair)") }
      } else if account.hasContents, pair.isClear, let found {
        #expect(found.degree == .harmless || found.degree == .unrelated, "\(pair)")
      }
    }
    // Nothing else may be called stale for certain, nor possibly where the contents are known.
    for race in report.races where race.degree == .certain || race.degree == .possible {
      let isTold =
        account.pairs.contains { $0.isStaleOrUnclear && $0.isOf(race) }
        || account.crossings.contains { $0.isOf(race) } || !account.hasContents
      #expect(isTold, "\(race.path) \(race.beganAt) \(race.evidence)")
    }
  }

  /// Imports a capture into a journal of its own, and again, which must add nothing.
  private func report(of capture: URL) throws -> (RaceReport, HARImport.Summary) {
    let place = try TemporaryJournal()
    let journal = try place.open()
    let summary = try importing(capture, into: journal, state: Shelf.empty)
    let last = journal.committed
    try journal.close()
    var projector = Projector(Shelf.self)
    try projector.run(try place.read())
    let again = try place.open()
    let second = try importing(capture, into: again, state: projector.state)
    #expect(second.appended == 0)
    #expect(again.committed == last)
    try again.close()
    return (try RaceReport(try place.read()), summary)
  }

  private func importing(
    _ capture: URL,
    into journal: Journal,
    state: ShelfState
  ) throws -> HARImport.Summary {
    var run = HARImport(
      try HARSource(reading: InputFile(path: capture.path)),
      policy: TouchPolicy(),
      into: journal,
      state: state
    )
    var chance = SeededGenerator(seed: 3)
    return try run.run(chance: &chance)
  }
}

/// What a server wrote down of its own answers.
private struct Account: Decodable {
  struct Pair: Decodable, CustomStringConvertible {
    struct Part: Decodable {
      var method: String
      var url: String
      var began: String?
      var landed: String?
    }

    var judgement: String
    var relation: String
    var read: Part
    var change: Part

    var isStale: Bool { judgement == "stale" }
    var isClear: Bool { judgement == "stale" || judgement == "harmless" }
    var isStaleOrUnclear: Bool { judgement != "harmless" }
    var description: String { "\(judgement) \(read.method) \(read.url) over \(change.url)" }

    func isOf(_ race: Race) -> Bool { Account.isOf(race, read) }
  }

  struct Crossing: Decodable {
    var older: Pair.Part

    func isOf(_ race: Race) -> Bool { Account.isOf(race, older) }
  }

  var pairs: [Pair]
  var crossings: [Crossing]
  var producer: String

  var hasContents: Bool { !producer.contains("omit") }

  init(beside capture: URL) throws {
    var url = capture.deletingPathExtension().appendingPathExtension("expected.json")
    if capture.lastPathComponent == "capture.har" {
      url = capture.deletingLastPathComponent().appendingPathComponent("expected.json")
    }
    self = try JSONDecoder().decode(Account.self, from: try Data(contentsOf: url))
  }

  /// Whether a race is of this read: by its begin, or by its address where no begin is told.
  static func isOf(_ race: Race, _ read: Pair.Part) -> Bool {
    if let began = read.began { return isSame(began, race.beganAt) }
    return URLComponents(string: read.url)?.path == race.path.description
  }

  /// Whether a time of the account is this one, to the millisecond.
  static func isSame(_ text: String, _ time: DeviceTime) -> Bool {
    text.prefix(23) == time.description.prefix(23)
  }
}
