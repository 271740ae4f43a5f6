import Testing
import TidemarkEntries

@testable import TidemarkReplay

/// How sure the contents make it that a late reply is old.
@Suite struct EvidenceTests {
  private let row = #"{"id":41,"title":"new"}"#
  private let old = #"{"id":41,"title":"old"}"#
  private let other = #"{"id":41,"title":"other"}"#

  // MARK: What the late reply has, and where it is from

  @Test func `what stood there before the change is old for certain`() throws {
    let evidence = try judge(late: old, answer: row, contents: [(2, old)])
    #expect(evidence.degree == .certain)
    #expect(evidence.reason == #"id 41: title "old" ("new" in the answer)"#)
  }

  @Test func `the row as another path had it counts too`() throws {
    #expect(try judge(late: old, answer: row, contents: [(2, "[\(old)]")]).degree == .certain)
  }

  @Test func `what neither stood there nor was answered is possible`() throws {
    let sent = #"{"title":"new"}"#
    let evidence = try judge(late: other, answer: row, sent: sent, contents: [(2, old)])
    #expect(evidence.degree == .possible)
  }

  @Test func `what came after the answer does not tell what stood before`() throws {
    let evidence = try judge(late: other, answer: row, contents: [(9, other)])
    #expect(evidence.degree == .possible)
  }

  @Test func `without an earlier copy only what the change itself sent is certain`() throws {
    #expect(try judge(late: old, answer: row, sent: #"{"title":"new"}"#).degree == .certain)
    #expect(try judge(late: old, answer: row, sent: #"{"done":true}"#).degree == .possible)
    #expect(try judge(late: old, answer: row).degree == .possible)
  }

  @Test func `what a later change answered is no harm`() throws {
    let later = try change(sent: 7, answered: 8, answer: other)
    let evidence = try judge(late: other, answer: row, sent: row, changes: [later])
    #expect(evidence.degree == .harmless)
    #expect(evidence.reason.hasSuffix("it has what PUT /notes/41 at entry 8 wrote"))
  }

  @Test func `what a change in flight sent is no harm`() throws {
    let later = try change(sent: 7, answered: nil, sentBody: #"{"title":"other"}"#)
    let evidence = try judge(late: other, answer: row, sent: row, changes: [later])
    #expect(evidence.degree == .harmless)
    #expect(evidence.reason.hasSuffix("it has what PUT /notes/41 at entry 7 wrote"))
  }

  @Test func `what an earlier change answered is old for certain`() throws {
    let earlier = try change(sent: 1, answered: 2, answer: old)
    #expect(try judge(late: old, answer: row, changes: [earlier]).degree == .certain)
  }

  @Test func `a later change of one field does not excuse another`() throws {
    let later = try change(sent: 7, answered: 8, sentBody: #"{"done":true}"#)
    let evidence = try judge(
      late: #"{"id":41,"title":"old","done":true}"#,
      answer: #"{"id":41,"title":"new","done":false}"#,
      changes: [later],
      contents: [(2, #"{"id":41,"title":"old","done":false}"#)]
    )
    #expect(evidence.degree == .certain)
  }

  // MARK: Versions

  @Test func `the same version is no harm, whatever else differs`() throws {
    let evidence = try judge(
      late: #"{"id":41,"revision":7,"views":3}"#,
      answer: #"{"id":41,"revision":7,"views":4}"#,
      contents: [(2, #"{"id":41,"revision":7,"views":3}"#)]
    )
    #expect(evidence.degree == .harmless)
  }

  @Test(arguments: [(6, Race.Degree.certain), (8, .harmless)])
  func `the server's own order decides`(revision: Int, degree: Race.Degree) throws {
    let evidence = try judge(
      late: #"{"id":41,"revision":\#(revision),"title":"x"}"#,
      answer: #"{"id":41,"revision":7,"title":"new"}"#
    )
    #expect(evidence.degree == degree)
  }

  @Test func `the same version of two reads is no harm`() {
    let evidence = Evidence.judge(
      late: Document(Array(#"{"id":41,"revision":7,"views":3}"#.utf8)),
      newer: Document(Array(#"{"id":41,"revision":7,"views":4}"#.utf8)),
      before: nil
    )
    #expect(evidence.degree == .harmless)
  }

  // MARK: Removals

  @Test(arguments: [(UInt64(204), Race.Degree.certain), (202, .possible)])
  func `a removal that is only accepted may not be done yet`(
    status: UInt64,
    degree: Race.Degree
  ) throws {
    for path in ["/notes", "/notes/41"] {
      let late = path == "/notes" ? "[\(old)]" : old
      #expect(try removing("/notes/41", status, late: late, at: path).degree == degree)
    }
  }

  @Test func `a removal with a query is not of the whole path`() throws {
    let late = #"[{"id":5},{"id":6}]"#
    #expect(try removing("/favorites?id=5", late: late, at: "/favorites").degree == .possible)
    #expect(
      try removing("/favorites?id=5", late: late, at: "/favorites?id=5").degree == .certain
    )
  }

  @Test func `what was removed and made again is no harm`() throws {
    let again = try change(sent: 7, answered: 8, answer: old)
    let evidence = try removing("/notes/41", late: "[\(old)]", at: "/notes", changes: [again])
    #expect(evidence.degree == .harmless)
  }

  @Test func `what is gone is no harm`() throws {
    #expect(try removing("/notes/41", late: "[]", at: "/notes").degree == .harmless)
  }

  @Test func `a method alone removes nothing`() throws {
    var deleting = try change(sent: 4, answered: 6)
    deleting.method = "DELETE"
    let late = Document(Array(old.utf8))
    let evidence = Evidence.judge(late: late, at: try Path("/notes/41"), over: deleting)
    #expect(evidence.degree == .possible)
  }

  // MARK: Two answers

  @Test func `two answers are told from two reads`() {
    let evidence = Evidence.judge(
      answer: Document(Array(old.utf8)),
      written: Document(Array(row.utf8)),
      by: "the answer to PUT /notes/41"
    )
    #expect(evidence.degree == .possible)
    #expect(
      evidence.reason == """
        title "old" ("new" in the answer to PUT /notes/41); no version tells the order
        """
    )
  }

  // MARK: Rows

  @Test func `a row is found among many by what names it`() throws {
    let text = (0..<10_000).map { #"{"id":\#($0),"n":\#($0 % 7)}"# }.joined(separator: ",")
    let rows = try #require(Rows(Array("[\(text)]".utf8)))
    for row in rows.objects {
      let identity = try #require(row.identity)
      #expect(rows.row(like: row, named: identity)?.fields == row.fields)
    }
  }

  // MARK: Making

  private func change(
    sent: UInt64,
    answered: UInt64?,
    answer: String? = nil,
    sentBody: String? = nil
  ) throws -> JudgedChange {
    JudgedChange(
      sentAt: Seq(sent),
      answeredAt: answered.map { Seq($0) },
      method: "PUT",
      path: try Path("/notes/41"),
      answer: answer.map { Document(Array($0.utf8)) },
      sent: sentBody.map { Document(Array($0.utf8)) }
    )
  }

  /// A change of `/notes/41` that was sent at 4 and answered at 6.
  private func judge(
    late: String,
    answer: String,
    sent: String? = nil,
    changes: [JudgedChange] = [],
    contents: [(seq: UInt64, text: String)] = []
  ) throws -> Evidence {
    var history = History(changes: changes.map { History.Known($0) })
    for (seq, text) in contents {
      let rows = try #require(Rows(Array(text.utf8)))
      history.copies.append(History.Copy(seq: Seq(seq), rows: rows))
    }
    return Evidence.judge(
      late: Document(Array(late.utf8)),
      at: try Path("/notes/41"),
      over: try change(sent: 4, answered: 6, answer: answer, sentBody: sent),
      knowing: history
    )
  }

  private func removing(
    _ removed: String,
    _ status: UInt64 = 204,
    late: String,
    at path: String,
    changes: [JudgedChange] = []
  ) throws -> Evidence {
    var deleting = try change(sent: 4, answered: 6)
    (deleting.method, deleting.path) = ("DELETE", try Path(removed))
    (deleting.status, deleting.removed) = (status, [try Path(removed)])
    return Evidence.judge(
      late: Document(Array(late.utf8)),
      at: try Path(path),
      over: deleting,
      knowing: History(changes: changes.map { History.Known($0) })
    )
  }
}
