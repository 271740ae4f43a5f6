import Foundation

/// What the command line asks for.
struct Options {
  var rounds = 5
  var scale = 1.0
  var seed: UInt64 = 1
  var only: [String] = []
  var json: String?
  var tool = Bundle.main.bundlePath + "/tidemark"
  var folder = FileManager.default.currentDirectoryPath

  static let usage = """
    usage: Tools/benchmark [--quick] [--only NAME]… [--rounds N] [--size SCALE] [--seed N]
                           [--folder PATH] [--tool PATH] [--json PATH] [--list]

      --quick        a twentieth of the size: whether it works, not how fast it is
      --only NAME    only the benchmark NAME, or those whose names begin with it
      --rounds N     product and peer in turn, N times; 5 if not given
      --size SCALE   1 is the size that docs/performance.md shows
      --seed N       other entries
      --folder PATH  where the files are made, on the disk that is to be measured
      --tool PATH    the built tidemark; the one beside this program if not given
      --json PATH    writes all rounds as JSON as well
      --list         the names
    """

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    func value<Value>(_ name: String, _ parse: (String) -> Value?) throws -> Value {
      guard let text = rest.popFirst(), let value = parse(text) else {
        throw BenchmarkFailure("\(name) needs a value\n\(Options.usage)")
      }
      return value
    }
    while let word = rest.popFirst() {
      switch word {
      case "--quick": scale = 0.05
      case "--only": only.append(try value(word) { $0 })
      case "--rounds": rounds = try value(word) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
      case "--size": scale = try value(word) { Double($0).flatMap { $0 > 0 ? $0 : nil } }
      case "--seed": seed = try value(word) { UInt64($0) }
      case "--folder": folder = try value(word) { $0 }
      case "--tool": tool = try value(word) { $0 }
      case "--json": json = try value(word) { $0 }
      default: throw BenchmarkFailure("'\(word)' is not an option\n\(Options.usage)")
      }
    }
  }

  /// The benchmarks of `all` that are asked for.
  func chosen(from all: [Benchmark]) -> [Benchmark] {
    guard !only.isEmpty else { return all }
    let names = Set(all.map(\.name))
    return all.filter { benchmark in
      only.contains { names.contains($0) ? benchmark.name == $0 : benchmark.name.hasPrefix($0) }
    }
  }
}
