import Testing

@Suite struct SchemaTests {
  @Test func `every schema that is written has its section, and every section is written`() throws {
    let files = Repository.swiftFiles.filter {
      $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Tools/tidemark/")
    }
    let page = try #require(Repository.file(Schemas.page))
    expectNone(Schemas.complaints(about: page, writtenBy: files))
  }

  @Test func `what only one of the two has is named`() {
    let page = TextFile("A.md", "## `tidemark.entry/1`\n\n## `tidemark.gone/1`\n## Other")
    let file = TextFile(
      "A.swift",
      "json.field(\"schema\", \"tidemark.entry/1\")\nlet schema = \"tidemark.new/2\""
    )
    #expect(
      Schemas.complaints(about: page, writtenBy: [file]).map(\.description) == [
        "A.swift:2: A.md does not tell of tidemark.new/2", "A.md: nothing writes tidemark.gone/1",
      ]
    )
  }
}
