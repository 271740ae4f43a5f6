import Testing

@Suite struct FormatLimitTests {
  @Test func `the limits of the code are those of the format`() throws {
    let page = try #require(Repository.file(FormatLimits.page))
    let limits = Repository.sources.flatMap(FormatLimits.limits)
    #expect(limits.count >= 4)
    expectNone(FormatLimits.differences(limits, page))
  }

  private let file = TextFile(
    "Sources/JournalStore/Limits.swift",
    """
    /// Bounds.
    package enum Limits {
      package static let keyBytesMax = 256

      package static let blockBytesMax: Int = 64 << 10

      package static let saltBytes = 16

      package static let cachedPathsMax = 9

      private static let ownMax = 3
    }
    """
  )

  private func differences(_ rows: String) -> [String] {
    let page = TextFile(
      FormatLimits.page,
      "## Limits\n\nAll in bytes.\n\n| Name | Value | What |\n| --- | --- | --- |\n\(rows)\n## Next"
    )
    return FormatLimits.differences(FormatLimits.limits(in: file), page).map(\.sentence)
  }

  @Test func `equal lists are left alone`() {
    #expect(
      differences("| `Limits.keyBytesMax` | 256 | a |\n| `Limits.blockBytesMax` | 65,536 | b |")
        == []
    )
  }

  @Test func `another constant may stand in the table, with its own value`() {
    let rows = "| `Limits.keyBytesMax` | 256 | a |\n| `Limits.blockBytesMax` | 65,536 | b |\n"
    #expect(differences(rows + "| `Limits.saltBytes` | 16 | c |") == [])
    #expect(
      differences(rows + "| `Limits.saltBytes` | 17 | c |")
        == ["Limits.saltBytes is 17 here, and 16 in the code"]
    )
  }

  @Test func `a limit that differs is named from both sides`() {
    #expect(
      differences("| `Limits.keyBytesMax` | 255 | a |\n| `Limits.blockBytesMax` | 65536 | b |") == [
        "Limits.keyBytesMax is 256 here, and 255 in the table Limits of Journal/FORMAT.md",
        "Limits.keyBytesMax is 255 here, and 256 in the code",
      ]
    )
  }

  @Test func `a limit that one list lacks is named`() {
    #expect(
      differences("| `Limits.keyBytesMax` | 256 | a |\n| `Limits.goneMax` | 1 | b |") == [
        "Limits.blockBytesMax is not in the table Limits of Journal/FORMAT.md",
        "Limits.goneMax is not in the code",
      ]
    )
  }

  @Test func `a limit that cannot be read is named`() {
    let file = TextFile("Sources/Entries/A.swift", "extension A {\n  static let bMax = other\n}")
    let page = TextFile(FormatLimits.page, "")
    #expect(
      FormatLimits.differences(FormatLimits.limits(in: file), page).map(\.sentence)
        == ["A.bMax is no number that can be read"]
    )
  }
}
