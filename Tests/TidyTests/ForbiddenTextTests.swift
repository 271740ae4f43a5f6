import Testing

@Suite struct ForbiddenTextTests {
  @Test(arguments: ForbiddenText.all)
  func `no file holds what stands nowhere`(rule: ForbiddenText) throws {
    expectNone(try Repository.files.flatMap(rule.complaints))
  }

  @Test(arguments: ForbiddenText.all)
  func `a line that breaks the rule is seen, one like it is not`(rule: ForbiddenText) throws {
    let path = (rule.places.first ?? "Sources/") + "Entries/New.swift"
    let file = TextFile(path, "// \(path)\n\(rule.broken)\n\(rule.fine)\n")
    #expect(try rule.complaints(in: file).map(\.line) == [2])
  }

  @Test(arguments: ForbiddenText.all)
  func `a rule is for its places and knows its exceptions`(rule: ForbiddenText) throws {
    for path in rule.exceptions.map({ $0 + "New.swift" }) {
      #expect(try rule.complaints(in: TextFile(path, rule.broken)).isEmpty)
    }
    let elsewhere = try rule.complaints(in: TextFile("Tools/bench/New.swift", rule.broken))
    #expect(elsewhere.isEmpty == !rule.places.isEmpty)
  }
}
