import TestSupport
import Testing

@Suite struct StoryTests {
  @Test(arguments: Story.all)
  func `the tool does what the story tells`(story: Story) throws {
    let folder = try TemporaryFolder()
    for step in story.steps {
      let result = try Shell(folder: folder.path).run(step.command)
      if let difference = step.difference(from: result) {
        Issue.record("scripts/\(story.name), \(difference)")
      }
    }
  }

  @Test func `there are stories, and each has steps`() {
    #expect(!Story.all.isEmpty)
    #expect(Story.all.allSatisfy { !$0.steps.isEmpty })
  }

  @Test func `a story is read as it is written`() {
    let story = Story(
      "a.txt",
      """
      # A comment.
      $ one
      > more
      first

      third
      [stderr]
      said
      [exit 3]

      $ two
      \\$ no command
      \\
      """
    )
    #expect(
      story.steps == [
        Story.Step(
          line: 2,
          command: "one\nmore",
          output: ["first", "", "third"],
          errors: ["said"],
          exit: 3
        ),
        Story.Step(line: 11, command: "two", output: ["$ no command"]),
      ]
    )
  }

  private func difference(_ expected: [String], _ actual: String) -> String? {
    ExpectedLines(expected).difference(from: actual)
  }

  @Test func `wildcards stand for text and for lines, and for nothing else`() {
    #expect(difference(["a [..] c"], "a bb c\n") == nil)
    #expect(difference(["a [..] c"], "a  d\n") != nil)
    #expect(difference(["[..]b[..]"], "abc\n") == nil)
    #expect(difference(["[..]b[..]"], "ac\n") != nil)
    #expect(difference(["a", "...", "z"], "a\nb\nc\nz\n") == nil)
    #expect(difference(["a", "...", "z"], "a\nz\n") == nil)
    #expect(difference(["a", "...", "z"], "a\nb\nc\n") != nil)
    #expect(difference([], "a\n") != nil)
    #expect(difference(["a"], "") != nil)
  }

  @Test func `a difference shows what was missed and what came`() throws {
    let step = Story.Step(line: 7, command: "x", output: ["same", "old"], exit: 0)
    let result = Shell.Result(output: "same\nnew\n", errors: "oh\n", exit: 1)
    #expect(
      step.difference(from: result)
        == """
        line 7: $ x
        stdout:
        - 2: old
        + 2: new
        stderr:
        + 1: oh
        exit: 0 was expected, 1 came
        """
    )
  }
}
