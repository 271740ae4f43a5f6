import Testing

@Suite struct CatalogueTests {
  @Test(arguments: Catalogue.all)
  func `everything has its line and its file`(catalogue: Catalogue) {
    expectNone(catalogue.complaints(in: Repository.files))
  }

  private let checks = Catalogue.all[2]

  private func complaints(_ list: String?, _ files: [String: String]) -> [String] {
    var all = files.map { TextFile("Sources/Replay/Checks/\($0.key).swift", $0.value) }
    if let list {
      let text = "package static let checks: [any Check.Type] = [\n\(list)\n]"
      all.append(TextFile("Sources/Replay/CheckCatalogue.swift", text))
    }
    return checks.complaints(in: all).map(\.description)
  }

  @Test func `a complete catalogue is left alone`() {
    #expect(
      complaints("A.self,\nB.self,", ["A": "struct A: Check {", "B": "enum B: Check {"]) == []
    )
    #expect(complaints(nil, [:]) == [], "where there is nothing, nothing is listed")
  }

  @Test func `a check without a line is named`() {
    #expect(
      complaints("A.self,", ["A": "struct A: Check {}", "B": "struct B: Sendable, Check {}"]) == [
        """
        Sources/Replay/Checks/B.swift: the check B has 0 lines in \
        Sources/Replay/CheckCatalogue.swift, not one
        """
      ]
    )
  }

  @Test func `a folder with files and without a catalogue is red`() {
    let complaint = """
      Sources/Replay/Checks/A.swift: there is no Sources/Replay/CheckCatalogue.swift to list it
      """
    #expect(complaints(nil, ["A": "struct A: Check {}"]) == [complaint])
  }

  @Test(arguments: [
    ("A.self,\nA.self,", "A", "struct A: Check {}", "has 2 lines"),
    ("A.self,\nGone.self,", "A", "struct A: Check {}", "Gone is listed, but is no check"),
    ("A.self,", "Other", "struct A: Check {}", "A stands in A.swift"),
    ("A.self, B.self,", "A", "struct A: Check {}; struct B: Check {}", "one line each"),
    ("", "Helper", "enum Helper {}", "this holds no check"),
  ])
  func `a broken catalogue is named`(list: String, file: String, text: String, says: String) {
    #expect(complaints(list, [file: text]).contains { $0.contains(says) })
  }

  @Test func `a list of another form is red`() {
    let list = TextFile("Sources/Replay/CheckCatalogue.swift", "enum CheckCatalogue {}")
    #expect(checks.complaints(in: [list]).count == 1)
  }

  @Test func `a folder of a projection needs a projection`() {
    let list = TextFile(
      "Sources/Projections/ProjectionCatalogue.swift",
      "static let projections: [any Projection.Type] = [\n  Shelf.self,\n]"
    )
    let shelf = TextFile("Sources/Projections/Shelf/Shelf.swift", "enum Shelf: Projection {")
    let loop = TextFile("Sources/Projections/Projector.swift", "struct Projector<P: Projection> {")
    let lane = TextFile("Sources/Projections/Outbox/Lane.swift", "struct Lane {")
    #expect(Catalogue.all[1].complaints(in: [list, shelf, loop]).isEmpty)
    #expect(
      Catalogue.all[1].complaints(in: [list, shelf, loop, lane]).map(\.description)
        == ["Sources/Projections/Outbox: this holds no projection"]
    )
  }
}
