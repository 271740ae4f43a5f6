import Foundation
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections

/// The same entries as JSON Lines, read with `Codable`: what most apps would do.
enum JSONLines {
  static let all: [Benchmark] = [
    Benchmark(
      name: "evolve-json",
      work: "evolve into the shelf",
      peer: "JSONDecoder on the same entries, not folded",
      goal: .speed(atLeast: 25)
    ) { setting in
      let rivals = try Rivals(setting, keys: .ordered)
      try rivals.fill(to: setting.scaled(200_000, least: 20_000), perCommit: 100)
      let reader = try JournalReader(rivals.subject.path)
      let lines = try lines(of: reader, atMost: setting.scaled(20_000, least: 2000))
      return Contest(
        product: {
          var stopwatch = Stopwatch()
          var projector = Projector(Shelf.self)
          try stopwatch.measure { try projector.run(reader) }
          try require(projector.position, equals: reader.last, "the last entry folded")
          return stopwatch.lap(Int(reader.last.value))
        },
        peer: {
          var stopwatch = Stopwatch()
          let decoder = JSONDecoder()
          let sum = try stopwatch.measure {
            try lines.reduce(UInt64(0)) { $0 + (try decoder.decode(Line.self, from: $1)).seq }
          }
          try require(sum, equals: UInt64(lines.count * (lines.count + 1) / 2), "sum of the seqs")
          return stopwatch.lap(lines.count)
        },
        finish: rivals.finish
      )
    }
  ]

  private static func lines(of reader: JournalReader, atMost count: Int) throws -> [Data] {
    var lines: [Line] = []
    try reader.forEach { (entry) throws(JournalError) in
      lines.append(Line(entry))
      return lines.count < count
    } mapping: {
      $0
    }
    let encoder = JSONEncoder()
    return try lines.map { try encoder.encode($0) }
  }

  /// An entry as an app would declare it.
  private struct Line: Codable {
    struct Link: Codable {
      var path: String
      var role: String
      var previous: UInt64?
    }

    struct Body: Codable {
      var id: UInt64
      var commitment: String
      var byteCount: UInt64
    }

    var seq: UInt64
    var kind: String
    var key: String
    var store: UInt64?
    var time: String
    var cause: UInt64?
    var previousFence: UInt64?
    var paths: [Link]
    var generation: UInt64?
    var begin: UInt64?
    var status: UInt64?
    var body: Body?

    init(_ entry: Entry) {
      seq = entry.seq.value
      kind = entry.kindName
      key = Hex.encode(entry.key.bytes)
      store = entry.store?.value
      time = entry.time.description
      cause = entry.cause?.value
      previousFence = entry.previousFence?.value
      paths = ((try? entry.paths) ?? []).map {
        Link(path: $0.path.description, role: "\($0.role)", previous: $0.previous?.value)
      }
      generation = (try? entry.decode(ReadBegan.self))?.generation
      guard let landed = try? entry.decode(ReadLanded.self) else { return }
      begin = landed.begin.value
      status = landed.status
      body = Body(
        id: landed.body.id,
        commitment: landed.body.commitment.description,
        byteCount: landed.body.byteCount
      )
    }
  }
}
