import Foundation
import Testing
import TidemarkJournalStore

@Suite struct FindingsTests {
  @Test func `docs FINDINGS says what the code says`() throws {
    if !Repository.exists(FindingsPage.path) {
      let place = Repository.root.appending(path: FindingsPage.path)
      try Data(FindingsPage.text.utf8).write(to: place)
      Issue.record("\(FindingsPage.path) was written; read it, then commit it")
    }
    let page = try #require(Repository.file(FindingsPage.path))
    expectNone(FindingsPage.complaints(about: page))
    #expect(page.text == FindingsPage.text, "the lines are the same, their order is not")
  }

  @Test func `every finding has a code, a name, a status, a cause and a remedy of its own`() {
    expectNone(FindingCode.allCases.flatMap { FindingRules($0).complaints })
    #expect(Set(FindingCode.allCases.map(\.name)).count == FindingCode.allCases.count)
  }

  @Test func `a page that says something else is named`() {
    let changed = FindingsPage.text.replacing("| J004 | busy | 11 |", with: "| J004 | busy | 12 |")
    let complaints = FindingsPage.complaints(about: TextFile(FindingsPage.path, changed))
    #expect(complaints.count == 2)
    #expect(complaints[0].sentence.contains("| J004 | busy | 11 |"))
    #expect(complaints[1].sentence.contains("| J004 | busy | 12 |"))
    let shorter = FindingsPage.text.replacing(#/\| J004 .*\n/#, with: "")
    let page = TextFile(FindingsPage.path, shorter)
    #expect(FindingsPage.complaints(about: page).count == 1)
  }

  @Test(arguments: [
    FindingRules(code: "J901", name: "a-b", exit: 4, cause: "C.", remedy: "R."),
    FindingRules(code: "J101", name: "A_b", exit: 4, cause: "C.", remedy: "R."),
    FindingRules(code: "J101", name: "a-b", exit: 2, cause: "C.", remedy: "R."),
    FindingRules(code: "J101", name: "a-b", exit: 4, cause: "C", remedy: "R."),
    FindingRules(code: "J101", name: "a-b", exit: 4, cause: "C.", remedy: "a | b."),
  ])
  func `a finding that breaks a rule is named`(finding: FindingRules) {
    #expect(finding.complaints.count == 1)
  }
}
