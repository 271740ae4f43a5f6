import Foundation

/// The tool as a person starts it.
enum CommandLineTool {
  static let all: [Benchmark] = [
    Benchmark(
      name: "start-up",
      work: "tidemark --version",
      peer: "a static Swift program that prints a word",
      goal: .cost(atMost: 3),
      needs: ["swiftc"]
    ) { setting in
      let hello = setting.file("hello")
      try Data("print(\"hello\")\n".utf8).write(to: URL(fileURLWithPath: hello + ".swift"))
      var stopwatch = Stopwatch()
      try stopwatch.measure(program: compiler + [hello + ".swift", "-o", hello])
      let count = setting.scaled(200, least: 20)
      return Contest(
        product: { try laps(count, [setting.tool, "--version"]) },
        peer: { try laps(count, [hello]) }
      )
    }
  ]

  private static var compiler: [String] {
    #if os(Linux)
      ["swiftc", "-O", "-static-stdlib"]
    #else
      ["swiftc", "-O"]
    #endif
  }

  private static func laps(_ count: Int, _ words: [String]) throws -> Lap {
    var stopwatch = Stopwatch()
    for _ in 0..<count { try stopwatch.measure(program: words) }
    return stopwatch.lap(count)
  }
}
