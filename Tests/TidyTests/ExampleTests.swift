import Testing

@Suite struct ExampleTests {
  private let pages = Repository.pages.filter { Examples.isPage($0.path) }

  @Test func `the code of the pages is code of a test`() {
    let tests = Repository.swiftFiles.filter {
      $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/TidyTests/")
    }
    expectNone(Examples.unprovenCode(on: pages, provenBy: tests))
  }

  @Test func `the commands of the pages are run by a story or by CI`() {
    let stories = Repository.files.filter {
      $0.path.hasPrefix("Tests/TidemarkToolTests/scripts/")
    }
    expectNone(
      Examples.unprovenCommands(
        on: pages,
        stories: stories,
        script: Repository.file(".ci/run")
      )
    )
  }

  @Test func `no command of a page stands where nothing runs it`() {
    expectNone(pages.flatMap { Examples.unmarkedCommands(on: $0) })
    let page = TextFile("README.md", "```\na\ntidemark info a.tidemark\n```\n```sh\ntidemark\n```")
    #expect(
      Examples.unmarkedCommands(on: page).map(\.description)
        == ["README.md:3: a block with commands begins with ```sh"]
    )
  }

  private let page = TextFile(
    "README.md",
    """
    # A
    ```swift
    let a = 1
      let b = 2
    ```
    ```sh
    $ tidemark check a.tidemark   # a word
    0 findings
    $ swift build
    $ Tools/run
    ```
    """
  )

  private func test(_ text: String) -> TextFile { TextFile("Tests/ATests/A.swift", text) }

  @Test func `code that a test holds to the letter is left alone`() {
    let same = test(
      "  func a() {\n    // README: a\n    let a = 1\n      let b = 2\n    // end\n  }"
    )
    #expect(Examples.unprovenCode(on: [page], provenBy: [same]).isEmpty)
  }

  @Test func `code that differs from the test is named, on both sides`() {
    let other = test("// README: a\nlet a = 1\nlet b = 2\n// end")
    #expect(
      Examples.unprovenCode(on: [page], provenBy: [other]).map(\.description) == [
        "README.md:3: no region of a test equals this code",
        "Tests/ATests/A.swift: no page shows the region a",
      ]
    )
  }

  @Test func `a command that nobody runs is named`() {
    let story = TextFile("Tests/TidemarkToolTests/scripts/a.txt", "$ tidemark check a.tidemark\n0")
    let script = TextFile(".ci/run", "set -e\n  Tools/run\n")
    func complaints(_ stories: [TextFile], _ script: TextFile?) -> [String] {
      Examples.unprovenCommands(on: [page], stories: stories, script: script).map(\.description)
    }
    #expect(complaints([story], script) == [])
    #expect(complaints([story], nil) == ["README.md:10: no story and not .ci/run runs: Tools/run"])
    #expect(
      complaints([], script)
        == ["README.md:7: no story and not .ci/run runs: tidemark check a.tidemark"]
    )
  }

  @Test func `in a block without prompts every line is a command`() {
    let page = TextFile("README.md", "```sh\nTools/run\nTools/run check a.tidemark\n```")
    #expect(Examples.commands(on: page).map(\.text) == ["Tools/run", "Tools/run check a.tidemark"])
  }
}
