import Testing

@Suite struct ArrowTests {
  private let manifest: PackageMap

  init() throws {
    manifest = PackageMap(reading: try #require(Repository.file("Package.swift")).text)
  }

  @Test func `the table and Package.swift name the same arrows`() {
    expectNone(Arrows.differences(in: manifest))
  }

  @Test func `targets stand in the order of the data`() {
    expectNone(Arrows.disorder(in: manifest))
  }

  @Test func `each folder of Sources has its row on the map`() throws {
    let page = try #require(Repository.file("docs/ARCHITECTURE.md"))
    let folders = Repository.names(in: "Sources").filter { !Repository.isLeftover($0) }
    #expect(folders.count > 10)
    expectNone(Arrows.missingRows(in: page, of: folders, manifest))
  }

  @Test func `a folder without a row, or with the row of another target, is named`() {
    let page = TextFile("A.md", "| `Sources/JSON` | `TidemarkJSON` | text |\n| `Sources/Tidemark`")
    #expect(
      Arrows.missingRows(in: page, of: ["JSON", "Replay", "Tidemark", "New"], manifest)
        .map(\.sentence) == [
          "no row says what is in Sources/Replay, which is TidemarkReplay",
          "no row says what is in Sources/Tidemark, which is Tidemark",
          "no row says what is in Sources/New, which is no target",
        ]
    )
  }

  @Test func `imports follow the arrows`() {
    let files = Repository.swiftFiles.filter { $0.path != "Package.swift" }
    #expect(files.count > 50)
    expectNone(files.flatMap { Arrows.wrongImports(in: $0, of: manifest) })
    expectNone(Arrows.scatteredCalls(in: files, of: manifest))
  }

  @Test func `an import that skips a layer is named in a sentence`() {
    let lines = [
      "// import CTidemarkZstd", "private import struct CTidemarkSQLite.sqlite3",
      "import TidemarkEntries",
    ]
    let file = TextFile("Sources/Replay/Replay.swift", lines.joined(separator: "\n"))
    let complaints = Arrows.wrongImports(in: file, of: manifest)
    #expect(complaints.map(\.line) == [2])
    #expect(
      complaints[0].sentence.hasPrefix(
        "TidemarkReplay imports CTidemarkSQLite; TidemarkReplay may import TidemarkEntries, "
      )
    )
  }

  @Test(arguments: [
    ("Sources/Entries/Path.swift", "import Foundation"),
    ("Sources/JournalStore/Tree.swift", "@preconcurrency import Foundation"),
    ("Tools/tidemark/Commands/Log.swift", "import FoundationNetworking"),
    ("Tools/tidemark/Commands/Log.swift", "public import Tidemark"),
    ("Tests/EntriesTests/PathTests.swift", "@testable import TidemarkReplay"),
    ("Sources/Nowhere/Path.swift", ""),
  ])
  func `what a target may not import is refused`(path: String, line: String) {
    #expect(Arrows.wrongImports(in: TextFile(path, line), of: manifest).count == 1)
  }

  @Test func `a second file of a target with raw calls is refused`() {
    let files = [
      TextFile("Sources/JournalStore/Disk.swift", "import Glibc"),
      TextFile("Sources/JournalStore/Anchor.swift", "import Darwin"),
    ]
    #expect(Arrows.scatteredCalls(in: files, of: manifest).count == 1)
    #expect(Arrows.scatteredCalls(in: [files[0]], of: manifest).isEmpty)
  }

  @Test func `a manifest that says otherwise than the table is refused`() {
    let other = PackageMap(
      reading: """
        func library(_ name: String, _ path: String) -> Target { .target(name: name, path: path) }
        library("TidemarkEntries", "Sources/Entries", ["TidemarkSQLite"]),
        .target(name: "Extra", dependencies: [], path: "Sources/Extra"),
        tests("EntriesTests", ["TidemarkEntries"], resources: [.copy("texts")])
        """
    )
    let sentences = Arrows.differences(in: other).map(\.sentence)
    #expect(sentences.contains("Extra is not in the table of arrows"))
    #expect(sentences.contains("Tidemark is in the table of arrows, but is no target"))
    #expect(
      sentences.contains(
        "TidemarkEntries rests on TidemarkSQLite; the table of arrows says nothing"
      )
    )
    #expect(other["EntriesTests"]?.dependencies == ["TidemarkEntries", "TestSupport"])
    #expect(Arrows.disorder(in: other).count == 2)
  }
}
