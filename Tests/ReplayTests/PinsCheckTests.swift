import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Pins: journals in order, and for every rule one that breaks it.
@Suite struct PinsCheckTests {
  private let a = PinVersion(id: "a", version: 1)
  private let b = PinVersion(id: "b", version: 4)
  private let c = PinVersion(id: "c")

  /// A journal with a store at 1, a request at 2 and the list a, b, c at 3.
  private func pins(_ write: (Scribe) throws -> Void) throws -> Judge.Report {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.pinsReceived(try scribe.pinsSent(), [a, b, c])
    try write(scribe)
    return try scribe.judged()
  }

  @Test func `what is seen, taken off, sent and acknowledged is in order`() throws {
    let report = try pins { scribe in
      try scribe.pinsRemoved([a])
      let sent = try scribe.pinsSent([a])
      try scribe.pinsRemoved([b])
      let received = try scribe.pinsReceived(sent, [b], count: 2)
      try scribe.pinsListed(received, [c])
      try scribe.write(StoreUnreadable(part: .pins, detail: "cut"))
      try scribe.write(StoreRestored(part: .pins, unreadable: Seq(9)), cause: 9)
      try scribe.write(PinsRefused(sent: Seq(try scribe.pinsSent([b])), reason: .lost), cause: 11)
    }
    #expect(report.briefs == [])
    for check: any Check.Type in [
      RemovalsWereSeen.self, AcknowledgedIsWhatWasSent.self, PinRequestsAreSerial.self,
      PinListsAreWhole.self, RemovalsWereVisible.self, UnreadablePinsWait.self,
      RemovalsNameTheVersionShown.self,
    ] {
      #expect(report.instances(check) ?? 0 > 0, "\(check)")
    }
  }

  @Test func `what no list showed is not taken off`() throws {
    let scribe = try Scribe()
    try scribe.open()
    try scribe.pinsRemoved([a])
    #expect(try scribe.judged().briefs == ["J401 at 2"])
    #expect(try pins { try $0.pinsRemoved([.init(id: "d")]) }.briefs == ["J401 at 4 by 3"])
  }

  @Test func `a request carries what was taken off, as it was`() throws {
    let report = try pins { scribe in
      try scribe.pinsRemoved([b])
      try scribe.pinsSent([a, .init(id: "b", version: 5)])
    }
    #expect(report.briefs == ["J401 at 5", "J401 at 5 by 4"])
  }

  @Test func `an answer ends the request that is under way`() throws {
    let report = try pins { scribe in
      try scribe.pinsReceived(2, [a])
      try scribe.write(PinsRefused(sent: Seq(2), reason: .failed), cause: 2)
    }
    #expect(report.briefs == ["J401 at 4 by 2", "J401 at 5 by 2"])
  }

  @Test func `requests are serial, and one ends with its store`() throws {
    let report = try pins { scribe in
      try scribe.pinsSent()
      try scribe.pinsSent()
      try scribe.pinsSent(in: try scribe.open())
    }
    #expect(report.briefs == ["J404 at 5 by 4"])
  }

  @Test func `a list that is cut, too long, or not valid is found`() throws {
    let cut = try pins { scribe in
      try scribe.pinsReceived(try scribe.pinsSent(), [a], count: 2)
      try scribe.begin()
    }
    #expect(cut.briefs == ["J405 at 5 by 6"])
    let end = try pins { try $0.pinsReceived(try $0.pinsSent(), [a], count: 2) }
    #expect(end.briefs == ["J405 at 5"])
    let long = try pins { try $0.pinsReceived(try $0.pinsSent(), [a, b], count: 1) }
    #expect(long.briefs == ["J405 at 5"])
    let twice = try pins { scribe in
      let received = try scribe.pinsReceived(try scribe.pinsSent(), [a], count: 2)
      try scribe.pinsListed(received, [a])
    }
    #expect(twice.briefs.contains("J405 at 6"))
    let nameless = try pins { try $0.pinsReceived(try $0.pinsSent(), [.init(id: "")]) }
    #expect(nameless.briefs == ["J405 at 5"])
    #expect(try pins { try $0.pinsListed(3, [a]) }.briefs == ["J405 at 4 by 3"])
  }

  @Test func `what is off is not shown, and so not taken off again`() throws {
    let report = try pins { scribe in
      try scribe.pinsRemoved([a])
      try scribe.pinsRemoved([a])
    }
    #expect(report.briefs == ["J406 at 5 by 4"])
  }

  @Test func `a list that cannot be read waits for a person`() throws {
    let report = try pins { scribe in
      let sent = try scribe.pinsSent()
      try scribe.write(StoreUnreadable(part: .pins, detail: "cut"))
      try scribe.pinsReceived(sent, [a])
      try scribe.pinsSent()
    }
    #expect(report.briefs == ["J407 at 6 by 5", "J407 at 7 by 5"])
    let shelf = try pins { scribe in
      try scribe.write(StoreUnreadable(part: .shelf, detail: "cut"))
      try scribe.pinsSent()
    }
    #expect(shelf.briefs == [])
  }

  @Test func `a removal names the version that the list shows`() throws {
    let report = try pins { try $0.pinsRemoved([.init(id: "a", version: 2), .init(id: "b")]) }
    #expect(report.briefs == ["J408 at 4 by 3", "J408 at 4 by 3"])
    #expect(report.findings.map(\.expected) == ["1", "4"])
  }

  @Test func `a removal without a version that was sent twice may have taken a re-pin`() throws {
    let report = try pins { scribe in
      try scribe.pinsRemoved([a, c])
      let first = try scribe.pinsSent([a, c])
      try scribe.write(PinsRefused(sent: Seq(first), reason: .lost), cause: first)
      try scribe.pinsReceived(try scribe.pinsSent([a, c]), [b])
    }
    #expect(report.briefs == ["J402 at 8 by 5"])
    #expect(report.findings.first?.code.isNote == true)
    #expect(report.instances(RepinsAreTold.self) == 1)
  }
}
