import Testing

@Suite struct TopLevelTests {
  @Test func `the top level holds what it should, and nothing else`() {
    expectNone(TopLevel.complaints(in: Repository.names(in: "")))
  }

  @Test func `what is too much or missing is named`() {
    let found = TopLevel.names.dropLast() + ["notes.txt", ".env", ".build-2", "a.xcodeproj"]
    #expect(TopLevel.complaints(in: Array(found)).map(\.path) == [".env", "notes.txt", "docs"])
  }
}
