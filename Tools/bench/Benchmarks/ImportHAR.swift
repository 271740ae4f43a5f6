import Foundation
import TidemarkEntries
import TidemarkJournalStore

/// Importing a capture, against a parser that only reads it.
enum ImportHAR {
  static let all: [Benchmark] = [
    Benchmark(
      name: "import-har",
      work: "import har, 100 MB",
      peer: "Python's json.load of the file",
      goal: .speed(atLeast: 1.5),
      needs: ["python3"]
    ) { setting in
      try contest(setting) { capture, bytes, round in
        let journal = setting.file("import-\(round).tidemark")
        var stopwatch = Stopwatch()
        try stopwatch.measure(
          program: [setting.tool, "import", "har", capture, "--into", journal, "--yes"]
        )
        let last = try JournalReader(journal).last.value
        guard last > UInt64(bytes / 10_000) else {
          throw BenchmarkFailure("only \(last) entries were imported")
        }
        return stopwatch.lap(bytes)
      }
    }
  ]

  /// What a product makes of a capture, each round anew, against Python's parser.
  static func contest(
    _ setting: Setting,
    product: @escaping (_ capture: String, _ bytes: Int, _ round: Int) throws -> Lap
  ) throws -> Contest {
    let capture = setting.file("capture.har")
    let bytes = try Capture.write(
      to: capture,
      byteCount: setting.scaled(100_000_000),
      setting.seed
    )
    var round = 0
    return Contest(
      product: {
        round += 1
        return try product(capture, bytes, round)
      },
      peer: { try jsonLoad(capture, bytes) }
    )
  }

  /// Python's parser, which only reads the capture.
  private static func jsonLoad(_ capture: String, _ bytes: Int) throws -> Lap {
    var stopwatch = Stopwatch()
    let program = "import json, sys; assert json.load(open(sys.argv[1]))['log']['entries']"
    try stopwatch.measure(program: ["python3", "-c", program, capture])
    return stopwatch.lap(bytes)
  }
}

/// A capture of an app that reads lists and things and changes some.
private enum Capture {
  /// Writes about `byteCount` bytes, and returns how many there are.
  static func write(to path: String, byteCount: Int, _ seed: UInt64) throws -> Int {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw BenchmarkFailure("cannot write \(path)") }
    var chance = SplitMix64(seed: seed)
    var text =
      #"{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":["#
    var written = 0
    var number = 0
    while written + text.utf8.count < byteCount {
      text += (number == 0 ? "\n" : ",\n") + exchange(number, &chance)
      number += 1
      guard text.utf8.count > 1 << 20 else { continue }
      try file.write(contentsOf: Data(text.utf8))
      written += text.utf8.count
      text = ""
    }
    text += "\n]}}\n"
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    return written + text.utf8.count
  }

  private static func exchange(_ number: Int, _ chance: inout SplitMix64) -> String {
    let item = chance.next() % 5000
    let isChange = number % 20 == 19
    let text = body(item, &chance)
    let byteCount = text.utf8.count { $0 != UInt8(ascii: "\\") }
    let time = DeviceTime(milliseconds: 1_767_225_600_000 + Int64(number) * 50)
    return """
      {"startedDateTime":"\(time)","time":\(20 + chance.next() % 180),\
      "request":{"method":"\(isChange ? "PATCH" : "GET")",\
      "url":"https://api.example.org/v2/items/\(item)","httpVersion":"HTTP/2","headers":[\
      {"name":"accept","value":"application/json"},{"name":"user-agent","value":"Mozilla/5.0"},\
      {"name":"authorization","value":"Bearer eyJhbGciOiJIUzI1NiJ9.\(chance.next())"}],\
      "queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},\
      "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2","headers":[\
      {"name":"content-type","value":"application/json; charset=utf-8"},\
      {"name":"etag","value":"\\"\(chance.next())\\""}],"cookies":[],\
      "content":{"size":\(byteCount),"mimeType":"application/json","text":"\(text)"},\
      "redirectURL":"","headersSize":-1,"bodySize":\(byteCount)},\
      "cache":{},"timings":{"send":1,"wait":15,"receive":4}}
      """
  }

  /// A JSON text, escaped to stand inside another one.
  private static func body(_ item: UInt64, _ chance: inout SplitMix64) -> String {
    let rows = (0..<20).map { row in
      """
      {\\"id\\":\(item * 20 + UInt64(row)),\\"title\\":\\"Row \(row) of thing \(item)\\",\
      \\"state\\":\\"\(row % 3 == 0 ? "open" : "done")\\",\\"version\\":\(chance.next() % 1000),\
      \\"updated\\":\\"2026-01-0\(1 + row % 9)T10:00:00Z\\"}
      """
    }
    return "{\\\"id\\\":\(item),\\\"rows\\\":[\(rows.joined(separator: ","))]}"
  }
}
