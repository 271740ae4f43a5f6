import Testing

@Suite struct LineLengthTests {
  @Test func `lines fit in 100 columns`() {
    expectNone(Repository.files.flatMap(LineLength.complaints))
  }

  @Test(arguments: [
    ("A.swift", String(repeating: "a", count: 101), 1),
    ("A.md", String(repeating: "é", count: 101), 1),
    ("A.swift", "| " + String(repeating: "a", count: 101), 1),
    ("A.swift", String(repeating: "é", count: 100), 0),
    ("A.md", "| " + String(repeating: "a", count: 101), 0),
    ("A.md", "[a](" + String(repeating: "a", count: 101), 0),
    ("A.swift", "// https://" + String(repeating: "a", count: 101), 0),
    ("A.json", String(repeating: "a", count: 101), 0),
  ])
  func `a line that is too long is named`(path: String, line: String, count: Int) {
    #expect(LineLength.complaints(in: TextFile(path, line)).count == count)
  }
}
