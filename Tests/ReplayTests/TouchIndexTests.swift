import TestSupport
import Testing
import TidemarkEntries

@testable import TidemarkReplay

/// What the index finds is what a look at every change finds.
@Suite struct TouchIndexTests {
  private static let paths = [
    "/", "/a", "/a?x=1", "/a/b", "/a/b?x=1", "/a/b/c", "/ab", "/b", "/b/a", "/b/a/c?y",
  ]

  private func touches(_ chance: inout SeededGenerator) throws -> [Touch]? {
    guard Int.random(in: 0..<6, using: &chance) > 0 else { return nil }
    return try (0..<Int.random(in: 0..<4, using: &chance)).map { _ in
      let place = Int.random(in: 0..<TouchIndexTests.paths.count, using: &chance)
      let path = try Path(TouchIndexTests.paths[place])
      let form = [Touch.Form.exact, .resource, .under][Int.random(in: 0..<3, using: &chance)]
      return Touch(form, form == .exact ? path : Path(canonical: Array(path.resource)))
    }
  }

  @Test func `it finds what covers a path, the last ones, in order and once`() throws {
    var chance = SeededGenerator(seed: testSeed())
    for _ in 0..<60 {
      var index = TouchIndex()
      var changes: [(seq: Seq, touches: [Touch]?)] = []
      for number in 1...80 as ClosedRange<UInt64> {
        let change = (seq: Seq(number * 2), touches: try touches(&chance))
        index.insert(change.seq, change.touches)
        changes.append(change)
        guard Int.random(in: 0..<4, using: &chance) == 0 else { continue }
        let ended = changes.remove(at: Int.random(in: 0..<changes.count, using: &chance))
        index.remove(ended.seq, ended.touches)
      }
      for text in TouchIndexTests.paths {
        let path = try Path(text)
        let count = Int.random(in: 1..<20, using: &chance)
        let start = UInt64.random(in: 0..<170, using: &chance)
        let range = Seq(start)..<Seq(UInt64.random(in: start..<180, using: &chance))
        let naive = changes.filter { change in
          range.contains(change.seq) && (change.touches?.contains { $0.covers(path) } ?? true)
        }
        let found = index.last(count, touching: path, in: range)
        #expect(found == naive.map(\.seq).suffix(count), "\(path) in \(range)")
      }
    }
  }

  @Test func `of a path with thousands of segments each prefix finds its rule`() throws {
    var index = TouchIndex()
    let path = Path(canonical: Array(String(repeating: "/a", count: 4000).utf8))
    for depth in 1...4000 as ClosedRange<UInt64> {
      let prefix = Path(canonical: Array(path.bytes.prefix(Int(depth) * 2)))
      index.insert(Seq(depth), [Touch(.under, prefix)])
    }
    let all = Seq(1)..<Seq(5000)
    // The last one is the path itself, which does not lie below itself.
    #expect(index.last(5000, touching: path, in: all).map(\.value) == Array(1...3999))
    let shorter = Path(canonical: Array(path.bytes.prefix(20)))
    #expect(index.last(5000, touching: shorter, in: all).map(\.value) == Array(1...9))
  }

  @Test func `answers before every open read are forgotten, and no other`() throws {
    var changes = StoreChanges()
    let path = try Path("/a")
    changes.begin(Seq(500))
    for number in 1...1000 as ClosedRange<UInt64> {
      changes.answer(try answered(number, [Touch(.exact, path)]))
      changes.forgetAnswers { $0 == Seq(500) }
    }
    let later = changes.answered(10_000, touching: path, in: Seq(501)..<Seq(.max))
    #expect(later.map(\.change.answered.value) == Array(501...1000))
    #expect(changes.answered(10_000, touching: path, in: Seq(0)..<Seq(501)).count < 500)
    #expect(changes.answered(3, touching: try Path("/b"), in: Seq(0)..<Seq(.max)).isEmpty)
  }

  private func answered(
    _ number: UInt64,
    _ touches: [Touch]
  ) throws -> StoreChanges.Answered {
    let time = DeviceTime(milliseconds: 0)
    let change = Race.Change(
      sent: Seq(number - 1),
      answered: Seq(number),
      method: "PUT",
      path: try Path("/a"),
      sentAt: time,
      answeredAt: time,
      status: 200
    )
    return StoreChanges.Answered(change: change, touches: touches)
  }
}
