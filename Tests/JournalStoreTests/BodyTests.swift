import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// A content is what its entry commits to, or that is found.
@Suite struct BodyTests {
  private let place: TemporaryJournal
  private let body: BodyReference

  init() throws {
    (place, body) = try TemporaryJournal.landed("what a server said")
  }

  private func finding() throws -> Finding? {
    guard case .differs(let finding) = try place.read().body(body, of: Seq(3)) else { return nil }
    return finding
  }

  @Test func `a content is given as it was kept`() throws {
    guard case .kept(let content) = try place.read().body(body, of: Seq(3)) else {
      Issue.record("it is not kept")
      return
    }
    #expect(content == Array("what a server said".utf8))
  }

  @Test func `a content that the entry does not keep is absent, which is no damage`() throws {
    guard case .absent = try place.read().body(.unknown(byteCount: 3), of: Seq(3)) else {
      Issue.record("it is not absent")
      return
    }
  }

  @Test(arguments: [
    "DELETE FROM bodies", "UPDATE bodies SET content = NULL", "UPDATE bodies SET salt = NULL",
    "UPDATE bodies SET salt = zeroblob(16)", "UPDATE bodies SET content = zeroblob(18)",
    "UPDATE bodies SET raw_bytes = 17", "UPDATE bodies SET id = 2",
  ])
  func `a content that is gone or another one is found at its entry`(sql: String) throws {
    try place.tamper(sql)
    let finding = try #require(try finding())
    #expect(finding.code == .bodyDiffers && finding.seq == Seq(3))
  }

  @Test func `a content of another length than its entry says is found`() throws {
    var other = body
    other.byteCount = 3
    guard case .differs(let finding) = try place.read().body(other, of: Seq(3)) else {
      Issue.record("it is given")
      return
    }
    #expect(finding.expected == "3" && finding.actual == "18")
  }

  @Test func `a content that SQLite cannot read is found like one that is gone`() throws {
    // The page of the only content holds its text: it is told by that, and zeroed.
    try place.edit { bytes in
      let page = try #require(
        stride(from: 0, to: bytes.count, by: 4096).first {
          let text = String(decoding: bytes[$0..<($0 + 4096)], as: UTF8.self)
          return text.contains("what a server said")
        }
      )
      for offset in page..<(page + 4096) { bytes[offset] = 0 }
    }
    #expect(try finding()?.code == .bodyDiffers)
  }
}
