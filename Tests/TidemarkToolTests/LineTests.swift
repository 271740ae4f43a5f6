import Testing

@testable import TidemarkTool

@Suite struct LineTests {
  private func written(_ line: Line, colored: Bool) -> String {
    var bytes: [UInt8] = []
    line.write(to: &bytes, colored: colored)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a line is colored where it says so, and only if there is color`() {
    let line: Line = "\("J106", .red) body \(2040)"
    #expect(written(line, colored: true) == "\u{1b}[31mJ106\u{1b}[0m body 2040")
    #expect(written(line, colored: false) == "J106 body 2040")
  }

  @Test func `data cannot color a line`() {
    let line: Line = "path \("\u{1b}[31m/a\n", .bold)"
    #expect(written(line, colored: false) == #"path \u{1b}[31m/a\u{a}"#)
    #expect(written(line, colored: true) == "path \u{1b}[1m\\u{1b}[31m/a\\u{a}\u{1b}[0m")
  }

  @Test func `a line may hold another`() {
    let part: Line = "\("b", .green)"
    #expect(written("a\(part)c", colored: true) == "a\u{1b}[32mb\u{1b}[0mc")
    #expect(Line("a\u{1b}").width == 7)
  }
}

@Suite struct TableTests {
  private func table() -> Table {
    var table = Table([.left("kind"), .right("count"), .left("note")])
    table.add("read-began", "1,482", "")
    table.add("\("read", .red)", "91", "a\u{9}b")
    return table
  }

  @Test func `columns stand below each other, numbers to the right`() {
    #expect(
      table().lines(titled: false).lines.map(\.visible) == [
        "read-began  1,482",
        #"read           91  a\u{9}b"#,
      ]
    )
  }

  @Test func `titles stand above, and widen their columns`() {
    var narrow = Table([.left("name"), .right("seq")])
    narrow.add("a", "1")
    #expect(narrow.lines(titled: true).lines.map(\.visible) == ["name  seq", "a       1"])
  }

  @Test func `an empty cell keeps its place, and no line ends in spaces`() {
    var table = Table([.left("a"), .right("b"), .left("c")])
    table.add("x", "", "z")
    table.add("", "22", "")
    #expect(table.lines(titled: false).lines.map(\.visible) == ["x      z", "   22"])
  }

  private func evidence() -> Table {
    var table = Table([.left("path"), .yielding("evidence"), .right("seq")])
    table.add("/notes", "\("id 1: revision 7, ", .red)\u{1b}8 in the answer", "9")
    table.add("/notes/41", "short", "10")
    return table
  }

  @Test func `without a width nothing is cut`() {
    let (lines, isCut) = evidence().lines(titled: true)
    #expect(lines[1].visible == #"/notes     id 1: revision 7, \u{1b}8 in the answer    9"#)
    #expect(!isCut)
  }

  @Test func `where a line is too long, the column that yields is cut, and no other`() {
    let (lines, isCut) = evidence().lines(titled: true, width: 42)
    #expect(
      lines.map(\.visible) == [
        "path       evidence                    seq",
        #"/notes     id 1: revision 7, \u{1b}8…    9"#,
        "/notes/41  short                        10",
      ]
    )
    #expect(isCut && lines.allSatisfy { $0.width == 42 })
    #expect(!evidence().lines(titled: true, width: 55).isCut)
  }

  @Test func `a column is not cut to nothing`() {
    let (lines, isCut) = evidence().lines(titled: false, width: 10)
    #expect(lines[0].visible == #"/notes     id 1: revision 7, \u{1b…   9"#)
    #expect(isCut)
    var narrow = Table([.left("path"), .yielding("evidence")])
    narrow.add("/a/path/that/takes/it/all", "short")
    #expect(!narrow.lines(titled: false, width: 10).isCut)
  }
}

@Suite struct QuantityTests {
  @Test func `counts have thousands separators`() {
    #expect(Quantity.count(0) == "0")
    #expect(Quantity.count(999) == "999")
    #expect(Quantity.count(1000) == "1,000")
    #expect(Quantity.count(-1_402_118) == "-1,402,118")
    #expect(Quantity.count(UInt64.max) == "18,446,744,073,709,551,615")
    #expect(Quantity.count(1, "finding", "findings") == "1 finding")
    #expect(Quantity.count(0, "finding", "findings") == "0 findings")
  }

  @Test func `bytes are told in powers of ten, and round up where they should`() {
    let told: [(UInt64, String)] = [
      (0, "0 bytes"), (1, "1 byte"), (9_999, "9,999 bytes"), (10_000, "10 kB"),
      (61_499, "61 kB"), (61_500, "62 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
      (1_400_000, "1.4 MB"), (18_249_999, "18.2 MB"), (18_250_000, "18.3 MB"),
      (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"), (1_000_000_000_000, "1.0 TB"),
      (.max, "18,446,744.1 TB"),
    ]
    for (bytes, text) in told { #expect(Quantity.bytes(bytes) == text) }
  }
}
