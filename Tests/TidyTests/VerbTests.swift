import Testing

@Suite struct VerbTests {
  @Test func `every verb has its usage, a story and a page`() {
    let verbs = Repository.swiftFiles.filter { $0.path.hasPrefix(Verbs.folder) }
    let stories = Repository.files.filter {
      $0.path.hasPrefix("Tests/TidemarkToolTests/scripts/")
    }
    expectNone(
      verbs.flatMap { Verbs.complaints(about: $0, stories: stories, pages: Repository.pages) }
    )
  }

  private let verify = TextFile(
    Verbs.folder + "Verify.swift",
    """
    /// `tidemark verify JOURNAL`: reads.
    struct Verify: Command {
      static let name = "verify"
    }
    """
  )
  private let story = TextFile("scripts/a.txt", "$ tidemark verify a.tidemark")
  private let page = TextFile("README.md", "`tidemark verify` reads every byte.")

  private func complaints(_ verb: TextFile, _ story: TextFile, _ page: TextFile) -> [String] {
    Verbs.complaints(about: verb, stories: [story], pages: [page]).map(\.sentence)
  }

  @Test func `a verb that has all is left alone`() {
    #expect(complaints(verify, story, page) == [])
  }

  @Test func `what a verb lacks is named`() {
    let other = TextFile("scripts/a.txt", "$ tidemark verify-all a.tidemark\ntidemark verify")
    let bare = TextFile(verify.path, "struct Verify: Command {\n  static let name = \"verify\"\n}")
    let nameless = TextFile(verify.path, "struct Verify: Command {}")
    #expect(
      complaints(bare, story, page) == ["its comment begins with the usage, `tidemark verify …`"]
    )
    #expect(complaints(verify, other, page) == ["no story runs `tidemark verify`"])
    #expect(complaints(verify, story, TextFile("A.md", "")) == ["no page names `tidemark verify`"])
    #expect(complaints(nameless, story, page).count == 1)
  }
}
