import Foundation
import TestSupport
import Testing
import TidemarkLoopback

/// The example app is killed wherever something can be half done, comes back, and all is there
/// once.
///
/// How many random kills there are says `KILLS` of the environment.
@Suite(.serialized) struct KillTests {
  /// What is there without having been added by ``Phone/add(_:stopAt:killedAfter:)``.
  private static let others = ["from elsewhere", "with a photo", "changed here"]

  /// A device on which there is something of every sort to be sent and to be copied.
  private func busyPhone() throws -> Phone {
    let phone = try Phone()
    phone.service.add("from elsewhere")
    _ = try phone.add("first")
    let photo = phone.folder.file("photo")
    try Data(repeating: 7, count: 20_000).write(to: URL(filePath: photo))
    try phone.run(["add", "with a photo", photo])
    try phone.run(["edit", "n1", "changed here"])
    return phone
  }

  @Test
  func `killed before and behind each commit of a pass, it loses nothing and sends nothing twice`()
    throws
  {
    var moment = 0
    var isThrough = false
    while !isThrough {
      moment += 1
      let phone = try busyPhone()
      isThrough = try phone.run(["sync"], stopAt: moment).exit == 0
      let notes = try phone.expectAllThereOnce(besides: Self.others)
      #expect(notes.contains("changed here"), "moment \(moment)")
      #expect(phone.service.photo("pn3")?.count == 20_000, "moment \(moment)")
    }
    #expect(moment > 20, "a pass of this much has more commits")
  }

  @Test func `killed before and behind each commit of a note, it is kept if it was said to be`()
    throws
  {
    var moment = 0
    var isThrough = false
    while !isThrough {
      moment += 1
      let phone = try Phone()
      isThrough = try phone.add("one", stopAt: moment).exit == 0
      _ = try phone.add("two")
      try phone.expectAllThereOnce()
    }
    #expect(moment > 4)
  }

  /// When the server ends the app.
  enum Moment: CaseIterable {
    case requestHasCome, isDone, isHalfAnswered, isAnswered

    func cue(_ victim: Victim) -> Cue {
      var cue = self == .isHalfAnswered ? Cue.cut(after: 5) : Cue()
      switch self {
      case .requestHasCome: cue.before = { _ in victim.kill() }
      case .isDone: cue.after = { victim.kill() }
      case .isHalfAnswered, .isAnswered: cue.last = { victim.kill() }
      }
      return cue
    }
  }

  @Test(arguments: Moment.allCases)
  func `killed by its server at any moment, it loses nothing and sends nothing twice`(
    moment: Moment
  ) throws {
    for (method, path, before) in [
      ("POST", "/notes", 0), ("POST", "/notes", 1), ("PUT", "/notes", 0), ("GET", "/notes?", 0),
      ("GET", "/notes/n2", 0),
    ] {
      let phone = try busyPhone()
      for _ in 0..<before { phone.server.cue(method, path, Cue()) }
      phone.server.cue(method, path, moment.cue(phone.victim))
      let ended = try phone.run(["sync"])
      // After the last byte it may be through before the signal comes.
      if moment != .isAnswered { #expect(ended.exit == nil, "\(method) \(path)") }
      try phone.expectAllThereOnce(besides: Self.others)
    }
  }

  @Test func `killed at any time, it loses nothing and sends nothing twice`() throws {
    var chance = SeededGenerator(seed: testSeed())
    let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 20
    var killed = 0
    var phone = try Phone()
    for round in 0..<kills {
      if round.isMultiple(of: 25) {
        try phone.expectAllThereOnce()
        phone = try Phone()
      }
      let wait = Int.random(in: 5_000..<150_000, using: &chance)
      let ended =
        Bool.random(using: &chance)
        ? try phone.add("note \(round)", killedAfter: wait)
        : try phone.run(["sync"], killedAfter: wait)
      killed += ended.exit == nil ? 1 : 0
    }
    try phone.expectAllThereOnce()
    print("\(killed) of \(kills) ended by the signal")
    #expect(killed > 0)
  }
}
