import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Lists that came page by page, and passes that copy.
@Suite struct ListCheckTests {
  private func list(
    _ write: (Scribe, _ begin: UInt64) throws -> Void
  ) throws -> Judge.Report {
    let scribe = try Scribe()
    try scribe.open()
    try write(scribe, try scribe.begin())
    return try scribe.judged()
  }

  @Test func `a list of all its pages is in order, and lands like any reply`() throws {
    let report = try list { scribe, begin in
      let pages = [
        try scribe.page(begin, 0, rows: [1, 2]), try scribe.page(begin, 1, rows: [3], count: 2),
        try scribe.page(begin, 2, rows: [4]),
      ]
      try scribe.assemble(begin, pages: pages, pageSize: 2)
    }
    #expect(report.briefs == [])
    #expect(report.instances(ListsAreComplete.self) == 4)
    #expect(report.instances(NoLateLanding.self) == 1)
    #expect(report.openReads == 0)
  }

  @Test func `a list behind a fence is late`() throws {
    let report = try list { scribe, begin in
      let page = try scribe.page(begin, 0, rows: [1])
      try scribe.bump()
      try scribe.assemble(begin, pages: [page])
    }
    #expect(report.briefs == ["J201 at 5 by 4"])
  }

  @Test func `a list without its last page is not complete`() throws {
    let report = try list { scribe, begin in
      let page = try scribe.page(begin, 0, rows: [1, 2])
      try scribe.page(begin, 1, rows: [3])
      try scribe.assemble(begin, pages: [page], pageSize: 2)
    }
    #expect(report.briefs == ["J207 at 5 by 4"])
  }

  @Test func `a list of a page that is not full, or of none, is not complete`() throws {
    let short = try list { scribe, begin in
      let pages = [try scribe.page(begin, 0, rows: [1]), try scribe.page(begin, 1, rows: [2])]
      try scribe.assemble(begin, pages: pages, pageSize: 2)
    }
    #expect(short.briefs == ["J207 at 5 by 3"])
    #expect(try list { try $0.assemble($1, pages: []) }.briefs == ["J207 at 3 by 2"])
  }

  @Test func `a list with a row of two pages is not complete`() throws {
    let report = try list { scribe, begin in
      let pages = [
        try scribe.page(begin, 0, rows: [1, 2]), try scribe.page(begin, 1, rows: [2, 3]),
      ]
      try scribe.assemble(begin, pages: pages, pageSize: 2)
    }
    #expect(report.briefs == ["J207 at 5 by 4"])
  }

  @Test func `a list of pages of two tickets is not complete`() throws {
    let report = try list { scribe, begin in
      let stray = try scribe.page(begin, 0, rows: [1])
      let again = try scribe.begin()
      try scribe.assemble(again, pages: [stray])
    }
    #expect(report.briefs == ["J207 at 5 by 3"])
  }

  @Test func `a page of no read in flight, or out of its turn, is found`() throws {
    let report = try list { scribe, begin in
      try scribe.page(begin, 1, rows: [1])
      try scribe.refuse(begin, .failed)
      try scribe.page(begin, 0, rows: [1])
    }
    #expect(report.briefs == ["J207 at 3 by 2", "J207 at 5 by 2"])
  }

  // MARK: F9

  @Test func `the copying half of a pass reads, and a change of its is found`() throws {
    let scribe = try Scribe()
    try scribe.open()
    let pass = try scribe.write(SyncBegan(reason: .timer))
    let read = try scribe.write(ReadBegan(generation: 0), cause: pass, [("/notes", .begin)])
    try scribe.land(read)
    let sent = try scribe.write(
      MutationSent(method: "POST"),
      cause: pass,
      [("/notes/41", .mention)]
    )
    try scribe.fail(sent)
    try scribe.write(
      SyncEnded(began: Seq(pass), outcome: .whole, landed: 1, failed: 0),
      cause: pass
    )
    let report = try scribe.judged()
    #expect(report.briefs == ["J208 at \(sent) by \(pass)"])
    #expect(report.instances(CopyingOnlyReads.self) == 3)
  }
}
