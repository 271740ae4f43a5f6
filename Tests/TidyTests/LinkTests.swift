import Testing

@Suite struct LinkTests {
  private let links = Links(exists: Repository.exists, page: Repository.file)

  @Test func `links and named paths lead somewhere`() {
    #expect(Repository.pages.count > 5)
    expectNone(Repository.pages.flatMap(links.broken))
    expectNone((Repository.pages + Repository.swiftFiles).flatMap(links.missingPaths))
    expectNone(Repository.swiftFiles.flatMap(links.missingSections))
  }

  private let page = TextFile("docs/A.md", "# One thing\n## It's `two`\n## One thing\n")

  private func complaints(_ text: String, _ check: (Links) -> (TextFile) -> [Complaint]) -> [String]
  {
    let known = ["docs/A.md": page, "Sources/Entries/Path.swift": page]
    let links = Links(exists: { known[$0] != nil }, page: { known[$0] })
    return check(links)(TextFile("docs/guides/B.md", text)).map(\.sentence)
  }

  @Test(arguments: [
    ("[a](../A.md)", nil),
    ("[a](../A.md#one-thing), [b](../A.md#its-two), [c](../A.md#one-thing-1)", nil),
    ("[a](https://example.org/gone.md), `[b](gone.md)`", nil),
    ("```\n[a](gone.md)\n```", nil),
    ("[a](gone.md)", "docs/guides/gone.md is not there"),
    ("[a]: ../gone.md \"title\"", "docs/gone.md is not there"),
    ("[a](../A.md#three)", "docs/A.md has no heading #three"),
  ])
  func `a link that leads nowhere is named`(text: String, sentence: String?) {
    #expect(complaints(text, Links.broken) == (sentence.map { [$0] } ?? []))
  }

  @Test(arguments: [
    ("`Sources/Entries/Path.swift` and `Sources/Entries/Path.swift --lines`", nil),
    ("`Sources/Entries/Kinds/X.swift`, `Sources/X/`, `Tests/XTests/*`", nil),
    ("`swift test`", nil),
    ("`Sources/Entries/Gone.swift`", "Sources/Entries/Gone.swift is not there"),
  ])
  func `a path that is not there is named`(text: String, sentence: String?) {
    #expect(complaints(text, Links.missingPaths) == (sentence.map { [$0] } ?? []))
  }

  @Test func `a comment that names a section that is not there is named`() {
    let links = Links(exists: { _ in true }, page: { _ in page })
    let lines = [
      "/// See `docs/A.md`, One thing.", "// `docs/A.md`, One thing and more, is meant.",
      "// See `docs/A.md`, Two.",
    ]
    let file = TextFile("Sources/A.swift", lines.joined(separator: "\n"))
    #expect(
      links.missingSections(in: file).map(\.description)
        == ["Sources/A.swift:3: docs/A.md has no section Two"]
    )
  }
}
