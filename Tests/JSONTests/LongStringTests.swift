import TestSupport
import Testing
import TidemarkJSON

/// Long strings are passed in blocks, and short ones byte by byte; both must say the same.
@Suite struct LongStringTests {
  private enum Outcome: Equatable {
    case passed(JSONText)
    case failed(JSONError)
  }

  private func outcome(_ scanner: consuming JSONScanner) -> Outcome {
    do throws(JSONError) { return .passed(try scanner.text()) } catch { return .failed(error) }
  }

  /// Pieces that meet the borders of blocks at every place.
  private func piece(_ chance: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<16, using: &chance) {
    case 0..<5: [UInt8](repeating: 0x61, count: .random(in: 0..<90, using: &chance))
    case 5..<8: Array(#"\""#.utf8)
    case 8..<10: Array(String(repeating: #"\\"#, count: .random(in: 1..<70, using: &chance)).utf8)
    case 10: Array(#"\u00e9"#.utf8)
    case 11: Array(#"\n\/\t"#.utf8)
    case 12: Array("é😀".utf8)
    case 13: [0x80, 0xa2, 0xdc, 0xff]
    case 14: Array(#"/bfnrtu[]{},: "#.utf8)
    default: bad(&chance)
    }
  }

  /// Now and then something that no string may hold.
  private func bad(_ chance: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<60, using: &chance) {
    case 0: [0x1f]
    case 1: Array(#"\x"#.utf8)
    case 2: Array(#"\u12g4"#.utf8)
    case 3: Array("\"".utf8)
    case 4: [UInt8(ascii: "\\"), 0x0a]
    case 5: Array(#"\u00"#.utf8)
    default: []
    }
  }

  @Test func `a string is the same in blocks and byte by byte`() throws {
    var chance = SeededGenerator(seed: testSeed())
    for _ in 0..<400 {
      let pieces = (0..<Int.random(in: 0..<40, using: &chance)).flatMap { _ in piece(&chance) }
      let text = Array("\"".utf8) + pieces + Array("\" ".utf8)
      let file = try TemporaryFile(text)
      let small = JSONScanner(reading: try InputFile(path: file.path), windowBytes: 16)
      #expect(outcome(JSONScanner(text)) == outcome(small), "\(text)")
    }
  }

  @Test func `an escape over the end of a block is one`() throws {
    for before in 0..<200 {
      let text = Array(("\"" + String(repeating: "a", count: before) + #"\"\\\u00e9""#).utf8)
      #expect(
        outcome(JSONScanner(text))
          == .passed(JSONText(range: 1..<text.count - 1, hasEscapes: true))
      )
    }
  }
}
